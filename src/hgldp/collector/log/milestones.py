"""Where a task's log can begin again: states from which everything later still follows when what came before is gone.

Only a task that limits how long its results are kept has milestones, about nine at a time.
"""

from collections.abc import Sequence

from hgldp.collector.log import rows
from hgldp.collector.log.storage import ResultRow
from hgldp.collector.views import RankedItem, TaskTerms
from hgldp.model.bulletins import AnyBulletin
from hgldp.schemes.base import RETAINED

DAY, IN_A_LIMIT = 86_400.0, 8
RESULTS_BEFORE = 2


def is_due(terms: TaskTerms, last: float | None, now: float) -> bool:
    """Whether a seal makes a milestone, the last one being of some time: after an eighth of the limit.

    A clock that was set back makes one too: the last one may be of a time that is far away.

    >>> [is_due(TaskTerms("words", results_kept_days=8), last, 2 * DAY) for last in (None, 0.0, 1.5 * DAY, 3 * DAY)]
    [True, True, False, True]
    """
    if not terms.results_kept_days:
        return False
    return last is None or not 0 <= now - last < terms.results_kept_days * DAY / IN_A_LIMIT


def bulletins_from(epoch: int) -> int:
    """The oldest bulletin that stays before a milestone: reports that answer it may still be counted."""
    return max(0, epoch - RETAINED + 1)


def results_from(epoch: int) -> int:
    """The oldest result that stays before a milestone: changes of rank refer to it."""
    return max(0, epoch - RESULTS_BEFORE)


def hash_of_shown(bulletins: Sequence[AnyBulletin], last: ResultRow, before: Sequence[RankedItem]) -> bytes:
    """Of what stays from before a milestone: the bulletins, the last result, and the items of the one before it."""
    lines = rows.items_as_text(before)
    return rows.hash_of((*(each.version for each in bulletins), *rows.result_values(last), lines))
