"""The server of PFR in a listed domain: reports added up, in any order."""

from collections.abc import Sequence

from hgldp.errors import InvalidField
from hgldp.model.bulletins import FrontierBulletin, OpenBulletin
from hgldp.model.domain import Domain, StringDomain
from hgldp.model.task import Task
from hgldp.model.validate import check_whole
from hgldp.schemes.open_pfr import OpenPFR
from hgldp.schemes.pfr import PFR
from hgldp.schemes.registry import scheme_of
from hgldp.stores.frontier import Frontier
from hgldp.stores.strings import OpenFrontier
from hgldp.tracker.family import AddingSide, Answer, Symbols


class FrontierSide(AddingSide[Frontier, FrontierBulletin]):
    """A late report waits for the next seal, and then counts in the epoch whose bulletin it answered."""

    @classmethod
    def start(cls, task: Task, seed: int, warmup: Sequence[int]) -> "FrontierSide":
        """An empty store, or one whose first observation is a warm-up."""
        terms = {"memory": task.memory, "epoch": task.epoch, "half_life": task.half_life}
        return cls(task, Frontier(_listed_scheme(task), seed=seed, warmup=warmup, **terms))

    @classmethod
    def restore(cls, task: Task, state: bytes) -> "FrontierSide":
        """What `serialize` wrote."""
        return cls(task, Frontier.deserialize(state, _listed_scheme(task)))

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


def _listed_scheme(task: Task) -> PFR:
    found = scheme_of(task)
    assert isinstance(found, PFR)  # noqa: S101
    return found


class OpenSide(AddingSide[OpenFrontier, OpenBulletin]):
    """A late report waits for the next seal, and then counts for those of its cells that are still there."""

    @classmethod
    def start(cls, task: Task, _: int, warmup: Sequence[object]) -> "OpenSide":
        """An empty store; no coin is ever tossed, so the seed does not matter."""
        if warmup:
            raise InvalidField("warmup", "must be empty for strings that nobody listed", f"{len(warmup)} items")
        terms = {"symbols": task.cells, "k": task.k, "epoch": task.epoch, "half_life": task.half_life}
        domain = task.domain
        assert isinstance(domain, StringDomain)  # noqa: S101
        return cls(task, OpenFrontier(_open_scheme(task).mechanism, domain=domain, **terms))

    @classmethod
    def restore(cls, task: Task, state: bytes) -> "OpenSide":
        """What `serialize` wrote."""
        return cls(task, OpenFrontier.deserialize(state, _open_scheme(task).mechanism))

    def insert_late(self, bulletin: OpenBulletin, _: Sequence[OpenBulletin], checked: Symbols) -> None:
        """Add up by bulletin."""
        self.store.insert_late(bulletin, checked)

    def answer(self, k: int, window: int | None) -> Answer:
        """The top k strings, verbatim."""
        if window is not None:
            raise InvalidField("window", "must be asked of a listed domain; strings have a half-life", window)
        check_whole("k", k, 1, self.task.k)
        return list(self.store.absorbed().estimates(k))


def _open_scheme(task: Task) -> OpenPFR:
    found = scheme_of(task)
    assert isinstance(found, OpenPFR)  # noqa: S101
    return found
