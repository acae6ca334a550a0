"""A backlog of events: however long its randomising takes, no event is answered against a bulletin past its age."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from unittest.mock import patch

import pytest

from hgldp.client.environment import Environment
from hgldp.client.pace import Pace
from hgldp.client.randomizer import Randomizer
from hgldp.client.spending.ceilings import Ceilings
from hgldp.client.worker import Worker
from hgldp.model.bulletins import AnyBulletin
from hgldp.model.reports import Report
from hgldp.system.folder_lock import FolderLock
from tests.client.device import Wire, WrongClock
from tests.client.test_one_event_once import TASK

MOST_AGE, SECONDS_A_DRAW, EVENTS = 4_000, 900, 12


class Slow:
    """A client whose every draw takes a quarter of an hour; `also` happens meanwhile."""

    def __init__(self, folder: Path) -> None:
        self.clock, self.ages, self.fetched = WrongClock(), list[float](), 0.0
        self.lock = FolderLock(folder)
        pace, environment = Pace(gather=0, renew=600, most_age=MOST_AGE), Environment(self.clock, chance=lambda: 0.0)
        parts = (Ceilings(1.0, most_batch=1), pace, environment, Wire(TASK), self.lock)
        self.worker = Worker(folder, TASK.id.hex(), "key", *parts)
        self.also = list[int]()
        self.round()

    def round(self) -> None:
        self.fetched = self.clock.passed
        self.worker.round()

    @contextmanager
    def drawing_slowly(self) -> Iterator[None]:
        draw = Randomizer._draw

        def slowly(one: Randomizer, item: object, bulletin: AnyBulletin) -> Report:
            self.ages.append(self.clock.passed - self.fetched)
            self.clock.passed += SECONDS_A_DRAW
            self.clock.date += SECONDS_A_DRAW
            if self.also:
                self.worker.take(self.also.pop())
            return draw(one, item, bulletin)

        with patch.object(Randomizer, "_draw", slowly):
            yield


@pytest.fixture
def slow(tmp_path: Path) -> Iterator[Slow]:
    found = Slow(tmp_path)
    with found.drawing_slowly():
        yield found
    found.lock.release()


def test_no_event_is_randomised_against_a_bulletin_that_became_stale_meanwhile(slow: Slow) -> None:
    for event in range(EVENTS):
        slow.worker.take(event)
    slow.round()
    assert 0 < len(slow.ages) < EVENTS
    while len(slow.worker.inbox):
        slow.round()
    assert len(slow.ages) == EVENTS
    assert max(slow.ages) < MOST_AGE


def test_events_that_come_meanwhile_wait_for_the_next_round(slow: Slow) -> None:
    slow.also = [2, 3]
    slow.worker.take(1)
    slow.round()
    assert (slow.ages, len(slow.worker.inbox)) == ([0.0], 1)
    slow.round()
    assert (slow.ages, len(slow.worker.inbox)) == ([0.0, 0.0], 1)


def test_a_clock_that_is_read_once_a_round_would_be_noticed(slow: Slow) -> None:
    """Planted: all draws of a round happen at its start."""
    start = slow.clock.passed
    with patch.object(slow.worker.ledger.time, "now", lambda: start):
        for event in range(EVENTS):
            slow.worker.take(event)
        slow.worker.round()
    assert max(slow.ages) > MOST_AGE
