"""What past epochs published, as far as a page shows it: read once an epoch, not once a viewer."""

from typing import TYPE_CHECKING

from starlette.concurrency import run_in_threadpool

from hgldp.collector.views import PublishedEpoch, TaskView

if TYPE_CHECKING:
    from hgldp.collector.collector import Collector

SHOWN_EPOCHS = 40
Shares = dict[object, float]
NONE: list[Shares] = []


class Past:
    """The last epochs of each task, for the lines beside the items, and any single one."""

    def __init__(self, collector: "Collector") -> None:
        self._collector = collector
        self._recent: dict[bytes, tuple[int, list[Shares]]] = {}

    async def recent(self, view: TaskView) -> list[Shares]:
        """The share of all reports that each item had in the last epochs, oldest first."""
        if not view.epoch:
            return NONE
        epoch, found = self._recent.get(view.id, (0, NONE))
        if epoch != view.epoch:
            first = max(0, view.epoch - SHOWN_EPOCHS)
            epochs = await run_in_threadpool(self._collector.history, view.id, first, view.epoch - 1)
            found = [_shares(each) for each in epochs]
            self._recent[view.id] = view.epoch, found
        return found

    async def at(self, view: TaskView, epoch: int) -> PublishedEpoch | None:
        """What one epoch published."""
        found = await run_in_threadpool(self._collector.history, view.id, epoch, epoch)
        return found[0] if found else None


def _shares(epoch: PublishedEpoch) -> Shares:
    return {line.item: line.estimate / max(1, epoch.reports) for line in epoch.lines}
