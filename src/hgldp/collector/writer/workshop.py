"""A few threads beside the writer for work that takes long: the end of an epoch or a top over millions of items."""

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

THREADS = 3


class Job:
    """Work under way. `failure` is what it raised."""

    def __init__(self, work: Callable[[], None], ended: Callable[[], None]) -> None:
        self._work, self._ended = work, ended
        self.done = threading.Event()
        self.failure: Exception | None = None

    def run(self) -> None:
        """Once."""
        try:
            self._work()
        except Exception as unforeseen:  # noqa: BLE001 - the writer decides what to do about it
            self.failure = unforeseen
        self.done.set()
        self._ended()

    def check(self) -> None:
        """Raise what it raised."""
        if self.failure is not None:
            raise self.failure


class Workshop:
    """Several jobs at once, so that a short one does not wait for a long one.

    Without `open`, each is done in the caller's thread before `begin` returns.
    """

    def __init__(self) -> None:
        self._threads: ThreadPoolExecutor | None = None
        self._ended: Callable[[], None] = lambda: None

    def open(self, ended: Callable[[], None]) -> None:
        """Start the threads; `ended` is called after each job."""
        self._ended = ended
        self._threads = ThreadPoolExecutor(THREADS, "hgldp-workshop")

    @property
    def is_open(self) -> bool:
        """Whether jobs are done beside the writer."""
        return self._threads is not None

    def begin(self, work: Callable[[], None]) -> Job:
        """A job, done or under way."""
        job = Job(work, self._ended)
        if self._threads is None:
            job.run()
        else:
            self._threads.submit(job.run)
        return job

    def close(self) -> None:
        """Finish what was begun."""
        if self._threads is not None:
            self._threads.shutdown()
            self._threads = None
