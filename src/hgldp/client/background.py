"""The thread that does a reporter's rounds, so that no other thread waits for disk or network."""

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Condition, Lock, Thread

from hgldp.client.worker import Worker

LONGEST_SLEEP = 60.0
SHORTEST_SLEEP = 0.02


class Background:
    """Sleeps until something is due or another thread asks. `changed` guards what other threads may touch."""

    def __init__(self, worker: Worker, gather: float, stop_timeout: float, *, paused: bool) -> None:
        self._worker, self._gather, self._stop_timeout = worker, gather, stop_timeout
        self.changed = Condition()
        self.paused = paused
        self.closed = False
        self._working = Lock()
        self._hurried = False
        self._arrived = False
        self._thread = Thread(target=self._run, name="hgldp reporter", daemon=True)
        self._thread.start()

    def arrived(self) -> None:
        """Say that an event waits; call this with `changed` held."""
        if not self._arrived:
            self._arrived = True
            self.changed.notify_all()

    def flush(self, wait: float) -> bool:
        """Do a round now. True if nothing is left waiting within `wait` seconds."""
        with self.changed:
            self._hurried = True
            self.changed.notify_all()
            return self.changed.wait_for(self._empty, wait)

    @contextmanager
    def interrupted(self) -> Iterator[None]:
        """Break off the round under way, and let none start inside the block."""
        self._worker.transport.stop()
        with self._working:
            try:
                yield
            finally:
                if not self.paused:
                    self._worker.transport.resume()
        with self.changed:
            self.changed.notify_all()

    def stop(self) -> None:
        """Break off the round under way and end the thread."""
        with self.changed:
            self.closed = True
            self.changed.notify_all()
        self._worker.transport.stop()
        self._thread.join(self._stop_timeout)

    def _empty(self) -> bool:
        return self.closed or not (len(self._worker.inbox) or len(self._worker.queue))

    def _run(self) -> None:
        while self._sleep():
            with self._working:
                if not self.paused:
                    self._worker.round()
            with self.changed:
                self.changed.notify_all()

    def _sleep(self) -> bool:
        with self.changed:
            called = self.changed.wait_for(lambda: self.closed or self._hurried or self._arrived, self._due_in())
            if called and not self._hurried and not self.closed:
                self.changed.wait_for(lambda: self.closed or self._hurried, self._gather)
            if self._hurried:
                self._worker.delivery.hurry()
            self._arrived = self._hurried = False
            return not self.closed

    def _due_in(self) -> float:
        due = LONGEST_SLEEP if self.paused else min(LONGEST_SLEEP, self._worker.due - self._worker.ledger.time.now())
        return max(due, SHORTEST_SLEEP)
