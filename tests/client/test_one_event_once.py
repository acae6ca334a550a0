"""One event never spends ε twice, whatever crashes, full disks, lost answers, wrong clocks and restarts happen.

Every event has a number of its own, and every draw is written down by the test. After each step: no event was drawn
twice, the ledger on the disk holds at least as many reports as were ever drawn, one upload id has one sequence of
bytes, and the caps held. Planted bugs at the end show that the machine would notice.
"""

from pathlib import Path
from unittest.mock import patch

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import invariant, precondition, rule, run_state_machine_as_test

from hgldp.client.environment import Disk
from hgldp.client.pace import Pace
from hgldp.client.sending.outbox import Waiting
from hgldp.client.spending.ceilings import Ceilings
from hgldp.client.spending.ledger import Ledger
from hgldp.client.spending.page import HOUR_SECONDS, LedgerDamaged, Page
from hgldp.client.worker import Worker
from hgldp.model.budget import Budget
from hgldp.model.domain import RangeDomain
from hgldp.model.task import Task
from hgldp.system.clock import DAY_SECONDS
from hgldp.system.folder_lock import FolderLock
from hgldp.wire.upload import Upload
from tests.client.crash_disk import CrashDisk
from tests.client.device import MANY, UNTIL_FOUND, Device, WrongClock

TASK = Task("dsr", Budget(1.0, "user", 60, division="budget"), RangeDomain(100_000), k=2, cells=3, other=True)
PER_DAY = 20


class Client(Device):
    task = TASK
    pace = Pace(gather=0, renew=900, keep=2 * DAY_SECONDS, most_uploads=4, most_listed=3)
    ceilings = Ceilings(1.0, PER_DAY, most_batch=3)

    @rule(events=st.integers(1, 5))
    def report(self, events: int) -> None:
        for _ in range(events):
            self.events += 1
            self.worker.take(self.events)

    @rule(seconds=st.sampled_from([1, 60, 3601, DAY_SECONDS // 2, DAY_SECONDS]))
    def time_passes(self, seconds: int) -> None:
        self.clock.passed += seconds
        self.clock.date += seconds

    @precondition(lambda self: self.events)
    @rule(lost=st.floats(0, 1), fuse=st.none() | st.integers(0, 20))
    def opt_out_and_in(self, lost: float, fuse: int | None) -> None:
        self.disk.fuse, self.disk.power_fails = fuse, True
        self._surviving(self.worker.opt_out, lost)
        if self.worker.ledger.page.opted_out:
            assert not len(self.worker.queue)
        self._surviving(self.worker.opt_in, lost)

    @invariant()
    def what_left_was_drawn_and_what_was_drawn_is_on_the_ledger(self) -> None:
        left = sum(Upload.decode(next(iter(bodies))).count for bodies in self.wire.seen.values())
        assert left <= self.drawn.total() <= Page.decode((self.folder / "ledger").read_bytes()).reports

    @invariant()
    def the_caps_held_whatever_the_clock_said(self) -> None:
        days = 2 + int(self.clock.passed // DAY_SECONDS)
        assert self.drawn.total() <= min(TASK.budget.events, PER_DAY * days)


def test_one_event_never_spends_twice() -> None:
    run_state_machine_as_test(Client, settings=MANY)


def sweep(client_class: type[Client]) -> int:
    """The same short story again and again, with the fault at every step of the disk in turn; how many stories."""
    stories = 0
    for power_fails, lost in ((False, 0.0), (True, 0.0), (True, 1.0)):
        for fuse in range(50):
            client = client_class()
            try:
                client.report(4)
                client.wire_lapses("answer lost")
                client.round(lost, fuse, power_fails)
                client.report(2)
                client.round(lost, None, power_fails)
                client.wire_lapses("none")
                client.time_passes(60)
                client.the_power_fails(lost, None)
                client.round(lost, None, power_fails)
                for holds in (
                    client.no_event_or_period_was_drawn_twice,
                    client.one_upload_id_has_one_sequence_of_bytes,
                ):
                    holds()
                client.what_left_was_drawn_and_what_was_drawn_is_on_the_ledger()
                assert not len(client.worker.queue)
                stories += 1
            finally:
                client.teardown()
    return stories


def test_a_fault_at_any_step_of_the_disk_repeats_nothing() -> None:
    assert sweep(Client) == 150


def test_without_faults_every_event_within_the_caps_arrives_exactly_once() -> None:
    """Otherwise a client that never sends would pass."""
    client = Client()
    try:
        client.report(5)
        client.worker.round()
        assert client.drawn == dict.fromkeys(range(1, 6), 1)
        assert sum(Upload.decode(body).count for bodies in client.wire.seen.values() for body in bodies) == 5
        assert len(client.wire.counted) == 2
    finally:
        client.teardown()


class DrawsBeforeItReserves(Worker):
    def _draw(self, events, bulletin, agreed, now) -> None:
        codes = [self.agreement.code_of(event) for event in events]
        symbols = [agreed.randomizer.report_code(code, bulletin).symbol for code in codes]
        if self.ledger.reserve(len(events), agreed.caps) == len(events):
            upload = Upload.of(self._entropy(16), bytes.fromhex(bulletin.version), symbols, 4)
            self.queue.put(upload.encode(), int(now))


class TriesAgainAfterAFullDisk(Worker):
    def randomise(self, now: float) -> None:
        kept = list(self.inbox._events)
        try:
            super().randomise(now)
        except OSError:
            self.inbox._events.extend(kept)
            raise


class DrawsAgainWhenItResends(Worker):
    def deliver(self, now: float) -> None:
        read = self.queue.read

        def another(one: Waiting) -> bytes | None:
            body = read(one)
            self.tries = getattr(self, "tries", 0) + 1
            return body and body[:56] + bytes([self.tries % 4]) + body[57:]

        with patch.object(self.queue, "read", another):
            super().deliver(now)


class ForgetsWhatWasSpent(Worker):
    def round(self) -> None:
        self.ledger.page = Page(self.ledger.page.task)
        super().round()


class LazyDisk(CrashDisk):
    def sync_folder(self, folder: Path) -> None:
        """Leaves names to chance."""


class HalfDisk(CrashDisk):
    write = CrashDisk.create  # in place: a crash leaves half a ledger


BUGS = [
    DrawsBeforeItReserves,
    TriesAgainAfterAFullDisk,
    DrawsAgainWhenItResends,
    ForgetsWhatWasSpent,
    LazyDisk,
    HalfDisk,
]


@pytest.mark.parametrize("bug", BUGS)
def test_a_planted_bug_would_be_noticed(bug: type) -> None:
    part = "disk_class" if issubclass(bug, Disk) else "worker_class"
    planted = type("Planted", (Client,), {part: bug})
    with pytest.raises((AssertionError, LedgerDamaged)):
        sweep(planted)


def test_the_machine_would_notice_names_that_never_reach_the_medium() -> None:
    with pytest.raises((AssertionError, LedgerDamaged)):
        run_state_machine_as_test(type("Planted", (Client,), {"disk_class": LazyDisk}), settings=UNTIL_FOUND)


def test_a_date_set_forward_between_two_runs_grants_one_day_and_no_more(tmp_path: Path) -> None:
    """Two runs share nothing but the date; so this is the most that a false one can win."""
    clock, caps = WrongClock(), Ceilings(1.0, 3).caps(Task("dsr", Budget(1.0), RangeDomain(10), k=1))
    granted = 0
    for jump in (0, 1000 * DAY_SECONDS, -2000 * DAY_SECONDS, 1500 * DAY_SECONDS, -400 * DAY_SECONDS):
        clock.date += jump
        lock = FolderLock(tmp_path)
        ledger = Ledger(Disk(), tmp_path / "ledger", "t", clock, lock)
        for step in (0, 5 * DAY_SECONDS, -5 * DAY_SECONDS):
            clock.date += step
            granted += ledger.reserve(100, caps)
        if jump != -400 * DAY_SECONDS:
            lock.release()
    assert granted == 6
    clock.passed += DAY_SECONDS + HOUR_SECONDS
    assert ledger.reserve(100, caps) == 3
