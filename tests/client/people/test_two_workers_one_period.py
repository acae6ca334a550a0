"""Two workers share the draw of a person's period, and an event that waited too long in one of them is in no other.

If it took part in the next period's draw, two reports would depend on the events of one period, which costs 2ε.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest

from hgldp.client.environment import Environment
from hgldp.client.pace import Pace
from hgldp.client.people.worker import PeopleWorker
from hgldp.client.spending.ceilings import Ceilings
from hgldp.model.budget import Budget
from hgldp.model.domain import RangeDomain
from hgldp.model.period import DAY_SECONDS
from hgldp.model.task import Task
from tests.client.device import Wire, WrongClock
from tests.client.people.test_same_as_a_reporter import Middle

TASK = Task("dsr", Budget(1.0, "period"), RangeDomain(5), k=2, cells=3, other=True)
LATE = 3
"""Twice `Pace.gather`, and a second."""


class Pair:
    def __init__(self, folder: Path) -> None:
        self.clock, self.wire = WrongClock(), Wire(TASK)
        terms = (Ceilings(1.0), Pace(gather=1), Environment(self.clock, words=Middle(), chance=lambda: 0.5), self.wire)
        self.one, self.two = (PeopleWorker(folder, TASK.id.hex(), "key", *terms) for _ in range(2))
        self.one.round()
        self.two.round()
        assert (self.one.lead.held, self.two.lead.held) == (True, False)
        self.key = self.one.key_of("ann")

    def wait(self, seconds: float) -> None:
        self.clock.passed += seconds

    def take(self, worker: PeopleWorker, item: int) -> None:
        assert worker.take(self.key, item)

    def round(self, worker: PeopleWorker) -> None:
        worker.hurry()
        worker.round()

    @property
    def draws(self) -> tuple[int, int]:
        """How many events are in the draw of the last period and of the open one."""
        draws = self.one.look_up(self.key).draws
        return draws.over.seen if draws.over else 0, draws.open.seen if draws.open else 0


@pytest.fixture
def pair(tmp_path: Path) -> Iterator[Pair]:
    pair = Pair(tmp_path)
    yield pair
    pair.one.settle()
    pair.two.settle()


def test_both_add_to_one_draw_and_one_report_is_made(pair: Pair) -> None:
    for worker in (pair.one, pair.two, pair.one):
        pair.take(worker, 1)
        pair.round(worker)
    assert pair.draws == (0, 3)
    pair.wait(DAY_SECONDS + LATE + 2)
    for worker in (pair.two, pair.one, pair.two, pair.one):
        pair.round(worker)
    assert pair.one.look_up(pair.key).page.reports == 1
    assert pair.one.delivery.delivered == 1
    assert pair.one.inbox.dropped == {"not drawn: the task asks about one of several events": 2}


def late_event(pair: Pair) -> tuple[int, int]:
    """It waits in the second worker while the first one makes the report of its period."""
    pair.take(pair.one, 1)
    pair.round(pair.one)
    pair.take(pair.two, 2)
    pair.wait(DAY_SECONDS + LATE + 2)
    pair.round(pair.one)
    assert pair.one.look_up(pair.key).page.reports == 1
    pair.round(pair.two)
    return pair.draws


def test_an_event_that_is_too_late_for_its_period_takes_part_in_no_other(pair: Pair) -> None:
    assert late_event(pair) == (0, 0)
    assert pair.two.inbox.dropped == {"not drawn: the task asks about one of several events": 1}


def test_taking_it_for_one_of_the_next_period_would_be_noticed(pair: Pair, monkeypatch: pytest.MonkeyPatch) -> None:
    def plain(periods, period, events) -> int:
        periods.take(period, events)
        return 0

    monkeypatch.setattr("hgldp.client.people.booking.let_take_part", plain)
    assert late_event(pair) == (0, 1)


def test_an_event_that_is_a_little_late_still_takes_part_in_its_own_period(pair: Pair) -> None:
    pair.take(pair.one, 1)
    pair.round(pair.one)
    pair.wait(DAY_SECONDS - 1)
    pair.take(pair.two, 2)
    pair.wait(1.5)
    pair.take(pair.one, 3)
    pair.round(pair.one)
    assert pair.draws == (1, 1)
    pair.round(pair.two)
    assert pair.draws == (2, 1)
    assert pair.one.look_up(pair.key).page.reports == 0
    pair.wait(LATE + 1)
    pair.round(pair.one)
    assert pair.one.look_up(pair.key).page.reports == 1


def test_a_worker_that_does_not_send_randomises_nothing_while_the_collector_lies(pair: Pair) -> None:
    """What the worker that sends has learnt holds for all."""
    agreed = pair.one.agreement.agreed
    assert agreed is not None
    agreed.bulletins.trusted = False
    pair.one.lead.share_doubt(doubt=True)
    pair.two.round()
    assert pair.two.status(None, "").state == "suspended"
    agreed.bulletins.trusted = True
    pair.one.lead.share_doubt(doubt=False)
    pair.two.round()
    assert pair.two.status(None, "").state == "ready"
