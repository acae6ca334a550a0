"""How far an estimate can be trusted: what may be noise alone, and what started from nothing."""

from hgldp.model.task import FRONTIER

REACH = 4.0
STARTED_COLD = "Started cold: estimates of survivors are too high and their intervals too narrow"
WHY_NOISE = "less than four standard errors above zero, or without a cell of its own in the last epoch"


def may_be_noise(estimate: float, standard_error: float, since: int) -> bool:
    """The best of hundreds of candidates may be four standard errors above zero with nothing behind it.

    `since` is for how many reports the item has been counted by itself. If for none, it may owe its number to another
    item in the same search cells, however narrow the interval.

    >>> may_be_noise(390, 100, 5000), may_be_noise(410, 100, 5000), may_be_noise(410, 100, 0)
    (True, False, True)
    """
    return estimate <= REACH * standard_error or not since


def starts_cold(scheme: str) -> bool:
    """A collector gives no warm-up: the list of a hot-list scheme begins with items that nobody chose.

    >>> starts_cold("bdr"), starts_cold("pfr")
    (True, False)
    """
    return scheme != FRONTIER
