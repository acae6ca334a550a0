"""Generated lives of a collector: uploads, resends, lost requests and answers, kills, full disks, clock steps.

After each step the counts are exactly right against a model that is a dictionary. Hypothesis shrinks a failing life and
keeps it in its database, so that it is tried first the next time.
"""

import os
import shutil
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from hgldp.collector.log import recovery
from hgldp.collector.log.replay import replay
from hgldp.collector.log.task_state import TaskState
from hgldp.collector.log.upload_ids import UploadIds
from hgldp.collector.problems import Problem, Refused
from hgldp.collector.views import Receipt, TaskView
from hgldp.collector.writer import checkpoints, housekeeping
from hgldp.collector.writer.pending import PendingUpload
from hgldp.errors import HgldpError, StorageFailed
from hgldp.schemes.base import RETAINED
from hgldp.tracker import Tracker
from tests.collector.fakes import TASKS, FakeClock, FaultyStorage, Killed, create, log_of, now, open_by_hand, upload

LIVES = int(os.environ.get("HGLDP_LIVES", "10"))
KEPT_HOURS, KEPT_DAYS = (1, 2, 0), (1, 0, 0)
tasks = st.integers(0, len(TASKS) - 1)


class Life(RuleBasedStateMachine):
    """`counted` is the model: upload id → reports, by task. `sent` is all bytes that any client ever sent."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp(prefix="life-"))
        self.clock = FakeClock()
        self.counted: list[dict[bytes, int]] = [{} for _ in TASKS]
        self.sent: list[tuple[int, bytes]] = []
        self.queued: list[tuple[int, bytes, PendingUpload]] = []
        self.closed = [False] * len(TASKS)
        self.published: dict[str, bytes] = {}

    @initialize()
    def begin(self) -> None:
        self.collector = open_by_hand(self.folder, self.clock)
        self.views = [
            view
            for task, hours, days in zip(TASKS, KEPT_HOURS, KEPT_DAYS, strict=True)
            for view in create(self.collector, task, reports_kept_hours=hours, results_kept_days=days)
        ]

    def teardown(self) -> None:
        try:
            if hasattr(self, "views"):
                self.die()
                report = replay(self.folder)
                assert report.agrees, str(report.difference)
                assert report.reports + report.earlier == sum(sum(each.values()) for each in self.counted)
        finally:
            shutil.rmtree(self.folder)

    @property
    def storage(self) -> FaultyStorage:
        assert isinstance(self.collector.storage, FaultyStorage)
        return self.collector.storage

    @rule(task=tasks, reports=st.sampled_from([1, 1, 1, 2, 5, 20]), age=st.integers(0, RETAINED - 1))
    def send(self, task: int, reports: int, age: int) -> None:
        view = now(self.collector, self.views[task])
        bulletins = view.bulletins
        body = upload(view, reports, bulletins[max(0, len(bulletins) - 1 - age)], seed=len(self.sent))
        self.sent.append((task, body))
        self.offer(task, body)

    @rule(task=tasks)
    def request_is_lost(self, task: int) -> None:
        self.sent.append((task, upload(now(self.collector, self.views[task]), 1, seed=len(self.sent))))

    @precondition(lambda self: self.sent)
    @rule(which=st.integers(0, 10**6))
    def send_again(self, which: int) -> None:
        """After a lost answer, or out of malice: identical bytes."""
        self.offer(*self.sent[which % len(self.sent)])

    def offer(self, task: int, body: bytes) -> None:
        view = now(self.collector, self.views[task])
        accepted = {bytes.fromhex(each.version) for each in view.bulletins}
        if body[20:52] in accepted:
            self.queued.append((task, body, self.collector.offer(view, body)))
        else:
            with pytest.raises(Refused, match="no longer accepted"):
                self.collector.offer(view, body)

    @rule()
    def commit(self) -> None:
        self.collector.step()
        self.settle()

    @rule()
    def commit_fails(self) -> None:
        self.storage.fault = "full"
        self.collector.step()
        self.storage.fault = ""
        self.settle()

    def settle(self) -> None:
        """The model's half: whoever was told 'accepted' is counted once, whoever was refused is not."""
        for task, body, pending in self.queued:
            upload_id, model = body[4:20], self.counted[task]
            if isinstance(pending.outcome, Receipt):
                assert pending.outcome.duplicate == (upload_id in model)
                assert pending.outcome.accepted == int.from_bytes(body[52:56], "big")
                model[upload_id] = pending.outcome.accepted
            else:
                assert pending.outcome is not None
                problem = pending.outcome.problem
                assert problem in (Problem.STORAGE_FULL, Problem.BULLETIN_TOO_OLD, Problem.TASK_CLOSED)
                assert upload_id not in model or problem is not Problem.TASK_CLOSED
        self.queued = []

    @rule(after=st.booleans())
    def is_killed(self, after: bool) -> None:
        """In the middle of a commit: before it, nothing of it happened; after it, all of it did and nobody knows."""
        self.storage.fault = "killed after" if after else "killed before"
        try:
            self.collector.step()
        except Killed:
            if after:
                self.count_what_was_new()
        else:
            self.settle()
        self.die()
        self.collector = open_by_hand(self.folder, self.clock)

    def count_what_was_new(self) -> None:
        for task, body, _ in self.queued:
            accepted = {bytes.fromhex(each.version) for each in now(self.collector, self.views[task]).bulletins}
            if not self.closed[task] and body[20:52] in accepted:
                self.counted[task].setdefault(body[4:20], int.from_bytes(body[52:56], "big"))

    def die(self) -> None:
        self.queued = []
        self.storage.close()
        self.collector._lock.release()

    @rule()
    def restarts(self) -> None:
        self.collector.close()
        self.settle()
        self.collector = open_by_hand(self.folder, self.clock)

    @rule(seconds=st.sampled_from([0.5, 59.0, 61.0, 90_000.0]))
    def time_passes(self, seconds: float) -> None:
        self.clock.advance(seconds)

    @rule(seconds=st.sampled_from([-90_000.0, -3600.0, 3600.0, 90_000.0]))
    def clock_is_set(self, seconds: float) -> None:
        self.clock.wall += seconds

    @rule(task=tasks, fails=st.booleans())
    def epoch_ends(self, task: int, fails: bool) -> None:
        self.ask(self.collector.seal, task, fails)

    @precondition(lambda self: len(self.sent) > 3)
    @rule(task=tasks, fails=st.booleans())
    def task_ends(self, task: int, fails: bool) -> None:
        if self.ask(self.collector.close_task, task, fails):
            self.closed[task] = True

    def ask(self, command: Callable[[bytes], None], task: int, fails: bool) -> bool:
        self.storage.fault = "full" if fails else ""
        refused = None
        try:
            command(self.views[task].id)
        except Refused as why:
            refused = why.problem
        self.storage.fault = ""
        self.settle_if_stepped()
        assert refused is (Problem.TASK_CLOSED if self.closed[task] else Problem.STORAGE_FULL if fails else None)
        return refused is None

    def settle_if_stepped(self) -> None:
        if all(pending.outcome is not None for _, _, pending in self.queued):
            self.settle()

    @invariant()
    def counts_are_exact(self) -> None:
        if not hasattr(self, "views"):
            return
        for task, first in enumerate(self.views):
            view, model = now(self.collector, first), self.counted[task]
            log = log_of(self.collector, view)
            assert dict(log).items() <= model.items()
            assert len(log) == len(dict(log))
            assert KEPT_HOURS[task] or len(log) == len(model)
            assert view.reports == sum(model.values())
            assert (view.closed is not None) == self.closed[task]
            assert 0 <= view.in_epoch < view.epoch_length
            if not KEPT_DAYS[task]:
                self.bulletins_stay(view)

    def bulletins_stay(self, view: TaskView) -> None:
        for each in view.bulletins:
            self.published[each.version] = each.canonical
        for version, canonical in self.published.items():
            assert self.collector.bulletin_bytes(version) == canonical


def live(**chosen: Any) -> None:
    """With a checkpoint after every few entries and old reports deleted at once: lives of forty steps see both."""
    shared = {"stateful_step_count": 40, "deadline": None, "suppress_health_check": list(HealthCheck)}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(checkpoints, "MOST_ENTRIES", 3)
        patch.setattr(housekeeping, "ROUND_SECONDS", 0.0)
        run_state_machine_as_test(Life, settings=settings(**shared | chosen))  # type: ignore[arg-type]


def test_counts_are_exact_whatever_happens() -> None:
    live(max_examples=LIVES, derandomize="HGLDP_LIVES" not in os.environ)


def acknowledge_first(patch: pytest.MonkeyPatch) -> None:
    honest = FaultyStorage.write

    def write(self: FaultyStorage, transaction: Any) -> None:
        with suppress(StorageFailed):
            honest(self, transaction)

    patch.setattr(FaultyStorage, "write", write)


def forget_ids_at_restart(patch: pytest.MonkeyPatch) -> None:
    honest = recovery.recover_task

    def recovered(*arguments: Any) -> TaskState:
        state = honest(*arguments)
        state.upload_ids = UploadIds(state.row.number, bytes(16))
        return state

    patch.setattr(recovery, "recover_task", recovered)


def count_the_sealed_part_again(patch: pytest.MonkeyPatch) -> None:
    """In a scheme that cannot write its open epoch down."""
    honest = TaskState.apply
    patch.setattr(Tracker, "open_epoch", lambda _: None)
    patch.setattr(TaskState, "apply", lambda self, entry, consumed=0: honest(self, entry))


def forget_the_open_epoch(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Tracker, "reopen", lambda *_: None)


def count_again_what_a_snapshot_holds(patch: pytest.MonkeyPatch) -> None:
    honest = FaultyStorage.entries
    patch.setattr(FaultyStorage, "entries", lambda self, task=None, first=0: honest(self, task, first - 1))


def forget_ids_with_the_reports(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(UploadIds, "save", lambda *_: None)


def forget_that_it_is_closed(patch: pytest.MonkeyPatch) -> None:
    honest = recovery.recover_task

    def recovered(*arguments: Any) -> TaskState:
        state = honest(*arguments)
        state.closed = None
        return state

    patch.setattr(recovery, "recover_task", recovered)


@pytest.mark.parametrize(
    "plant",
    [
        acknowledge_first, forget_ids_at_restart, forget_ids_with_the_reports, count_the_sealed_part_again,
        forget_that_it_is_closed, forget_the_open_epoch, count_again_what_a_snapshot_holds,
    ],
)  # fmt: skip
def test_planted_bugs_are_found(plant: Callable[[pytest.MonkeyPatch], None], monkeypatch: pytest.MonkeyPatch) -> None:
    plant(monkeypatch)
    once = {"phases": [Phase.generate], "report_multiple_bugs": False, "database": None, "derandomize": True}
    with pytest.raises((AssertionError, KeyError, HgldpError)):
        live(max_examples=200, **once)
