"""The thread that keeps a collector up to date: it follows the log, or writes it while this collector is the sealer."""

import logging
import threading
import time
from collections.abc import Callable
from contextlib import suppress

from hgldp.collector.log.postgres.lease import Lease, LeaseLost
from hgldp.collector.settings import Limits
from hgldp.collector.shared.news import News
from hgldp.collector.shared.writer import SharedWriter
from hgldp.collector.writer.publishing import Publishing
from hgldp.errors import StorageFailed
from hgldp.system.clock import Clock

SEALING_PAUSE, FOLLOWING_PAUSE, FAILING_PAUSE = 0.05, 0.25, 0.5
RENEW_SECONDS, CHORE_SECONDS = 1.0, 1.0
LONGEST_STEP = 120.0
log = logging.getLogger("hgldp.collector")


class Keeper:
    """Without `start`, `step` is called by hand. `lock` is held while the writer works.

    `rounds` counts the steps whose work went well. `chores` are done about once a second, and may wait for the
    database. They touch nothing of the writer: when one fails, what is in memory stays right.
    """

    def __init__(
        self,
        lease: Lease,
        writer: SharedWriter,
        shown: Publishing,
        clock: Clock,
        limits: Limits,
        lock: threading.Lock,
    ) -> None:
        self._lease, self._writer, self._shown = lease, writer, shown
        self._clock, self._lock, self._leasing = clock, lock, threading.Lock()
        self._woken, self._stopping, self._round = threading.Event(), threading.Event(), threading.Condition()
        self._must_reload = self._loaded_as_sealer = self._step_failed = False
        self._failed_chore: Exception | None = None
        self._began, self._next_chores = time.monotonic(), float("-inf")
        self._thread: threading.Thread | None = None
        self.rounds = 0
        self.news = News(self.wake, limits)
        self.chores: list[Callable[[], None]] = []
        self.when_tasks_change: Callable[[], None] = lambda: None

    def start(self) -> None:
        """Start working, in a separate thread; another renews the lease while a step takes long."""
        self._thread = threading.Thread(target=self._run, name="hgldp-keeper", daemon=True)
        self._thread.start()
        threading.Thread(target=self._stay, name="hgldp-lease", daemon=True).start()

    def _stay(self) -> None:
        """A step may have to wait for a compiler. One that takes longer than that has failed: another may seal."""
        while not self._stopping.wait(RENEW_SECONDS):
            if time.monotonic() - self._began < LONGEST_STEP:
                with suppress(StorageFailed):
                    self._renew()

    def _renew(self) -> None:
        """Never beside `acquire`: what is found out about the old fence would be taken for the new one."""
        with self._leasing:
            if self._lease.fence is not None:
                self._lease.renew()

    @property
    def is_running(self) -> bool:
        """Whether it has a thread, and need not be stepped by hand."""
        return self._thread is not None

    @property
    def _waits_for_the_database(self) -> bool:
        """Everything must be read again, and nothing can be read."""
        return self._step_failed and self._must_reload and isinstance(self._failed_chore, StorageFailed)

    @property
    def failing(self) -> bool:
        """Whether the last step or the last chores failed."""
        return self._step_failed or self._failed_chore is not None

    @property
    def seals(self) -> bool:
        """Whether this collector is the sealer, as far as it knows."""
        return self._lease.fence is not None

    def read_again(self, unforeseen: Exception) -> None:
        """Something else found that what is in memory cannot be trusted."""
        log.error("keeper failed: %s", type(unforeseen).__name__, exc_info=unforeseen)
        self._must_reload = True
        self.wake()

    def wake(self) -> None:
        """There may be news."""
        self._woken.set()

    def stop(self) -> None:
        """End, and let another collector be the sealer at once."""
        self._stopping.set()
        self.wake()
        if self._thread is not None:
            self._thread.join()
        try:
            if self._lease.fence is not None and not self._must_reload:
                self._writer.put_down()
            with self._leasing:
                self._lease.release()
        except StorageFailed as failure:
            log.warning("storage failed: %s", failure)

    def catch_up(self, seconds: float) -> bool:
        """Wait for a whole step that begins after now; False if there was none in so many seconds."""
        if self._thread is None:
            self.step()
            return not self.failing
        wanted, until = self.rounds + 2, time.monotonic() + seconds  # the step under way may have begun before
        with self._round:
            while self.rounds < wanted and time.monotonic() < until:
                self.wake()
                self._round.wait(FOLLOWING_PAUSE)
        return self.rounds >= wanted

    def _run(self) -> None:
        while not self._stopping.is_set():
            if self.step():
                continue
            if self.failing:
                self._stopping.wait(FAILING_PAUSE)  # whatever the news are: the database is not asked more often
            else:
                self._woken.wait(SEALING_PAUSE if self._lease.fence is not None else FOLLOWING_PAUSE)
            self._woken.clear()

    def step(self) -> bool:
        """Seal or follow a little, and show what is new. True if there is more to do at once."""
        self._began, failed_before = time.monotonic(), self.failing
        self.news.begin()
        self._do_chores()
        if self._waits_for_the_database:
            self.news.fail()
            return False
        more, knows_all = False, False
        try:
            with self._lock:
                self._begin()
                more = self._work()
                knows_all = self._knows_all()
                self._shown.publish(self._writer.take_changed())
                self._shown.keep_only(self._writer.numbers)
                if self._writer.take_tasks_changed():
                    self.when_tasks_change()
            with self._lock:
                self._shown.publish(self._writer.renew_tops())
                if self._lease.fence is not None and not more:
                    self._writer.tidy_up()
        except LeaseLost:
            self._must_reload = True
        except StorageFailed as failure:
            self._complain(failure)
            self._step_failed = True
            self._must_reload = self._must_reload or self._loaded_as_sealer  # whoever follows has written nothing
        except Exception as unforeseen:  # noqa: BLE001 - whatever it was, the next step reads everything again
            self._complain(unforeseen)
            self._step_failed = self._must_reload = True
        else:
            self._step_failed = False
            with self._round:
                self.rounds += 1
                self._round.notify_all()
        if failed_before and not self.failing:
            log.info("this collector works again")
        if self._step_failed or self._must_reload:
            self.news.fail()
        elif knows_all:
            self.news.end()
        return more and not self._step_failed

    def _do_chores(self) -> None:
        """Those of the collector, and to become the sealer if there is none."""
        now = self._clock.monotonic()
        if now < self._next_chores:
            return
        self._next_chores = now + CHORE_SECONDS
        try:
            self._try_to_seal()
            for each in self.chores:
                each()
        except Exception as failure:  # noqa: BLE001 - whatever it was, it is tried again
            self._complain(failure)
            self._failed_chore = failure
        else:
            self._failed_chore = None

    def _try_to_seal(self) -> None:
        with self._leasing:
            if self._lease.fence is None and not self._stopping.is_set() and self._lease.acquire():
                log.info("this collector seals now (fence %d)", self._lease.fence)
                self._loaded_as_sealer = self._must_reload = True

    def _complain(self, failure: Exception) -> None:
        """Log the first failure only, however often it is tried."""
        if self.failing:
            return
        if isinstance(failure, StorageFailed):
            log.warning("storage failed: %s", failure)
        else:
            log.error("keeper failed: %s", type(failure).__name__, exc_info=failure)

    def _begin(self) -> None:
        """After a failure nobody knows what was written: it is read again, and when the sealer changes."""
        if self._loaded_as_sealer and self._lease.fence is None:
            log.info("another collector seals now")
            self._loaded_as_sealer, self._must_reload = False, True
        if self._must_reload:
            self._writer.reload()
            self._must_reload = False

    def _work(self) -> bool:
        if self._lease.fence is None:
            return self._writer.follow()
        return self._writer.seal_some()

    def _knows_all(self) -> bool:
        """Whether this collector shows every bulletin that was written before this step.

        One of a busy task is shown when the task is done.
        """
        return not self._writer.is_behind
