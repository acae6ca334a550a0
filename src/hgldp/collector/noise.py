"""How far an estimate can be trusted: which items may be noise alone, and which schemes start from nothing."""

from hgldp.schemes.registry import names, scheme_class

REACH = 4.0
WHY_NOISE = "less than four standard errors above zero, or without a cell of its own in the last epoch"


def may_be_noise(estimate: float, standard_error: float, since: int) -> bool:
    """Whether an item may be noise: the best of hundreds of candidates can reach four standard errors by chance.

    `since` says for how many reports the item has been counted by itself. If for none, another item in the same search
    cells may have brought its number, however narrow the interval is.

    >>> may_be_noise(390, 100, 5000), may_be_noise(410, 100, 5000), may_be_noise(410, 100, 0)
    (True, False, True)
    """
    return estimate <= REACH * standard_error or not since


def starts_cold(scheme: str, warmup: int = 0) -> bool:
    """Whether a task starts from items that nobody chose: a hot list without a warm-up.

    >>> starts_cold("bdr"), starts_cold("bdr", warmup=1_000), starts_cold("pfr")
    (True, False, False)
    """
    return not warmup and scheme in names() and scheme_class(scheme).starts_cold
