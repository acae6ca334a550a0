"""Whoever answers once in the server's place can show any bulletin; a client recovers, and going back stays dear."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from hgldp.client import BulletinCache, Disk, Reporter
from hgldp.client.sending.transport import Untrusted
from hgldp.model.bulletins import Bulletin
from hgldp.schemes.registry import scheme_of
from hgldp.system.http import Answer
from hgldp.wire.upload import Upload
from tests.client.conftest import QUICK, TASK
from tests.client.hostile_server import HostileServer, answer
from tests.patience import PATIENCE, until

Make = Callable[..., Reporter]
LAST = (1 << 63) - 1
HOUR = 3600.0


def bulletin(epoch: int, hot: tuple[int, ...] = (0, 1, 2)) -> Bulletin:
    return Bulletin(TASK.id, epoch, 7, hot)


class Shown:
    """A server that shows one bulletin."""

    def __init__(self, epoch: int = 3) -> None:
        self.current = bulletin(epoch)

    def get(self, path: str, most_bytes: int = 0) -> Answer:
        found = self.current
        if path.startswith("/v1/bulletins/"):
            return Answer(200, found.canonical)
        fields = {"task": TASK.id.hex(), "bulletin": found.version, "epoch": found.epoch, "max_age": 60}
        return Answer(200, json.dumps(fields).encode())


@pytest.fixture
def shown() -> Shown:
    return Shown()


def cache(folder: Path) -> BulletinCache:
    found = BulletinCache(Disk(), folder / "bulletin", TASK.id.hex(), scheme_of(TASK), most_age=86_400.0)
    found.load(0.0)
    return found


def refused(bulletins: BulletinCache, shown: Shown, now: float) -> None:
    with pytest.raises(Untrusted, match="it is believed in"):
        bulletins.renew(shown, now)
    assert bulletins.fresh(now) is None


@pytest.mark.parametrize("forged", [bulletin(LAST), bulletin(4), bulletin(3, (2, 1, 0))])
def test_after_one_forgery_the_honest_bulletin_is_believed_within_an_hour(
    tmp_path: Path, shown: Shown, forged: Bulletin
) -> None:
    bulletins, honest = cache(tmp_path), shown.current
    shown.current = forged
    bulletins.renew(shown, 0.0)
    assert bulletins.fresh(1.0) == forged
    shown.current = honest
    for minute in range(1, 61):
        refused(bulletins, shown, 60.0 * minute)
    bulletins.renew(shown, 61 * 60.0)
    assert bulletins.fresh(61 * 60.0) == honest
    assert bulletins.trusted


def test_the_hour_begins_with_the_contradiction_so_that_silence_before_it_buys_nothing(
    tmp_path: Path, shown: Shown
) -> None:
    bulletins = cache(tmp_path)
    bulletins.renew(shown, 0.0)
    shown.current = bulletin(2)
    refused(bulletins, shown, 100 * HOUR)
    refused(bulletins, shown, 101 * HOUR - 1)
    bulletins.renew(shown, 101 * HOUR + 1)
    assert bulletins.fresh(101 * HOUR + 1) == bulletin(2)


def test_a_server_that_takes_it_back_starts_the_hour_again(tmp_path: Path, shown: Shown) -> None:
    bulletins, honest = cache(tmp_path), shown.current
    bulletins.renew(shown, 0.0)
    for start in (0.0, 10 * HOUR):
        shown.current = bulletin(1)
        refused(bulletins, shown, start + 1)
        refused(bulletins, shown, start + HOUR)
        shown.current = honest
        bulletins.renew(shown, start + HOUR)
        assert bulletins.fresh(start + HOUR) == honest


def test_every_step_back_costs_an_hour(tmp_path: Path, shown: Shown) -> None:
    bulletins = cache(tmp_path)
    bulletins.renew(shown, 0.0)
    now = 0.0
    for epoch in (2, 1, 0):
        shown.current = bulletin(epoch)
        refused(bulletins, shown, now + 1)
        refused(bulletins, shown, now + HOUR)
        now += HOUR + 1
        bulletins.renew(shown, now)
        assert bulletins.fresh(now) == shown.current


def test_a_restart_neither_ends_the_doubt_nor_prolongs_it(tmp_path: Path, shown: Shown) -> None:
    first, honest = cache(tmp_path), shown.current
    shown.current = bulletin(LAST)
    first.renew(shown, 0.0)
    shown.current = honest
    refused(first, shown, 10.0)
    second = BulletinCache(Disk(), tmp_path / "bulletin", TASK.id.hex(), scheme_of(TASK), most_age=86_400.0)
    second.load(20.0)
    assert not second.trusted
    assert second.fresh(20.0) is None
    refused(second, shown, HOUR)
    second.renew(shown, HOUR + 10)
    assert second.fresh(HOUR + 10) == honest


def test_a_reporter_sends_again_after_a_forged_last_epoch(make: Make, server: HostileServer) -> None:
    forged = bulletin(LAST)
    lies = {
        f"/v1/tasks/{server.id}/bulletin": lambda _: answer(200, server.notice(bulletin=forged.version, epoch=LAST)),
        "/v1/bulletins/": lambda _: answer(200, forged.canonical),
    }
    server.lies = lies
    reporter = make(pace=replace(QUICK, renew=0.03, doubt=0.5))
    until(lambda: reporter.status().state == "ready")
    server.lies = {}
    until(lambda: "must not be older" in reporter.status().reason)
    assert reporter.status().state == "suspended"
    assert reporter.report("tea")
    assert server.uploads == []
    until(lambda: reporter.status().state == "ready")
    assert reporter.flush(PATIENCE)
    assert [Upload.decode(body).bulletin.hex() for body in server.uploads] == [server.tracker.bulletin.version]
