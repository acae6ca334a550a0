"""A tracker that tells when an epoch ends, and then goes on from the very bytes that a restart would read."""

from collections.abc import Callable, Sequence
from copy import copy, deepcopy
from typing import Any

from hgldp.model.bulletins import AnyBulletin
from hgldp.model.task import Task
from hgldp.tracker import Tracker
from hgldp.tracker.tracker import side_of


class SealingTracker(Tracker):
    """Whether a server ran on or was restored in between cannot matter then, to the last bit.

    `when_sealed` gets the bulletin whose epoch has ended, and the state.
    """

    when_sealed: Callable[[AnyBulletin, bytes], None] | None = None

    @classmethod
    def restored(cls, task: Task, state: bytes, earlier: Sequence[AnyBulletin]) -> "SealingTracker":
        """What `serialize` wrote, with the bulletins before the present one."""
        tracker = cls.restore(task, state, earlier)
        assert isinstance(tracker, cls)  # noqa: S101
        return tracker

    def seal(self) -> AnyBulletin:
        """End the epoch; with pfr only if it is not empty."""
        ended = self.bulletin
        found = super().seal()
        if found.version != ended.version:
            state, side = self.serialize(), _any(self.side)
            side.store = _any(side_of(self.task).restore(self.task, state)).store
            if self.when_sealed is not None:
                self.when_sealed(ended, state)
        return found

    def covered(self, window: int | None) -> int:
        """How many reports an answer counts: of a window the whole epochs whose middle it reaches."""
        return self.reports if window is None else int(_any(self.side).store.absorbed().covered(window))

    def copied(self) -> "SealingTracker":
        """The same state elsewhere, for questions that take their time."""
        twin = copy(self)
        twin.side, twin.when_sealed = copy(self.side), None
        _any(twin.side).store = deepcopy(_any(self.side).store)
        return twin


def _any(side: Any) -> Any:
    """Every side has a store, each of its own kind."""
    return side
