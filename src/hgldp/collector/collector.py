"""The collector: tasks, uploads in, views out. No HTTP in it."""

import asyncio
import os
import threading
from collections.abc import Callable
from pathlib import Path

from hgldp.collector import inbox
from hgldp.collector.arrival import Arrival, read_arrival
from hgldp.collector.engine import Callback, Engine
from hgldp.collector.inbox import Command
from hgldp.collector.limits import Limits
from hgldp.collector.lines import lines_of
from hgldp.collector.new_task import how_to_ask_again, new_task
from hgldp.collector.problems import Problem, Refused
from hgldp.collector.sqlite import SQLiteStorage
from hgldp.collector.storage import Storage
from hgldp.collector.tokens import digest
from hgldp.collector.views import Answer, NewTask, PublishedEpoch, Receipt, TaskTerms, TaskView
from hgldp.collector.writer import Writer
from hgldp.model.task import Task
from hgldp.system.clock import Clock, SystemClock
from hgldp.system.folder_lock import FolderLock


class Collector:
    """Uploads are submitted on one event loop; everything else may be called from any thread."""

    def __init__(self, lock: FolderLock, storage: Storage, engine: Engine, clock: Clock, limits: Limits) -> None:
        self._lock, self.storage, self.engine, self._clock, self._limits = lock, storage, engine, clock, limits
        self._entropy: Callable[[int], bytes] = os.urandom
        self._creating = threading.Lock()
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
    ) -> "Collector":
        """Take the folder, recover what is in it, and start the writer; FolderInUse if another server has it."""
        clock, limits = clock or SystemClock(), limits or Limits()
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        lock = FolderLock(folder, "collector.lock")
        try:
            store = storage(folder, limits.busy_milliseconds)
            engine = Engine(Writer(store, folder, clock, limits), clock, limits)
        except BaseException:
            lock.release()
            raise
        collector = cls(lock, store, engine, clock, limits)
        collector._entropy = entropy
        if threaded:
            engine.start()
        return collector

    def close(self) -> None:
        """Finish what is queued, stop, and let go of the folder."""
        self.engine.stop()
        self.storage.close()
        self._lock.release()

    def _index(self) -> None:
        views = self.engine.views
        self._numbers = {view.id: number for number, view in views.items()}
        self._digests = {view.write_digest: number for number, view in views.items()}
        self._keys: dict[str, int] = {}

    @property
    def limits(self) -> Limits:
        """What is taken at once."""
        return self._limits

    @property
    def waiting(self) -> int:
        """How many uploads wait for the writer."""
        return len(self.engine.inbox)

    @property
    def commits(self) -> int:
        """How many groups were committed since the start."""
        return self.engine.commits

    @property
    def ready(self) -> bool:
        """Whether the last thing that was written could be written, and more is taken."""
        return not (self.engine.broken or self.engine.writer.failing or self.engine.inbox.closed)

    def create_task(self, task: Task, terms: TaskTerms) -> NewTask:
        """Durable on return. Its key and its token are told here and never again."""
        with self._creating:
            if task.id in self._numbers:
                raise Refused(Problem.TASK_EXISTS, how_to_ask_again(task))
            if len(self._numbers) >= self._limits.tasks:
                raise Refused(Problem.STORAGE_FULL, f"there can be {self._limits.tasks} tasks")
            number = max(self._numbers.values(), default=0) + 1
            told, state = new_task(number, task, terms, self._clock.now(), self._entropy)
            self._do(Command(inbox.CREATE, number, state))
            self._index()
        return told

    def seal(self, task_id: bytes) -> None:
        """End the epoch now; an empty one stays open."""
        self._do(Command(inbox.SEAL, self._open_number(task_id)))

    def close_task(self, task_id: bytes) -> None:
        """Publish what is there, and take no more reports."""
        self._do(Command(inbox.CLOSE, self._open_number(task_id)))

    def _open_number(self, task_id: bytes) -> int:
        view = self._known(task_id)
        if view.closed is not None:
            raise Refused(Problem.TASK_CLOSED)
        return view.number

    def _do(self, command: Command) -> None:
        self.engine.inbox.put_command(command)
        if not self.engine.threaded:
            self.engine.step()
        command.done.wait()
        with self.engine.lock:
            """Free only when the views have been replaced."""
        if command.failure is not None:
            raise command.failure

    def _known(self, task_id: bytes) -> TaskView:
        view = self.view(task_id)
        if view is None:
            raise Refused(Problem.UNKNOWN_TASK)
        return view

    def tasks(self) -> tuple[TaskView, ...]:
        """All of them, in order of creation."""
        return tuple(view for _, view in sorted(self.engine.views.items()))

    def view(self, task_id: bytes) -> TaskView | None:
        """The task at this moment."""
        number = self._numbers.get(task_id)
        return None if number is None else self.engine.views[number]

    def find_key(self, write_key: str) -> TaskView | None:
        """The task that a write key belongs to. A key is hashed once; then the hash tables of the process know it."""
        number = self._keys.get(write_key)
        if number is None:
            number = self._digests.get(digest(write_key))
            if number is None:
                return None
            self._keys[write_key] = number
        return self.engine.views[number]

    def offer(self, view: TaskView, body: bytes) -> Arrival:
        """Check an upload and queue it; its outcome is there after the next step of the engine."""
        arrival = read_arrival(view, body)
        self._queue(arrival)
        return arrival

    def submit(self, view: TaskView, body: bytes) -> "asyncio.Future[Receipt]":
        """On the event loop: refused at once for what is wrong with it, resolved when it is durable."""
        arrival = read_arrival(view, body)
        arrival.loop = asyncio.get_running_loop()
        arrival.future = future = arrival.loop.create_future()
        self._queue(arrival)
        return future

    def _queue(self, arrival: Arrival) -> None:
        rate = self.engine.rates[arrival.task]
        rate.take(arrival.count)
        try:
            self.engine.inbox.put(arrival)
        except Refused:
            rate.give_back(arrival.count)
            raise

    def bulletin_bytes(self, version: str) -> bytes | None:
        """The canonical bytes of any bulletin that was ever published."""
        for view in self.engine.views.values():
            for each in view.bulletins:
                if each.version == version:
                    return each.canonical
        return self.storage.bulletin(version)

    def history(self, task_id: bytes, first: int = 0, last: int | None = None) -> list[PublishedEpoch]:
        """What the epochs from first to last published."""
        return [row.result for row in self.storage.results(self._known(task_id).number, first, last)]

    def top(self, task_id: bytes, k: int | None = None, window: int | None = None) -> Answer:
        """Computed on a copy, in the caller's thread: call it off the event loop."""
        number = self._known(task_id).number
        with self.engine.lock:
            state = self.engine.writer.states[number]
            tracker, before = state.copied_tracker(), state.lines_before
        k = tracker.task.k if k is None else k
        lines = lines_of(tracker.top(k, window), before)
        return Answer(k, window, tracker.bulletin.epoch, tracker.reports, tracker.covered(window), lines)

    def listen(self, callback: Callback) -> None:
        """Call it, on the running loop, with every view that a commit has changed."""
        self.engine.listeners = [*self.engine.listeners, (asyncio.get_running_loop(), callback)]

    def unlisten(self, callback: Callback) -> None:
        """Call it no more."""
        self.engine.listeners = [each for each in self.engine.listeners if each[1] is not callback]
