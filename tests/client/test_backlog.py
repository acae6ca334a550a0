"""A backlog of events: however long its randomising takes, no event is answered against a bulletin past its age.

An event for which it is too late waits for the next bulletin: none is lost at the moment at which the last one ends.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from unittest.mock import patch

import pytest

from hgldp.client.agreement import Agreed
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

MOST_AGE, SECONDS_A_DRAW, EVENTS, LOOKS = 4_000, 900, 12, 40


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


class Ticking(WrongClock):
    """Time passes while the client works: a second between one look at the clock and the next."""

    def monotonic(self) -> float:
        self.passed += 1
        return self.passed


class AsksAgain(Worker):
    """Planted: takes events for a bulletin and then asks once more whether there is one."""

    def _draw(self, events: list[object], bulletin: AnyBulletin, agreed: Agreed, now: float) -> None:
        again = self._bulletin(agreed)
        if again is not None:
            super()._draw(events, again, agreed, now)


def fates(folder: Path, worker_class: type[Worker], seconds_left: int) -> tuple[int, int]:
    """How many events were reported if the bulletin ends in so many seconds, and of how many there is no trace."""
    folder.mkdir()
    clock, lock = Ticking(), FolderLock(folder)
    pace, environment = Pace(gather=0, renew=10 * MOST_AGE, most_age=MOST_AGE), Environment(clock, chance=lambda: 0.0)
    parts = (Ceilings(1.0, most_batch=5), pace, environment, Wire(TASK), lock)
    worker = worker_class(folder, TASK.id.hex(), "key", *parts)  # type: ignore[arg-type]
    worker.round()
    assert worker.agreement.agreed is not None
    for event in range(EVENTS):
        assert worker.take(event)
    age = worker.ledger.time.now() - worker.agreement.agreed.bulletins.fetched
    clock.passed += MOST_AGE - age - seconds_left
    worker.round()
    lock.release()
    reported = worker.ledger.page.reports
    return reported, EVENTS - reported - len(worker.inbox) - sum(worker.inbox.dropped.values())


def test_no_event_is_taken_for_a_bulletin_that_has_just_grown_stale(tmp_path: Path) -> None:
    """Whichever look at the clock is the first that comes too late."""
    found = [fates(tmp_path / str(seconds), Worker, seconds) for seconds in range(LOOKS)]
    assert {without_trace for _, without_trace in found} == {0}
    assert {0, EVENTS} < {reported for reported, _ in found}, "from no look in time to all of them"


def test_a_client_that_asks_twice_for_its_bulletin_would_lose_events_in_between(tmp_path: Path) -> None:
    found = [fates(tmp_path / str(seconds), AsksAgain, seconds) for seconds in range(LOOKS)]
    assert max(without_trace for _, without_trace in found) > 0
