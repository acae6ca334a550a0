"""Where a task promises to keep its keys for a time, the client sees to it, whatever the server shows."""

import json
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest

from hgldp.client import BulletinCache
from hgldp.client.environment import Environment
from hgldp.client.pace import Pace
from hgldp.client.sending.transport import Untrusted
from hgldp.client.spending.ceilings import Ceilings
from hgldp.client.spending.ledger import Ledger
from hgldp.client.spending.tenure import Tenure
from hgldp.client.worker import Worker
from hgldp.model.bulletins import FrontierBulletin
from hgldp.model.period import DAY_SECONDS, PERIOD_SECONDS, reports_within
from hgldp.model.randomness import SeededWords
from hgldp.model.reports import Report
from hgldp.model.task import Task
from hgldp.schemes.registry import scheme_of
from hgldp.system.http import Answer, Unreachable
from tests.client.every_way import Days, Listener, NoLock, QuickDisk

TASK = Task("pfr", epsilon=1.0, domain=range(100), k=3, cells=16, other=True, one_answer=True, keys="week")
WEEK = PERIOD_SECONDS["week"]


class Hasty:
    """A server with a new bulletin every hour."""

    def __init__(self) -> None:
        self.epoch, self.fails = 0, False

    def get(self, path: str, most_bytes: int = 0) -> Answer:
        found = FrontierBulletin(TASK.id, self.epoch, 101, 16, self.epoch, ())
        if path.startswith("/v1/bulletins/"):
            if self.fails:
                raise Unreachable("it is gone")
            return Answer(200, found.canonical)
        fields = {"task": TASK.id.hex(), "bulletin": found.version, "epoch": found.epoch, "max_age": 3600}
        return Answer(200, json.dumps(fields).encode())


class Device:
    """Whatever a client keeps of bulletins: the cache and the ledger, on a clock of hours."""

    def __init__(self, folder: Path, stays: float = TASK.bulletin_seconds) -> None:
        self.folder, self.stays, self.clock = folder, stays, Days()
        self.start()

    def start(self) -> None:
        """Start, or start again."""
        self.ledger = Ledger(QuickDisk(), self.folder / "ledger", TASK.id.hex(), self.clock, NoLock())  # type: ignore[arg-type]
        place = QuickDisk(), self.folder / "bulletin", TASK.id.hex(), scheme_of(TASK)
        self.bulletins = BulletinCache(*place, most_age=86_400.0, tenure=Tenure(self.ledger, self.stays))
        self.bulletins.load(self.now)

    @property
    def now(self) -> float:
        return self.ledger.time.now()

    def at(self, second: float) -> "Device":
        self.clock.passed = second
        return self

    def renew(self, server: Hasty, epoch: int) -> None:
        server.epoch = epoch
        self.bulletins.renew(server, self.now)  # type: ignore[arg-type]

    def held_epoch(self) -> int | None:
        held = self.bulletins.fresh(self.now)
        return None if held is None else held.epoch


def put_back(file: Path) -> None:
    """An old copy of the file in place of the new one."""
    kept = file.with_name("an old copy")
    if not kept.exists():
        kept.write_bytes(file.read_bytes())
    file.write_bytes(kept.read_bytes())


FAULTS: dict[str, Callable[[Path], object]] = {
    "deleted": lambda file: file.unlink(missing_ok=True),
    "damaged": lambda file: file.write_bytes(b"what is this"),
    "put back": put_back,
}


def answered(device: Device, hours: int, every: int = 10**9, fault: str = "none") -> list[float]:
    """When the client held a bulletin for the first time. Every few hours there is a fault, and a new start."""
    server, seen, times = Hasty(), set[int](), list[float]()
    for hour in range(hours):
        device.at(3600.0 * hour)
        if hour and hour % every == 0:
            if fault in FAULTS:
                FAULTS[fault](device.folder / "bulletin")
            device.start()
        with suppress(Untrusted):
            device.renew(server, hour)
        held = device.held_epoch()
        if held is not None and held not in seen:
            seen.add(held)
            times.append(3600.0 * hour)
    return times


@pytest.mark.parametrize("every", [10**9, 1, 50])
def test_a_client_takes_one_new_bulletin_a_week_through_restarts_too(tmp_path: Path, every: int) -> None:
    times = answered(Device(tmp_path), 24 * 40, every)
    assert times == [0.0, 3600.0, *(3600.0 + WEEK * week for week in range(1, 6))]
    assert len(times) <= reports_within(40 * DAY_SECONDS, "week")


@pytest.mark.parametrize("fault", FAULTS)
def test_a_lost_or_old_copy_of_the_bulletin_buys_no_new_one(tmp_path: Path, fault: str) -> None:
    """One fault a day, and a server with a new bulletin every hour. The ledger knows which one was held."""
    times = answered(Device(tmp_path), 24 * 40, 24, fault)
    assert 1 < len(times) <= reports_within(40 * DAY_SECONDS, "week")


def test_the_planted_client_that_always_follows_takes_each_of_them(tmp_path: Path) -> None:
    assert len(answered(Device(tmp_path, stays=0.0), 24 * 40)) == 24 * 40


def test_the_planted_client_whose_file_alone_knows_takes_one_after_each_fault(tmp_path: Path) -> None:
    class Forgetful(Device):
        def start(self) -> None:
            super().start()
            if not self.bulletins.held:
                self.ledger.page = replace(self.ledger.page, held="", since=-1)

    assert len(answered(Forgetful(tmp_path), 24 * 40, 24, "deleted")) > 40


def test_a_server_that_goes_back_is_waited_for_and_nothing_is_spent_meanwhile(tmp_path: Path) -> None:
    """A restored collector shows an earlier bulletin. The client may neither take it yet nor answer its own."""
    server, device = Hasty(), Device(tmp_path)
    for epoch, second in ((0, 0.0), (1, 60.0)):
        device.at(second).renew(server, epoch)
    for hour in range(1, 24 * 7):
        with pytest.raises(Untrusted, match="it is believed in"):
            device.at(3600.0 * hour).renew(server, 0)
        if hour % 40 == 0:
            device.start()
        assert device.held_epoch() is None
    device.at(WEEK + 60.0).renew(server, 0)
    assert device.held_epoch() == 0


def test_a_bulletin_that_could_not_be_fetched_costs_no_turn(tmp_path: Path) -> None:
    server, device = Hasty(), Device(tmp_path)
    device.renew(server, 0)
    server.fails = True
    with pytest.raises(Unreachable):
        device.at(10.0).renew(server, 1)
    server.fails = False
    device.at(20.0).renew(server, 1)
    assert device.held_epoch() == 1


@pytest.mark.parametrize(("hours", "closes", "bulletins"), [(12, False, 4), (12, True, 4), (4, True, 2), (12, None, 1)])
def test_a_date_that_was_once_too_late_silences_nobody_for_good(
    tmp_path: Path, hours: int, closes: bool | None, bulletins: int
) -> None:
    """It is believed, but time goes on from it while the device runs. Planted (None): nobody writes the time down."""
    server, device = Hasty(), Device(tmp_path)
    device.renew(server, 0)
    device.at(500.0 * WEEK).start()
    device.renew(server, 1)
    held = set[int | None]()
    for day in range(1, 43):
        device.at(DAY_SECONDS * day).start()
        for hour in range(1, hours + 1):
            device.at(DAY_SECONDS * day + 3600.0 * hour)
            device.renew(server, 1 + day)
            if closes is False:
                device.ledger.settle()
        if closes:
            device.ledger.close()
        held.add(device.held_epoch())
    assert len(held) == bulletins


def test_three_answers_do_not_come_within_the_time_of_two(tmp_path: Path) -> None:
    """The second that an exchange is written down with is not before it."""
    server, device = Hasty(), Device(tmp_path)
    device.at(0.3).renew(server, 0)
    device.at(0.7).renew(server, 1)
    device.at(WEEK + 0.2).renew(server, 2)
    assert device.held_epoch() == 1
    device.at(WEEK + 1.0).renew(server, 2)
    assert device.held_epoch() == 2


def test_a_restart_after_the_device_slept_exchanges_nothing_early(tmp_path: Path) -> None:
    """Its clock stood still for three weeks, and the date, with which the restart begins, went on."""

    class Sleepy(Days):
        asleep = 0.0

        def now(self) -> float:
            return super().now() + self.asleep

    server, device = Hasty(), Device(tmp_path)
    device.clock = Sleepy()
    device.start()
    for epoch in range(2):
        device.renew(server, epoch)
    device.clock.asleep = 3.0 * WEEK
    for second, epoch in ((WEEK, 2), (WEEK + 60, 2), (2 * WEEK + 1, 4)):
        device.at(second).renew(server, 3 if second == WEEK + 60 else epoch)
        assert device.held_epoch() == epoch
        device.start()


def test_opting_out_and_in_does_not_buy_the_server_another_bulletin(tmp_path: Path) -> None:
    """A new one is shown each time. The planted client, which deletes what it held, takes and answers each of them."""

    def answers(worker_class: type[Worker], folder: Path) -> int:
        clock = Days()
        listener = Listener(TASK, clock)
        environment = Environment(clock, QuickDisk(), SeededWords(1), chance=lambda: 0.5)
        terms = (Ceilings(1.0, 100), Pace(gather=0, renew=900), environment, listener, NoLock())
        worker = worker_class(folder, TASK.id.hex(), "key", *terms)  # type: ignore[arg-type]
        for _ in range(30):
            worker.round()
            worker.take(7)
            worker.round()
            worker.opt_out()
            worker.opt_in()
            listener.tracker.insert(Report(listener.tracker.bulletin.version, 0))
            listener.tracker.seal()
            clock.passed += 1000.0
        return len(listener.seen)

    class Forgetful(Worker):
        def delete_everything(self) -> None:
            self.ledger.page = replace(self.ledger.page, held="", since=-1)
            super().delete_everything()

    folders = tmp_path / "kept", tmp_path / "forgotten"
    for folder in folders:
        folder.mkdir()
    assert answers(Worker, folders[0]) == 2
    assert answers(Forgetful, folders[1]) == 30
