"""The server of PFR among strings that nobody listed."""

from collections.abc import Sequence

from hgldp.errors import InvalidField
from hgldp.model.open_frontier import OpenBulletin
from hgldp.model.strings import StringDomain
from hgldp.model.task import Task
from hgldp.model.whole import check_whole
from hgldp.schemes.open_pfr import OpenPFR
from hgldp.schemes.registry import scheme_of
from hgldp.stores.open_frontier import OpenFrontier
from hgldp.tracker.adding_side import AddingSide
from hgldp.tracker.side import Answer, Symbols


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
        return cls(task, OpenFrontier(_scheme(task).mechanism, domain=domain, **terms))

    @classmethod
    def restore(cls, task: Task, state: bytes) -> "OpenSide":
        """What `serialize` wrote."""
        return cls(task, OpenFrontier.deserialize(state, _scheme(task).mechanism))

    def insert_late(self, bulletin: OpenBulletin, _: Sequence[OpenBulletin], checked: Symbols) -> None:
        """Add up by bulletin."""
        self.store.insert_late(bulletin, checked)

    def answer(self, k: int, window: int | None) -> Answer:
        """The top k strings, verbatim."""
        if window is not None:
            raise InvalidField("window", "must be asked of a listed domain; strings have a half-life", window)
        check_whole("k", k, 1, self.task.k)
        return list(self.store.absorbed().estimates(k))


def _scheme(task: Task) -> OpenPFR:
    found = scheme_of(task)
    assert isinstance(found, OpenPFR)  # noqa: S101
    return found
