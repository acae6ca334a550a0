"""Several real processes on one folder: together they keep to each budget, whatever is killed in the middle.

Every event has an item of its own, every draw is written down before it is made, and the collector keeps all bytes.
"""

import random
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from hgldp.client import Pace, People
from hgldp.model.budget import Budget
from hgldp.model.domain import RangeDomain
from hgldp.model.task import Task
from hgldp.wire.upload import Upload
from tests.client.hostile_server import HostileServer
from tests.patience import PATIENCE, until

TASK = Task("dsr", Budget(1.0), RangeDomain(10_000_000), k=2, cells=3, other=True)
NAMES = [f"person-{number}@example.org" for number in range(20)]


class Site:
    """A collector, a folder, and worker processes on it."""

    def __init__(self, folder: Path) -> None:
        self.server = HostileServer(TASK)
        self.folder, self.logs = folder / "people", folder / "logs"
        self.logs.mkdir()
        self.workers: list[subprocess.Popen[str]] = []
        self.started = 0

    def start(self, number: int, cap: int, mode: str = "right") -> None:
        """So many more, which begin together."""
        fresh = []
        for _ in range(number):
            terms = [self.server.url, self.server.id, str(self.folder), str(self.logs), str(self.started), str(cap)]
            command = [sys.executable, "-m", "tests.client.people.worker_program", *terms, mode]
            pipe = subprocess.PIPE
            fresh.append(subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True))
            self.started += 1
        for worker in fresh:
            assert worker.stdout is not None
            assert worker.stdout.readline() == "ready\n"
        for worker in fresh:
            assert worker.stdin is not None
            worker.stdin.write("\n")
            worker.stdin.flush()
        self.workers += fresh

    def kill(self, worker: subprocess.Popen[str]) -> None:
        worker.kill()
        worker.communicate()
        self.workers.remove(worker)

    def stop(self) -> list[str]:
        """Let all end in peace; who of them sent."""
        (self.logs / "stop").touch()
        return [worker.communicate(timeout=PATIENCE)[0].strip() for worker in self.workers]

    def close(self) -> None:
        for worker in self.workers:
            worker.kill()
            worker.communicate()
        self.server.close()

    @property
    def counted(self) -> int:
        """How many reports a collector counts, each upload once. Of a request that was cut short it counts nothing."""
        posts = (one for one in self.server.requests if one.method == "POST")
        bodies = {one.body for one in posts if f"content-length: {len(one.body)}\r\n" in one.head.lower()}
        uploads = {Upload.decode(body).id: body for body in bodies}
        assert len(bodies) == len(uploads), "one id with other bytes"
        return sum(Upload.decode(body).count for body in uploads.values())

    @property
    def drawn(self) -> Counter[str]:
        return Counter(line for log in self.logs.glob("drawn-*") for line in log.read_text().splitlines())

    def rest(self) -> People:
        """One more, here, that sends what the others left."""
        pace = Pace(gather=0.01, most_listed=100_000)
        one = People(self.server.url, self.server.id, "k" * 43, folder=self.folder, max_epsilon=1.0, pace=pace)
        one.flush(0)
        until(lambda: one.sends and one.flush(1))  # before it sends, it has nothing left to send
        return one


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    site = Site(tmp_path)
    yield site
    site.close()


def spent_by_three_workers(site: Site, mode: str) -> list[int]:
    """How many reports of each person were drawn, if three workers race for five."""
    site.start(3, 5, mode)
    until(lambda: site.drawn.total() >= 5 * len(NAMES))
    time.sleep(0.3)
    site.stop()
    by_person = Counter(int(item) % len(NAMES) for item in site.drawn)
    return [by_person[number] for number in range(len(NAMES))]


def test_workers_together_keep_to_the_budget_of_each_person_and_one_sends(site: Site) -> None:
    assert spent_by_three_workers(site, "right") == [5] * len(NAMES)
    with site.rest() as people:
        assert site.counted == 5 * len(NAMES)
        assert [people.spent(name).reports for name in NAMES] == [5] * len(NAMES)


def test_a_worker_that_reads_a_ledger_outside_of_its_transaction_would_be_noticed(site: Site) -> None:
    assert max(spent_by_three_workers(site, "old page")) > 5


def test_a_worker_that_is_killed_spends_nothing_twice_and_loses_nothing_that_was_queued(site: Site) -> None:
    chance = random.Random(1)
    for _ in range(6):
        site.start(3 - len(site.workers), 100_000)
        before = site.drawn.total()
        until(lambda before=before: site.drawn.total() > before + 40)
        time.sleep(chance.uniform(0, 0.5))
        site.kill(chance.choice(site.workers))
        if chance.random() < 0.5:
            site.kill(chance.choice(site.workers))
    assert site.stop().count("True") <= 1
    drawn = site.drawn
    assert drawn.total() > 200, "they did next to nothing"
    assert max(drawn.values()) == 1, "an event was drawn twice"
    with site.rest() as people:
        spent = sum(people.spent(name).reports for name in NAMES)
        sent = sum(len(people.what_was_sent(name)) for name in NAMES)
    assert sent == site.counted, "what was queued did not arrive, or arrived twice"
    assert site.counted <= drawn.total() <= spent, "drawn before it was reserved"
    assert site.counted > drawn.total() / 2


def test_another_worker_sends_when_the_one_that_sent_is_killed(site: Site) -> None:
    site.start(1, 100_000)
    until(lambda: site.counted > 0)
    first = site.workers[0]
    site.start(1, 100_000)
    site.kill(first)
    before = len(site.server.uploads)
    until(lambda: len(site.server.uploads) > before + 3)
    assert site.stop() == ["True"]


def test_the_database_is_readable_by_its_owner_only(site: Site) -> None:
    with site.rest():
        modes = {path.name: path.stat().st_mode & 0o077 for path in site.folder.iterdir() if path.is_file()}
    assert "people.db-wal" in modes
    assert set(modes.values()) == {0}


def test_a_ledger_that_somebody_changed_grants_nothing_and_hurts_nobody_else(site: Site) -> None:
    with site.rest() as people:
        assert people.report("ann", 1)
        assert people.report("bob", 1)
        assert people.flush(10)
    change = """UPDATE people SET page = CAST(replace(CAST(page AS TEXT), '"reports": 1', '"reports": 0') AS BLOB)
        WHERE person = (SELECT min(person) FROM people)"""
    rows = sqlite3.connect(site.folder / "people.db", isolation_level=None)
    assert rows.execute(change).rowcount == 1
    rows.close()
    with site.rest() as people:
        outcomes = {people.report(name, 1).name for name in ("ann", "bob")}
    assert outcomes == {"TAKEN", "BROKEN"}
