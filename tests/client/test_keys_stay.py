"""Where a task promises to keep its keys for a time, the client sees to it, whatever the server shows."""

import json
from pathlib import Path

import pytest

from hgldp.client import BulletinCache, Disk
from hgldp.client.environment import Environment
from hgldp.client.pace import Pace
from hgldp.client.sending.transport import Untrusted
from hgldp.client.spending.ceilings import Ceilings
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


def cache(folder: Path, now: float, stays: float = TASK.bulletin_seconds) -> BulletinCache:
    path, scheme = folder / "bulletin", scheme_of(TASK)
    found = BulletinCache(Disk(), path, TASK.id.hex(), scheme, most_age=86_400.0, stays=stays)
    found.load(now)
    return found


def answered(folder: Path, hours: int, stays: float = TASK.bulletin_seconds, restart_every: int = 10**9) -> list[float]:
    """The hours at which the client had another bulletin than the hour before."""
    server, seen, times = Hasty(), "", []
    bulletins = cache(folder, 0.0, stays)
    for hour in range(hours):
        now, server.epoch = 3600.0 * hour, hour
        if hour and hour % restart_every == 0:
            bulletins = cache(folder, now, stays)
        bulletins.renew(server, now)
        held = bulletins.fresh(now)
        assert held is not None
        if held.version != seen:
            seen = held.version
            times.append(now)
    return times


@pytest.mark.parametrize("restart_every", [10**9, 1, 50])
def test_a_client_takes_one_new_bulletin_a_week_through_restarts_too(tmp_path: Path, restart_every: int) -> None:
    times = answered(tmp_path, 24 * 40, restart_every=restart_every)
    assert times == [0.0, 3600.0, *(3600.0 + WEEK * week for week in range(1, 6))]
    assert len(times) <= reports_within(40 * DAY_SECONDS, "week")


def test_the_planted_client_that_always_follows_takes_each_of_them(tmp_path: Path) -> None:
    assert len(answered(tmp_path, 24 * 40, stays=0.0)) == 24 * 40


def test_a_server_that_goes_back_is_waited_for_and_nothing_is_spent_meanwhile(tmp_path: Path) -> None:
    """A restored collector shows an earlier bulletin. The client may neither take it yet nor answer its own."""
    server, bulletins = Hasty(), cache(tmp_path, 0.0)
    for epoch, now in ((0, 0.0), (1, 60.0)):
        server.epoch = epoch
        bulletins.renew(server, now)
    server.epoch = 0
    for hour in range(1, 24 * 7):
        now = 3600.0 * hour
        with pytest.raises(Untrusted, match="it is believed in"):
            bulletins.renew(server, now)
        if hour % 40 == 0:
            bulletins = cache(tmp_path, now)
        assert bulletins.fresh(now) is None
    bulletins.renew(server, WEEK + 60.0)
    held = bulletins.fresh(WEEK + 60.0)
    assert held is not None
    assert held.epoch == 0


def test_a_bulletin_that_could_not_be_fetched_costs_no_turn(tmp_path: Path) -> None:
    server, bulletins = Hasty(), cache(tmp_path, 0.0)
    bulletins.renew(server, 0.0)
    server.epoch, server.fails = 1, True
    with pytest.raises(Unreachable):
        bulletins.renew(server, 10.0)
    server.fails = False
    bulletins.renew(server, 20.0)
    held = bulletins.fresh(20.0)
    assert held is not None
    assert held.epoch == 1


def test_a_clock_that_was_set_back_delays_a_change_and_never_brings_one_forward(tmp_path: Path) -> None:
    server, bulletins = Hasty(), cache(tmp_path, 0.0)
    for epoch, now in ((0, 0.0), (1, 5.0 * WEEK)):
        server.epoch = epoch
        bulletins.renew(server, now)
    server.epoch = 2
    again = cache(tmp_path, 1.0 * WEEK)
    again.renew(server, 1.0 * WEEK)
    again.renew(server, 2.0 * WEEK - 1)
    held = again.fresh(2.0 * WEEK - 1)
    assert held is not None
    assert held.epoch == 1
    again.renew(server, 2.0 * WEEK)
    held = again.fresh(2.0 * WEEK)
    assert held is not None
    assert held.epoch == 2


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
            super().delete_everything()
            (self.agreement._folder / "bulletin").unlink(missing_ok=True)

    folders = tmp_path / "kept", tmp_path / "forgotten"
    for folder in folders:
        folder.mkdir()
    assert answers(Worker, folders[0]) == 2
    assert answers(Forgetful, folders[1]) == 30
