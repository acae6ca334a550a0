"""One thread beside the writer for work that takes long: the end of an epoch or a top over millions of items."""

import threading
from collections import deque
from collections.abc import Callable


class Job:
    """Work under way. `failure` is what it raised."""

    def __init__(self, work: Callable[[], None]) -> None:
        self._work = work
        self.done = threading.Event()
        self.failure: Exception | None = None

    def run(self) -> None:
        """Once."""
        try:
            self._work()
        except Exception as unforeseen:  # noqa: BLE001 - the writer decides what to do about it
            self.failure = unforeseen
        self.done.set()

    def check(self) -> None:
        """Raise what it raised."""
        if self.failure is not None:
            raise self.failure


class Workshop:
    """Jobs are done one after the other. Without `open` each is done at once, in the caller's thread."""

    def __init__(self) -> None:
        self._jobs: deque[Job] = deque()
        self._wake = threading.Condition()
        self._ended: Callable[[], None] = lambda: None
        self._thread: threading.Thread | None = None
        self._closed = False

    def open(self, ended: Callable[[], None]) -> None:
        """Start the thread; `ended` is called after each job."""
        self._ended = ended
        self._thread = threading.Thread(target=self._run, name="hgldp-workshop", daemon=True)
        self._thread.start()

    @property
    def is_open(self) -> bool:
        """Whether jobs are done beside the writer."""
        return self._thread is not None

    def begin(self, work: Callable[[], None]) -> Job:
        """A job, done or under way."""
        job = Job(work)
        if self._thread is None:
            job.run()
        else:
            with self._wake:
                self._jobs.append(job)
                self._wake.notify()
        return job

    def close(self) -> None:
        """Finish what was begun."""
        with self._wake:
            self._closed = True
            self._wake.notify()
        if self._thread is not None:
            self._thread.join()
            self._thread = None

    def _run(self) -> None:
        while True:
            with self._wake:
                while not self._jobs and not self._closed:
                    self._wake.wait()
                if not self._jobs:
                    return
                job = self._jobs.popleft()
            job.run()
            self._ended()
