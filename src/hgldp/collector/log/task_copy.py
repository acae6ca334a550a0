"""A task at one moment, to be asked in any thread, and a tracker's answer as people see it."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from hgldp.collector.views import Answer, AskedAnswer, AskedItem, DistributionAnswer, RankedItem
from hgldp.model.estimate import Estimate
from hgldp.tracker import Tracker


class TaskCopy:
    """The writer goes on meanwhile."""

    def __init__(self, tracker: Tracker, items_before: tuple[RankedItem, ...]) -> None:
        self._tracker, self._before = tracker, items_before

    def top(self, k: int | None, window: int | None) -> Answer:
        """The top k (by default the task's k); a window of about the last `window` reports is compared with none."""
        tracker = self._tracker
        k = tracker.task.k if k is None else k
        before = [each.item for each in self._before] if window is None else ()
        found = ranked_items(tracker.top(k, window), before)
        items = found if window else _compared(found, tracker.task.k)
        return Answer(k, window, *self._counted(window), items, self._least(window))

    def ask(self, items: Sequence[object], window: int | None) -> AskedAnswer:
        """What is known about each of these items, in this order."""
        tracker = self._tracker
        found = tuple(_asked(item, estimate) for item, estimate in tracker.ask(items, window))
        return AskedAnswer(window, *self._counted(window), found, self._least(window))

    def distribution(self, window: int | None) -> DistributionAnswer:
        """How many items have a share in each decade."""
        found = self._tracker.distribution(window)
        return DistributionAnswer(window, *self._counted(window), found, self._least(window))

    def _counted(self, window: int | None) -> tuple[int, int, int]:
        """In which epoch, of how many reports, and how many of them."""
        return self._tracker.bulletin.epoch, self._tracker.reports, self._tracker.covered(window)

    def _least(self, window: int | None) -> int | None:
        """What to ask for instead of a window that holds no epoch."""
        fits = window is None or self._tracker.covered(window) or not self._tracker.reports
        return None if fits else self._tracker.least_window


def _asked(item: object, estimate: Estimate) -> AskedItem:
    counted = _counted(item, estimate)
    return AskedItem(*counted, may_be_noise=estimate.may_be_noise, warmup=estimate.warmup)


def _compared(items: tuple[RankedItem, ...], stored: int) -> tuple[RankedItem, ...]:
    """An earlier list ends at the task's k: who comes below that now is not new, nobody knows where it was."""
    unknown = (replace(each, rank_change=0) if each.rank_change is None else each for each in items[stored:])
    return (*items[:stored], *unknown)


def _counted(item: object, estimate: Estimate) -> tuple[int | str, float, float, float, float, float, float, int]:
    """The fields of a `CountedItem`."""
    shown = item if isinstance(item, int | str) else str(item)
    (low, high), tracked = estimate.interval, (estimate.tracked_count, estimate.tracked_error, estimate.since)
    return shown, estimate.count, estimate.standard_error, low, high, *tracked


def ranked_items(answer: Iterable[tuple[object, Estimate]], before: Sequence[int | str]) -> tuple[RankedItem, ...]:
    """A tracker's answer for people, with how far each item has climbed since an earlier top had these items."""
    ranks = {item: rank for rank, item in enumerate(before)}
    found = []
    for rank, (item, estimate) in enumerate(answer):
        counted, (best, worst) = _counted(item, estimate), estimate.ranks or (None, None)
        found.append(
            RankedItem(
                *counted,
                rank_change=ranks[counted[0]] - rank if counted[0] in ranks else None,
                rank_low=best,
                rank_high=worst,
                may_be_noise=estimate.may_be_noise,
                warmup=estimate.warmup,
            )
        )
    return tuple(found)
