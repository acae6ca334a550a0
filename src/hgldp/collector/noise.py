"""How far an estimate can be trusted: which items may be noise alone, and which schemes start from nothing."""

from hgldp.model.estimate import Estimate
from hgldp.schemes.registry import names, scheme_class

REACH = 4.0


def is_weak(estimate: Estimate) -> bool:
    """Whether an item may be noise: the best of hundreds of candidates can reach four standard errors by chance.

    An item that was never counted by itself may owe its number to another one in the same search cells, however narrow
    its interval is. The collector holds every estimate to this, whatever its store says; all readers see the outcome.

    >>> [is_weak(Estimate(0, count, 100.0, since=since)) for count, since in ((390, 5000), (410, 5000), (410, 0))]
    [True, False, True]
    """
    return estimate.count <= REACH * estimate.standard_error or not estimate.since


def starts_cold(scheme: str, warmup: int = 0) -> bool:
    """Whether a task starts from items that nobody chose: a hot list without a warm-up.

    >>> starts_cold("bdr"), starts_cold("bdr", warmup=1_000), starts_cold("pfr")
    (True, False, False)
    """
    return not warmup and scheme in names() and scheme_class(scheme).starts_cold
