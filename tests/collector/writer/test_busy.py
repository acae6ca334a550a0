"""What is done beside the writer, what waits for it, and in which portions that is written afterwards."""

import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from hgldp.collector.collector import Collector
from hgldp.collector.log.entry import RUN, SEAL, Entry, run_entry
from hgldp.collector.log.replay import replay
from hgldp.collector.log.task_state import TaskState
from hgldp.collector.problems import Refused
from hgldp.collector.settings import Limits
from hgldp.collector.views import Receipt, TaskView
from hgldp.collector.writer import DELETE, Command
from hgldp.collector.writer.workshop import Job
from tests.collector.fakes import HOT, SEARCH, FakeClock, create, open_by_hand, start, upload
from tests.patience import PATIENCE

LIMITS = Limits(group_uploads=3, group_bytes=1000)


@pytest.fixture
def collector(tmp_path: Path, released: threading.Event) -> Iterator[Collector]:
    """Stepped by hand, but with threads beside the writer."""
    collector = open_by_hand(tmp_path, FakeClock(), LIMITS)
    collector._writer._workshop.open(lambda: None)
    yield collector
    released.set()
    collector.close()


def ask(collector: Collector, view: TaskView, kind: int) -> Command:
    command = Command(task=view.number, kind=kind)
    collector._writer._queue.put_command(command)
    return command


def job_of(collector: Collector, view: TaskView) -> Job | None:
    return collector._writer._writer.busy().get(view.number)


def make_busy(collector: Collector, view: TaskView) -> Job:
    """The ninth report ends the epoch of SEARCH."""
    collector.offer(view, upload(view, 9))
    collector.step()
    job = job_of(collector, view)
    assert job is not None
    return job


def test_a_seal_together_with_the_first_reports_of_its_epoch_is_done_beside_the_writer(collector: Collector) -> None:
    (slow,) = create(collector, SEARCH)
    collector.offer(slow, upload(slow, 2))
    ask(collector, slow, SEAL)
    collector.step()
    assert job_of(collector, slow) is not None


def run_of(state: TaskState, reports: int) -> Entry:
    version = bytes.fromhex(state.bulletin.version)
    symbols = bytes(reports * state.formats[version].width)
    return run_entry(1, 1, 0.0, 1, version, [bytes(16)], [reports], [symbols])


def test_entries_seal_if_they_do_together() -> None:
    state = start(SEARCH)
    few, most, seal, late = run_of(state, 4), run_of(state, 5), Entry(2, 1, 0.0, 1, SEAL), Entry(3, 1, 0.0, 1, RUN)
    assert not state.seals([])
    assert not state.seals([few, few])
    assert not state.seals([late, seal])
    assert state.seals([few, most])
    assert state.seals([few, seal])
    state.count(few)
    assert state.seals([most])
    assert state.seals([seal])


def test_a_task_is_deleted_while_another_ends_its_epoch(collector: Collector) -> None:
    slow, quick = create(collector, SEARCH, HOT)
    job = make_busy(collector, slow)
    collector.delete_task(quick.id)
    assert not job.done.is_set()
    assert collector.view(quick.id) is None


def test_a_task_is_deleted_together_with_the_reports_that_end_its_epoch(
    collector: Collector, released: threading.Event, tmp_path: Path
) -> None:
    slow, quick = create(collector, SEARCH, HOT)
    last = collector.offer(slow, upload(slow, 9))
    command = ask(collector, slow, DELETE)
    collector.step()
    assert (last.outcome, command.done.is_set(), command.failure) == (Receipt(9), True, None)
    assert job_of(collector, slow) is None
    released.set()
    pending = collector.offer(quick, upload(quick, 1))
    collector.step()
    assert (pending.outcome, collector.ready) == (Receipt(1), True)
    assert [view.id for view in collector.tasks()] == [HOT.id]
    with pytest.raises(Refused):
        collector._writer.copy_of(slow.number)
    assert replay(tmp_path).agrees


def test_what_was_held_is_written_in_order_one_commit_at_a_time(
    collector: Collector, released: threading.Event
) -> None:
    slow, quick = create(collector, SEARCH, HOT)
    job = make_busy(collector, slow)
    held = []
    for _ in range(4):
        held += [collector.offer(slow, upload(slow, 1)) for _ in range(2)]
        collector.step()
    assert collector.backlog.uploads == 8
    released.set()
    job.done.wait(PATIENCE)
    other = collector.offer(quick, upload(quick, 1))
    settled, began = [], time.monotonic()
    for _ in range(4):
        collector._writer._queue.wait(PATIENCE)
        assert collector.step()
        settled.append((sum(pending.outcome == Receipt(1) for pending in held), other.outcome))
    assert settled == [(3, None), (6, None), (8, None), (8, Receipt(1))]
    assert not collector.step()
    assert time.monotonic() - began < PATIENCE
    ids = [each for entry in collector.storage.entries(slow.number) for each in entry.upload_ids]
    assert ids[1:] == [pending.id for pending in held]


def test_one_commit_of_what_was_held_has_so_many_bytes(collector: Collector, released: threading.Event) -> None:
    (slow,) = create(collector, SEARCH)
    job = make_busy(collector, slow)
    size = 1000 // slow.formats[bytes.fromhex(slow.bulletin.version)].width
    held = [collector.offer(slow, upload(slow, size)) for _ in range(2)]
    collector.step()
    collector.step()
    released.set()
    job.done.wait(PATIENCE)
    collector.step()
    assert [pending.outcome for pending in held] == [Receipt(size), None]


def test_a_command_of_a_busy_task_is_not_kept_waiting_by_what_is_held(
    collector: Collector, released: threading.Event
) -> None:
    (slow,) = create(collector, SEARCH)
    job = make_busy(collector, slow)
    for _ in range(4):
        collector.offer(slow, upload(slow, 1))
    command = ask(collector, slow, DELETE)
    collector.step()
    collector.step()
    assert not command.done.is_set()
    released.set()
    job.done.wait(PATIENCE)
    collector.step()
    assert (command.done.is_set(), command.failure) == (True, None)
    assert len(collector.tasks()) == 0
