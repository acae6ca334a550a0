"""Each person of a server is treated as the owner of a device is: the same outcomes, ledgers and reports, exactly.

Three people do something. Each has a device (the `Worker` behind `Reporter`), and all three are in one `PeopleWorker`.
All draws are the middle of what could be drawn, and ε is high enough that this is the truth, so the two
must agree in every symbol. Planted bugs show that the machine would notice.
"""

from collections import Counter
from collections.abc import Callable
from itertools import count
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule, run_state_machine_as_test

from hgldp.client.environment import Environment
from hgldp.client.pace import Pace
from hgldp.client.people import booking
from hgldp.client.people.booking import Booking
from hgldp.client.people.uploads import forget
from hgldp.client.people.worker import PeopleWorker
from hgldp.client.randomizer import Randomizer
from hgldp.client.spending.ceilings import Ceilings
from hgldp.client.spending.page import Page
from hgldp.client.status import Outcome
from hgldp.client.worker import Worker
from hgldp.model.budget import Budget
from hgldp.model.domain import RangeDomain
from hgldp.model.randomness import Words
from hgldp.model.task import Task
from hgldp.system.clock import DAY_SECONDS
from hgldp.system.folder_lock import FolderLock
from hgldp.wire.upload import Upload
from tests.client.device import MANY, UNTIL_FOUND, Wire, WrongClock
from tests.client.every_way import MEMORY, QuickDisk

NAMES = ("ann", "bob", "cem")
COMPARED = ("reports", "hours", "opted_out", "start", "period", "seen", "lot", "answered")
LAPSES = ("none", "none", "answer lost", "request lost", "busy", "gone")
FEW = settings(MANY, max_examples=12, stateful_step_count=30)


class Middle(Words):
    def word(self) -> int:
        return 1 << 63

    def below(self, bound: int) -> int:
        return bound // 2


def a_task(budget: Budget, **terms: object) -> Task:
    return Task("dsr", budget, RangeDomain(5), k=2, cells=3, other=True, **terms)


CASES: dict[str, tuple[Task, Ceilings]] = {
    "event": (a_task(Budget(9.0)), Ceilings(9.0, 4)),
    "the task's daily limit": (a_task(Budget(9.0), daily_reports=2), Ceilings(9.0, 4)),
    "total": (a_task(Budget(9.0)), Ceilings(9.0, 100, max_total_epsilon=27.0)),
    "window, population": (a_task(Budget(9.0, "window", events=3)), Ceilings(9.0)),
    "window, budget": (a_task(Budget(9.0, "window", events=3, division="budget")), Ceilings(9.0, 6)),
    "user, population": (a_task(Budget(9.0, "user", events=4)), Ceilings(9.0)),
    "user, budget": (a_task(Budget(9.0, "user", events=5, division="budget")), Ceilings(9.0)),
    "period": (a_task(Budget(9.0, "period")), Ceilings(9.0)),
    "period with nothing": (a_task(Budget(9.0, "period"), nothing=True), Ceilings(9.0)),
    "one answer": (a_task(Budget(9.0), one_answer=True, epoch_seconds=3600), Ceilings(9.0)),
    "period, one answer": (a_task(Budget(9.0, "period"), one_answer=True, epoch_seconds=3600), Ceilings(9.0)),
    "keys": (
        Task("pfr", Budget(9.0), RangeDomain(5), k=2, other=True, keys="week", one_answer=True),
        Ceilings(9.0),
    ),
}


class Town(RuleBasedStateMachine):
    task: Task
    ceilings: Ceilings
    worker_class: type[PeopleWorker] = PeopleWorker

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(mkdtemp(dir=MEMORY))
        self.clock, self.wire, self.ids = WrongClock(), Wire(self.task), count()
        self.clock.date += 100
        self.pace = Pace(gather=0, renew=1)
        self.locks: list[FolderLock] = []
        self._open()
        for name in NAMES:
            self.choose(name, out=False)
        self.round()

    def teardown(self) -> None:
        self._close()
        rmtree(self.folder)

    def _open(self) -> None:
        environment = Environment(
            self.clock, QuickDisk(), Middle(), lambda size: next(self.ids).to_bytes(size, "big"), lambda: 0.5
        )
        terms = (self.ceilings, self.pace, environment, self.wire)
        task, self.devices = self.task.id.hex(), dict[str, Worker]()
        for name in NAMES:
            folder = self.folder / name
            folder.mkdir(exist_ok=True)
            self.locks.append(FolderLock(folder))
            self.devices[name] = Worker(folder, task, "key", *terms, self.locks[-1])  # type: ignore[arg-type]
        (self.folder / "people").mkdir(exist_ok=True)
        self.people = self.worker_class(self.folder / "people", task, "key", *terms)  # type: ignore[arg-type]

    def _close(self) -> None:
        for device in self.devices.values():
            device.settle()
        for lock in self.locks:
            lock.release()
        self.locks.clear()
        self.people.settle()

    @rule(name=st.sampled_from(NAMES), item=st.integers(0, 6))
    def report(self, name: str, item: int) -> None:
        """Items 5 and 6 are not listed."""
        device = self.devices[name]
        there = device.inbox.drop(Outcome.OPTED_OUT) if device.ledger.page.opted_out else device.take(item)
        assert self.people.take(self.people.key_of(name), item) == there

    @rule()
    def round(self) -> None:
        self.clock.passed += 60
        self.clock.date += 60
        for device in self.devices.values():
            if not device.ledger.page.opted_out:
                device.round()
        self.people.round()

    @rule(seconds=st.sampled_from([3_600, 7 * 3_600, DAY_SECONDS, 3 * DAY_SECONDS]))
    def time_passes(self, seconds: int) -> None:
        self.clock.passed += seconds
        self.clock.date += seconds

    @rule()
    def an_epoch_ends(self) -> None:
        self.wire.tracker.seal()

    @rule(lapse=st.sampled_from(LAPSES))
    def wire_lapses(self, lapse: str) -> None:
        self.wire.lapse = lapse

    @rule(name=st.sampled_from(NAMES), out=st.booleans())
    def opt(self, name: str, out: bool) -> None:
        """A device that opts out deletes its bulletin, and must get one again before the two can be compared."""
        self.wire.lapse = "none"
        self.round()
        self.choose(name, out=out)
        self.round()

    def choose(self, name: str, *, out: bool) -> None:
        key, device = self.people.key_of(name), self.devices[name]
        if out:
            device.opt_out()
        elif device.ledger.page.opted_out:
            device.opt_in()
        with self.people.database.write() as rows:
            person = self.people.read(rows, key)
            if out or person.page.opted_out or not person.page.second:
                person.choose(out=out)
                person.save(rows)
                if out:
                    forget(rows, key)

    @rule()
    def restart(self) -> None:
        """What waits in memory is lost in both."""
        self._close()
        self._open()

    @invariant()
    def ledgers_are_the_same(self) -> None:
        for name, device in self.devices.items():
            page = self.people.look_up(self.people.key_of(name)).page
            assert compared(page) == compared(device.ledger.page), name

    @invariant()
    def reports_are_the_same(self) -> None:
        for name, device in self.devices.items():
            bodies = {one.upload: one.body for one in device.sent.latest}
            bodies |= {one.upload: device.queue.read(one) for one in device.queue.waiting}
            mine = Counter[tuple[str, int]]()
            for body in bodies.values():
                upload = Upload.decode(body)
                mine.update((upload.bulletin.hex(), symbol) for symbol in upload.symbols(self.limit))
            query = "SELECT bulletin, symbol FROM reports WHERE person = ?"
            rows = self.people.database.read(query, (self.people.key_of(name),))
            assert Counter((bulletin.hex(), symbol) for bulletin, symbol in rows) == mine, name

    @property
    def limit(self) -> int:
        agreed = self.people.agreement.agreed
        assert agreed is not None
        return agreed.scheme.symbol_limit(self.wire.tracker.bulletin)


def compared(page: Page) -> list[object]:
    return [getattr(page, name) for name in COMPARED]


def town_of(case: str, **changed: object) -> type[Town]:
    task, ceilings = CASES[case]
    return type("OneTown", (Town,), {"task": task, "ceilings": ceilings, **changed})


def a_busy_week(machine: type[Town]) -> int:
    """Without lapses: everybody has events each day; how many reports left."""
    town = machine()
    try:
        for day in range(8):
            for place, name in enumerate(NAMES):
                for item in range(day % 3 + place):
                    town.report(name, (item + day) % 7)
            town.round()
            town.ledgers_are_the_same()
            town.reports_are_the_same()
            if day % 3 == 2:
                town.an_epoch_ends()
            town.time_passes(DAY_SECONDS)
        town.round()
        town.ledgers_are_the_same()
        town.reports_are_the_same()
        return town.people.delivery.delivered
    finally:
        town.teardown()


@pytest.mark.parametrize("case", CASES)
def test_a_person_of_a_server_is_treated_as_the_owner_of_a_device(case: str) -> None:
    assert a_busy_week(town_of(case)) >= 2  # otherwise one that never sends would pass
    run_state_machine_as_test(town_of(case), settings=FEW)


def found(case: str, plant: Callable[[PeopleWorker], None]) -> None:
    class Planted(PeopleWorker):
        def __init__(self, *arguments: object) -> None:
            super().__init__(*arguments)  # type: ignore[arg-type]
            plant(self)

    machine = town_of(case, worker_class=Planted)
    with pytest.raises(AssertionError):
        live_and_search(machine)


def live_and_search(machine: type[Town]) -> None:
    a_busy_week(machine)
    run_state_machine_as_test(machine, settings=UNTIL_FOUND)


def test_one_randomiser_for_all_would_be_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """It knows one answer to a bulletin, and would give everybody the first person's."""
    monkeypatch.setattr(Randomizer, "another", lambda self, sent: self)
    found("one answer", lambda worker: None)


def test_people_who_share_a_ledger_would_be_noticed() -> None:
    def plant(worker: PeopleWorker) -> None:
        worker.key_of = lambda person: bytes(16)  # type: ignore[method-assign]

    found("event", plant)


def test_events_of_before_an_opting_out_would_be_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    class Forgets(Booking):
        def _usable(self, row, key, events, refused):
            person = booking.Person(key, self._task, self._time, row)
            return person, events

    def plant(worker: PeopleWorker) -> None:
        worker.booking.__class__ = Forgets

    machine = town_of("event", worker_class=PeopleWorker)
    assert waits_while_opting_out_and_in(machine) == 0
    planted = type("Planted", (PeopleWorker,), {"__init__": _planting(plant)})
    assert waits_while_opting_out_and_in(town_of("event", worker_class=planted)) == 1


def _planting(plant: Callable[[PeopleWorker], None]) -> Callable[..., None]:
    def init(self: PeopleWorker, *arguments: object) -> None:
        PeopleWorker.__init__(self, *arguments)  # type: ignore[arg-type]
        plant(self)

    return init


def waits_while_opting_out_and_in(machine: type[Town]) -> int:
    """One event waits while its person opts out and in again; how many reports that makes."""
    town = machine()
    try:
        key = town.people.key_of("ann")
        assert town.people.take(key, 1) is Outcome.TAKEN
        town.clock.passed += 1
        town.choose("ann", out=True)
        town.choose("ann", out=False)
        town.people.round()
        return town.people.look_up(key).page.reports
    finally:
        town.teardown()
