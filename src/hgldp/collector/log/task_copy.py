"""A task at one moment, to be asked in any thread, and a tracker's answer as people see it."""

from collections.abc import Iterable, Sequence

from hgldp.collector.views import Answer, RankedItem
from hgldp.model.estimate import Estimate
from hgldp.tracker import Tracker


class TaskCopy:
    """The writer goes on meanwhile."""

    def __init__(self, tracker: Tracker, items_before: tuple[RankedItem, ...]) -> None:
        self._tracker, self._before = tracker, items_before

    def top(self, k: int | None, window: int | None) -> Answer:
        """The top k (by default the task's k); with a window, of about the last `window` reports."""
        tracker = self._tracker
        k = tracker.task.k if k is None else k
        items = ranked_items(tracker.top(k, window), self._before)
        return Answer(k, window, tracker.bulletin.epoch, tracker.reports, tracker.covered(window), items)


def ranked_items(answer: Iterable[tuple[object, Estimate]], before: Sequence[RankedItem]) -> tuple[RankedItem, ...]:
    """A tracker's answer for people, with how far each item has climbed since an earlier top."""
    ranks = {each.item: rank for rank, each in enumerate(before)}
    found = []
    for rank, (item, estimate) in enumerate(answer):
        shown = item if isinstance(item, int | str) else str(item)
        low, high = estimate.interval
        found.append(
            RankedItem(
                item=shown,
                estimate=estimate.count,
                standard_error=estimate.standard_error,
                low=low,
                high=high,
                tracked_count=estimate.tracked_count,
                tracked_error=estimate.tracked_error,
                since=estimate.since,
                rank_change=ranks[shown] - rank if shown in ranks else None,
                warmup=estimate.warmup,
            )
        )
    return tuple(found)
