"""A task whose epochs end when the test says so."""

import threading
from collections.abc import Iterator

import pytest

from hgldp.collector.log.task_state import TaskState
from hgldp.tracker import Tracker
from tests.collector.fakes import SEARCH
from tests.patience import PATIENCE


@pytest.fixture
def released(monkeypatch: pytest.MonkeyPatch) -> Iterator[threading.Event]:
    """Every seal of SEARCH takes until the event is set."""
    event, honest = threading.Event(), Tracker.seal

    def seal(self: Tracker) -> object:
        if self.task.id == SEARCH.id:
            event.wait(PATIENCE)
        return honest(self)

    monkeypatch.setattr(Tracker, "seal", seal)
    monkeypatch.setattr(TaskState, "is_slow", property(lambda self: self.task.id == SEARCH.id))
    yield event
    event.set()
