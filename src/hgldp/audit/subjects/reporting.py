"""Any client that talks to a collector: a command of the user hands it the events, and a fake collector listens."""

import json
from collections.abc import Sequence
from types import TracebackType

from hgldp.audit.pairs import Events
from hgldp.audit.subjects.fake_collector import FakeCollector
from hgldp.audit.subjects.process import PATIENCE, PROTOCOL, Process
from hgldp.audit.views import Views, views_of
from hgldp.errors import MalformedBytes
from hgldp.model.bulletins import AnyBulletin
from hgldp.model.task import Task
from hgldp.schemes.registry import scheme_of

DONE = b"done"


class ReportingClient:
    """One draw at a time, so that the time from the events to the upload is the client's own."""

    block = 1

    def __init__(
        self, command: Sequence[str], task: Task, bulletin: AnyBulletin, *, patience: float = PATIENCE
    ) -> None:
        self._limit = scheme_of(task).symbol_limit(bulletin)
        self._version = bytes.fromhex(bulletin.version)
        self._collector = FakeCollector(task, bulletin)
        self._process = Process(command, patience)
        self._collector.__enter__()
        self._process.say(PROTOCOL, f"url {self._collector.url}", f"task {task.id.hex()}")

    def draw(self, events: Events, count: int) -> Views:
        """Hand over the events, wait until the command says that everything was sent, and look at what came."""
        draws, delays = [], []
        for _ in range(count):
            key = self._collector.expect()
            self._process.say(f"draw {key} {json.dumps(list(events))}")
            (answer,) = self._process.hear(1)
            if answer != DONE:
                raise self._process.failed("it must answer each draw with the line done")
            arrivals = self._collector.arrived(key)
            draws.append([each.upload for each in arrivals])
            delays.append(arrivals[0].seconds if arrivals else None)
        try:
            return views_of(draws, self._limit, self._version, delays)
        except MalformedBytes as wrong:
            raise self._process.failed(f"an upload is wrong: {wrong}") from None

    def __enter__(self) -> "ReportingClient":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        try:
            if kind is None:
                self._process.finish()
        finally:
            self._process.close()
            self._collector.__exit__(kind, error, at)
