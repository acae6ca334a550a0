"""Which tasks start from nothing: what came before an item was admitted is then extrapolated."""

from hgldp.schemes.registry import names, scheme_class


def starts_cold(scheme: str, warmup: int = 0) -> bool:
    """Whether a task starts from items that nobody chose: a hot list without a warm-up.

    >>> starts_cold("bdr"), starts_cold("bdr", warmup=1_000), starts_cold("pfr")
    (True, False, False)
    """
    return not warmup and scheme in names() and scheme_class(scheme).starts_cold
