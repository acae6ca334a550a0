"""The collector: tasks, uploads in, views out. No HTTP in it."""

import os
import threading
from collections.abc import Callable, Sequence
from dataclasses import replace
from math import ceil
from pathlib import Path
from typing import TYPE_CHECKING

from hgldp.collector.directory import Directory
from hgldp.collector.donation import NOTHING_GIVEN, Donation
from hgldp.collector.log.entry import CLOSE, SEAL
from hgldp.collector.log.proofreading import Proofreading
from hgldp.collector.log.recovery import Progress
from hgldp.collector.log.sqlite import SQLiteStorage
from hgldp.collector.log.storage import Storage
from hgldp.collector.opening import opened
from hgldp.collector.problems import Problem, Refused
from hgldp.collector.sessions import FolderSessions, Sessions
from hgldp.collector.settings import Limits
from hgldp.collector.timings import Timings
from hgldp.collector.views import (
    Answer,
    AskedAnswer,
    DistributionAnswer,
    NewTask,
    PublishedEpoch,
    TaskTerms,
    TaskView,
)
from hgldp.collector.writer import DELETE, Backlog, Callback, Command, Intake, PendingUpload, WriterThread, new_task
from hgldp.collector.writer.command import how_to_run_twice, seconds_to_stay
from hgldp.collector.writer.warm_up import warm_up
from hgldp.model.bulletins import AnyBulletin
from hgldp.model.task import Task
from hgldp.system.clock import Clock, SystemClock
from hgldp.system.folder_lock import FolderLock

if TYPE_CHECKING:
    from hgldp.collector.shared import Worker
    from hgldp.collector.shared.office import SharedOffice


class Collector:
    """Uploads are submitted on one event loop; everything else may be called from any thread."""

    def __init__(
        self,
        lock: FolderLock | None,
        storage: Storage,
        writer: "WriterThread | Worker",
        clock: Clock,
        limits: Limits,
        entropy: Callable[[int], bytes],
        sessions: Sessions,
    ) -> None:
        self.storage, self.sessions = storage, sessions
        self.limits = limits
        self._lock, self._writer = lock, writer
        self._clock, self._entropy = clock, entropy
        self._creating = threading.Lock()
        self.proofreading = Proofreading(storage)
        self.office: SharedOffice | None = None
        self._directory = Directory()
        self._index()

    @classmethod
    def open(
        cls,
        folder: Path,
        *,
        clock: Clock | None = None,
        entropy: Callable[[int], bytes] = os.urandom,
        limits: Limits | None = None,
        storage: Callable[[Path, int], Storage] = SQLiteStorage,
        threaded: bool = True,
        progress: Progress | None = None,
    ) -> "Collector":
        """Lock the folder (or raise FolderInUse), recover what is in it, and start the writer.

        Without its thread nothing is written until `step` is called. `progress` is told how many steps of the recovery
        are done, of how many; what it raises ends the recovery.
        """
        clock, limits = clock or SystemClock(), limits or Limits()
        lock, store, writer = opened(folder, clock, limits, entropy, storage, progress)
        collector = cls(lock, store, writer, clock, limits, entropy, FolderSessions(folder))
        warm_up((view.task for view in collector.tasks() if view.closed is None), clock)
        if threaded:
            writer.start()
            collector.proofreading.start()
        return collector

    @classmethod
    def join(
        cls,
        url: str,
        *,
        clock: Clock | None = None,
        entropy: Callable[[int], bytes] = os.urandom,
        limits: Limits | None = None,
        threaded: bool = True,
        progress: Progress | None = None,
        admin: bytes | None = None,
    ) -> "Collector":
        """Work on a PostgreSQL database together with all others that do. Its clock counts, unless one is given.

        `admin` is the hash of a token that takes the place of the first admin's.
        """
        from hgldp.collector.shared import joined  # noqa: PLC0415 - the extra `postgres` is not always there

        limits = limits or Limits()
        storage, worker, clock, sessions = joined(url, clock, entropy, limits, progress, admin)
        collector = cls(None, storage, worker, clock, limits, entropy, sessions)
        collector.office = worker.office
        worker.when_tasks_change = collector._index
        warm_up((view.task for view in collector.tasks() if view.closed is None), clock)
        if threaded:
            worker.start()
        return collector

    def close(self) -> None:
        """Finish what is queued, stop, and release the folder."""
        self.proofreading.stop()
        self._writer.stop()
        self.storage.close()
        if self._lock is not None:
            self._lock.release()

    def _index(self) -> None:
        """Before anything is served, and then whenever a command has changed a task."""
        self._directory.fill(self._writer.intakes.values())

    def step(self) -> bool:
        """Without a thread: settle one batch by hand; False if nothing was queued."""
        return self._writer.step()

    @property
    def commits(self) -> int:
        """How many batches were committed since the start."""
        return self._writer.commits

    @property
    def backlog(self) -> Backlog:
        """What waits for the writer, and for how long."""
        return self._writer.backlog

    @property
    def store_numbers(self) -> dict[str, float]:
        """Of a shared store: whether this collector seals, and how many bytes wait for whoever does."""
        return self._writer.store_numbers

    @property
    def timings(self) -> Timings:
        """How long commits, seals and tops took since the start."""
        return self._writer.timings

    @property
    def ready(self) -> bool:
        """Whether uploads are taken, and the last thing to be written could be."""
        return self._writer.ready

    def create_task(self, task: Task, terms: TaskTerms, given: Donation = NOTHING_GIVEN) -> NewTask:
        """Durable on return, with what was given as its warm-up. Its key and its token are told only this time."""
        with self._creating:
            if task.id in self._directory.by_id:
                raise Refused(Problem.TASK_EXISTS, how_to_run_twice(task))
            if len(self._directory.by_id) >= self.limits.tasks:
                raise Refused(Problem.STORAGE_FULL, f"there can be at most {self.limits.tasks} tasks")
            number, terms = self.storage.last_number() + 1, replace(terms, hides_order=True)
            now, entropy = self._clock.now(), self._entropy
            told, state = new_task(number, task, terms, now, entropy, self.storage.secret, given)
            self._writer.do(Command(created=state, after=self._index), seconds=None)  # it waits for no task
        if self._writer.is_running:  # the key is told only once: the answer must not wait for a compiler
            threading.Thread(target=warm_up, args=([task], self._clock), name="hgldp-warm-up", daemon=True).start()
        return told

    def seal(self, task_id: bytes) -> None:
        """End the epoch now; an empty one stays open. Where the task's keys stay for a time, not before that time."""
        number, view = self._open_number(task_id), self._known(task_id)
        if left := ceil(seconds_to_stay(view, self._clock.now())):
            hours = f"{ceil(left / 3600):,} hours of the {view.task.keys} are left"
            raise Refused(Problem.KEYS_STAY, hours, retry_after=left)
        self._writer.do(Command(task=number, kind=SEAL))

    def close_task(self, task_id: bytes) -> None:
        """Publish what is there, and take no more reports."""
        self._writer.do(Command(task=self._open_number(task_id), kind=CLOSE))

    def change_task(
        self,
        task_id: bytes,
        *,
        name: str | None = None,
        write_digest: bytes | None = None,
        old_write_digest: bytes | None = None,
        old_until: float | None = None,
        read_digest: bytes | None = None,
    ) -> None:
        """Give a task another name, key or token; durable on return. What is None stays."""
        changes = {
            "terms": None if name is None else replace(self._known(task_id).terms, name=name),
            "write_digest": write_digest,
            "old_write_digest": old_write_digest,
            "old_until": old_until,
            "read_digest": read_digest,
        }
        given = {field: value for field, value in changes.items() if value is not None}
        self._writer.do(Command(task=self._known(task_id).number, changes=given, after=self._index))

    def delete_task(self, task_id: bytes) -> None:
        """Remove a task with all it has: reports, bulletins and results; durable on return."""
        self._writer.do(Command(task=self._known(task_id).number, kind=DELETE, after=self._index))

    def compact(self, *, all_reports: bool = False) -> None:
        """Delete reports and results that are older than their task wants them kept.

        With `all_reports`, delete all reports that a snapshot stands for. Everybody else waits meanwhile: it is for a
        collector that does not serve, as in `hgldp compact`.
        """
        self._writer.compact(all_reports=all_reports)

    def _open_number(self, task_id: bytes) -> int:
        view = self._known(task_id)
        if view.closed is not None:
            raise Refused(Problem.TASK_CLOSED)
        return view.number

    def _known(self, task_id: bytes) -> TaskView:
        view = self.view(task_id)
        if view is None:
            raise Refused(Problem.UNKNOWN_TASK)
        return view

    def tasks(self) -> tuple[TaskView, ...]:
        """All tasks, in order of creation."""
        return tuple(intake.view for _, intake in sorted(self._writer.intakes.items()))

    def view(self, task_id: bytes) -> TaskView | None:
        """The task at this moment."""
        intake = self._directory.by_id.get(task_id)
        return None if intake is None else intake.view

    def tasks_that_keep(self, read_digest: bytes) -> list[TaskView]:
        """The tasks whose read token has this hash, or had it a moment ago."""
        return self._directory.tasks_that_keep(read_digest)

    def tasks_with_list(self, digest: str) -> list[TaskView]:
        """The tasks that name the list with this hash."""
        return self._directory.tasks_with_list(digest)

    def find_key(self, write_key: str) -> Intake | None:
        """Where the uploads with a write key go."""
        return self._directory.find_key(write_key, self._clock)

    def offer(self, view: TaskView, body: bytes) -> PendingUpload:
        """Check an upload and queue it; its outcome is there after the next step."""
        return self._writer.intakes[view.number].offer(view, body)

    def now(self) -> float:
        """Seconds since 1970, by the collector's clock."""
        return self._clock.now()

    def in_force(self, version: str) -> bytes | None:
        """The canonical bytes of a bulletin that clients may answer now, from memory."""
        found = self.bulletin_in_force(version)
        return None if found is None else found.canonical

    def bulletin_in_force(self, version: str) -> AnyBulletin | None:
        """The same as an object."""
        return self._writer.bulletins.find(version)

    def bulletin_bytes(self, version: str) -> bytes | None:
        """The canonical bytes of a bulletin that was published and is kept."""
        return self.in_force(version) or self.storage.bulletin(version)

    def history(self, task_id: bytes, first: int = 0, last: int | None = None) -> list[PublishedEpoch]:
        """What the epochs from first to last published, as far as it is kept."""
        view = self._known(task_id)
        return [row.result for row in self.storage.results(view.number, max(first, view.first_epoch), last)]

    def top(self, task_id: bytes, k: int | None = None, window: int | None = None) -> Answer:
        """Computed on a copy, in the caller's thread: call it off the event loop."""
        return self._writer.copy_of(self._known(task_id).number).top(k, window)

    def ask(self, task_id: bytes, items: Sequence[object], window: int | None = None) -> AskedAnswer:
        """Estimates of any items; computed like a top, on a copy and in the caller's thread."""
        return self._writer.copy_of(self._known(task_id).number).ask(items, window)

    def distribution(self, task_id: bytes, window: int | None = None) -> DistributionAnswer:
        """How many items have a share in each decade; likewise."""
        return self._writer.copy_of(self._known(task_id).number).distribution(window)

    def listen(self, callback: Callback) -> None:
        """Call it, on the running loop, with every view that a commit has changed."""
        self._writer.listen(callback)

    def unlisten(self, callback: Callback) -> None:
        """Call it no more."""
        self._writer.unlisten(callback)
