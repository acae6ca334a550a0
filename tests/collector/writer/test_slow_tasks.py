"""A task whose epoch takes long to end keeps nobody else waiting, and loses nothing itself."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path

import pytest

from hgldp.collector.collector import Collector
from hgldp.collector.log.replay import replay
from hgldp.collector.log.task_state import TaskState
from hgldp.collector.problems import Problem, Refused
from hgldp.collector.tokens import digest
from hgldp.collector.views import Receipt, TaskView
from hgldp.collector.writer import WriterThread
from hgldp.collector.writer.pending import PendingUpload
from tests.collector.fakes import HOT, SEARCH, create, now, upload
from tests.patience import PATIENCE


@contextmanager
def opened(folder: Path) -> Iterator[Collector]:
    collector = Collector.open(folder)
    try:
        yield collector
    finally:
        collector.close()


def settled(pending: PendingUpload, seconds: float = PATIENCE) -> object:
    deadline = time.monotonic() + seconds
    while pending.outcome is None and time.monotonic() < deadline:
        time.sleep(0.002)
    return pending.outcome


def fill(collector: Collector, view: TaskView) -> bytes:
    """The ninth report ends the epoch of SEARCH."""
    body = upload(view, 9)
    assert settled(collector.offer(now(collector, view), body)) == Receipt(9)
    return body


def test_others_go_on_while_an_epoch_ends_and_its_own_uploads_wait(tmp_path: Path, released: threading.Event) -> None:
    with opened(tmp_path) as collector:
        slow, quick = create(collector, SEARCH, HOT)
        fill(collector, slow)
        waiting = collector.offer(now(collector, slow), upload(slow, 2))
        for _ in range(20):
            assert settled(collector.offer(now(collector, quick), upload(now(collector, quick), 1))) == Receipt(1)
        assert waiting.outcome is None
        assert now(collector, slow).epoch == 0
        released.set()
        assert settled(waiting) == Receipt(2)
        deadline = time.monotonic() + PATIENCE
        while now(collector, slow).epoch == 0 and time.monotonic() < deadline:
            time.sleep(0.002)
        assert now(collector, slow).epoch == 1
    report = replay(tmp_path)
    assert report.agrees, str(report.difference)
    assert report.reports == 9 + 2 + 20


def test_a_resend_meanwhile_counts_once_and_a_question_gets_its_answer(
    tmp_path: Path, released: threading.Event
) -> None:
    with opened(tmp_path) as collector:
        (slow,) = create(collector, SEARCH)
        body = fill(collector, slow)
        again = collector.offer(now(collector, slow), body)
        asked: list[int] = []
        question = threading.Thread(target=lambda: asked.append(collector.top(slow.id).reports))
        question.start()
        time.sleep(0.05)
        assert (again.outcome, asked) == (None, [])
        released.set()
        assert settled(again) == Receipt(9, duplicate=True)
        question.join(PATIENCE)
        assert asked == [9]
        deadline = time.monotonic() + PATIENCE
        while now(collector, slow).reports == 0 and time.monotonic() < deadline:
            time.sleep(0.002)
        assert now(collector, slow).reports == 9


def test_ended_meanwhile_everything_is_counted(tmp_path: Path, released: threading.Event) -> None:
    collector = Collector.open(tmp_path)
    (slow,) = create(collector, SEARCH)
    fill(collector, slow)
    waiting = collector.offer(now(collector, slow), upload(slow, 2))
    threading.Timer(0.2, released.set).start()
    collector.close()
    assert waiting.outcome == Receipt(2)
    assert replay(tmp_path).reports == 11


def test_commands_wait_for_their_task(tmp_path: Path, released: threading.Event) -> None:
    with opened(tmp_path) as collector:
        (slow,) = create(collector, SEARCH)
        fill(collector, slow)
        closing = threading.Thread(target=collector.close_task, args=(slow.id,))
        closing.start()
        time.sleep(0.05)
        assert now(collector, slow).closed is None
        released.set()
        closing.join(PATIENCE)
        assert now(collector, slow).closed is not None


def test_only_so_much_waits(tmp_path: Path, released: threading.Event, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hgldp.collector.writer.held.HELD_COMMITS", 0)
    with opened(tmp_path) as collector:
        (slow,) = create(collector, SEARCH)
        fill(collector, slow)
        refused = settled(collector.offer(now(collector, slow), upload(slow, 1)))
        assert isinstance(refused, Refused)
        released.set()


def test_an_error_beside_the_writer_is_recovered_from_the_log(
    tmp_path: Path, released: threading.Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    with opened(tmp_path) as collector:
        (slow,) = create(collector, SEARCH)
        honest, failures = TaskState.count, [ZeroDivisionError()]

        def count(self: TaskState, *arguments: object) -> bool:
            if failures and threading.current_thread().name.startswith("hgldp-workshop"):
                raise failures.pop()
            return honest(self, *arguments)  # type: ignore[arg-type]

        monkeypatch.setattr(TaskState, "count", count)
        released.set()
        fill(collector, slow)
        deadline = time.monotonic() + PATIENCE
        while now(collector, slow).epoch == 0 and time.monotonic() < deadline:
            time.sleep(0.01)
        assert (now(collector, slow).epoch, now(collector, slow).reports) == (1, 9)
        assert settled(collector.offer(now(collector, slow), upload(now(collector, slow), 1))) == Receipt(1)


def test_whoever_finds_the_failed_job_first_the_log_is_read_again(
    tmp_path: Path, released: threading.Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A question may be the first to see it: the error is the writer's to mend all the same."""
    with opened(tmp_path) as collector:
        (slow,) = create(collector, SEARCH)
        writer, failures = collector._writer, [MemoryError()]
        honest = TaskState.count

        def count(self: TaskState, *arguments: object) -> bool:
            if failures and threading.current_thread().name.startswith("hgldp-workshop"):
                raise failures.pop()
            return honest(self, *arguments)  # type: ignore[arg-type]

        monkeypatch.setattr(TaskState, "count", count)
        with writer._lock:
            pending = collector.offer(now(collector, slow), upload(slow, 9))
        assert settled(pending) == Receipt(9)
        released.set()
        with suppress(Refused):
            collector.top(slow.id)
        deadline = time.monotonic() + PATIENCE
        while now(collector, slow).epoch == 0 and time.monotonic() < deadline:
            time.sleep(0.01)
        assert (now(collector, slow).epoch, collector.top(slow.id).reports) == (1, 9)
    assert replay(tmp_path).agrees


def test_the_writer_sleeps_while_an_epoch_ends(tmp_path: Path, released: threading.Event) -> None:
    with opened(tmp_path) as collector:
        (slow,) = create(collector, SEARCH)
        steps, honest = [0], collector._writer.step
        fill(collector, slow)

        def step() -> bool:
            steps[0] += 1
            return honest()

        collector._writer.step = step  # type: ignore[method-assign]
        time.sleep(0.5)
        assert steps[0] < 50
        released.set()


def test_a_change_of_a_busy_task_ends_in_time_is_carried_out_later_and_holds_up_no_other(
    tmp_path: Path, released: threading.Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It waited for ever, and whoever wanted to create a task waited with it."""
    with opened(tmp_path) as collector:
        slow, other = create(collector, SEARCH, HOT)
        fill(collector, slow)
        for change in (
            lambda: collector.seal(slow.id),
            lambda: collector.change_task(slow.id, name="Later", write_digest=digest("the new key")),
        ):
            with monkeypatch.context() as hurry:
                hurry.setattr(WriterThread.do, "__defaults__", (0.2,))
                with pytest.raises(Refused) as refused:
                    change()
            assert refused.value.problem is Problem.TASK_BUSY
            assert refused.value.retry_after
        assert collector.find_key("the new key") is None
        collector.change_task(other.id, name="At once")
        create(collector, replace(HOT, k=1))
        released.set()
        deadline = time.monotonic() + PATIENCE
        while collector.find_key("the new key") is None and time.monotonic() < deadline:
            time.sleep(0.002)
        assert collector.find_key("the new key") is not None
        assert now(collector, slow).terms.name == "Later"


def test_a_slow_change_does_not_keep_others_from_changing_their_tasks(
    tmp_path: Path, released: threading.Event
) -> None:
    with opened(tmp_path) as collector:
        slow, other = create(collector, SEARCH, HOT)
        fill(collector, slow)
        waiting = threading.Thread(target=collector.change_task, args=(slow.id,), kwargs={"name": "Later"})
        waiting.start()
        time.sleep(0.1)
        quick = threading.Thread(target=collector.change_task, args=(other.id,), kwargs={"name": "At once"})
        quick.start()
        quick.join(PATIENCE / 4)
        in_time = not quick.is_alive()
        released.set()
        for each in (waiting, quick):
            each.join(PATIENCE)
        assert in_time
        assert now(collector, slow).terms.name == "Later"
