"""The server of PFR in a listed domain: reports added up, in any order."""

from collections.abc import Sequence

from hgldp.model.domain import Domain
from hgldp.model.frontier import FrontierBulletin
from hgldp.model.task import Task
from hgldp.model.whole import check_whole
from hgldp.schemes.pfr import PFR
from hgldp.schemes.registry import scheme_of
from hgldp.stores.frontier import Frontier
from hgldp.tracker.adding_side import AddingSide
from hgldp.tracker.side import Answer, Symbols


class FrontierSide(AddingSide[Frontier, FrontierBulletin]):
    """A late report waits for the next seal, and then counts in the epoch whose bulletin it answered."""

    @classmethod
    def start(cls, task: Task, seed: int, warmup: Sequence[int]) -> "FrontierSide":
        """An empty store, or one whose first observation is a warm-up."""
        terms = {"memory": task.memory, "epoch": task.epoch, "half_life": task.half_life}
        return cls(task, Frontier(_scheme(task), seed=seed, warmup=warmup, **terms))

    @classmethod
    def restore(cls, task: Task, state: bytes) -> "FrontierSide":
        """What `serialize` wrote."""
        return cls(task, Frontier.deserialize(state, _scheme(task)))

    def insert_late(self, bulletin: FrontierBulletin, _: Sequence[FrontierBulletin], checked: Symbols) -> None:
        """Add up under the key of the bulletin."""
        self.store.insert_late(bulletin, checked)

    def answer(self, k: int, window: int | None) -> Answer:
        """The top k of all retained epochs, or of the last `window` reports."""
        check_whole("k", k, 1, self.store.scheme.most_leaves)
        if window is not None:
            check_whole("window", window, 1)
        domain: Domain = self.task.domain  # type: ignore[assignment]
        return [(domain.item(line.item), line) for line in self.store.absorbed().estimates(k, window)]


def _scheme(task: Task) -> PFR:
    found = scheme_of(task)
    assert isinstance(found, PFR)  # noqa: S101
    return found
