"""Uploads from the queue into the inbox: one transaction for all that waits, and an outcome for each."""

import logging
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from math import ceil
from time import monotonic

from hgldp.collector.log.postgres.inbox import Arrivals, Inbox
from hgldp.collector.log.postgres.version import OtherVersion
from hgldp.collector.problems import Problem, Refused
from hgldp.collector.timings import Histogram
from hgldp.collector.views import Receipt, TaskView, UploadCounts
from hgldp.collector.writer.pending import PendingUpload
from hgldp.collector.writer.publishing import Publishing
from hgldp.collector.writer.queue import UploadQueue
from hgldp.errors import StorageFailed
from hgldp.system.clock import DAY_SECONDS, Clock

RETRY_SECONDS, BEHIND_SECONDS, LONGEST_WAIT, STUCK_SECONDS = 5, 1, 1.0, 5.0
MOST_BYTES = 1 << 30
log = logging.getLogger("hgldp.collector")


class SharedIntake:
    """Without `start`, `step` is called by hand. `failing` says whether the last uploads could not be written."""

    def __init__(
        self,
        queue: UploadQueue,
        inbox: Inbox,
        shown: Publishing,
        counts: Callable[[int], UploadCounts],
        clock: Clock,
        put_in: Callable[[], None],
    ) -> None:
        self._queue, self._inbox, self._shown, self._counts = queue, inbox, shown, counts
        self._clock, self._put_in = clock, put_in
        self._thread: threading.Thread | None = None
        self.failing, self.commits, self.put_seconds = False, 0, Histogram()
        self.is_full, self.inbox_bytes = False, 0
        self._began: float | None = None

    def start(self) -> None:
        """Start working, in a separate thread."""
        self._thread = threading.Thread(target=self._run, name="hgldp-intake", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Take nothing more, and finish what is queued."""
        self._queue.close()
        if self._thread is not None:
            self._thread.join()
        while self.step():
            pass

    def _run(self) -> None:
        while self.step() or not self._queue.closed:
            self._queue.wait(LONGEST_WAIT)

    def step(self) -> bool:
        """Settle what one commit may hold; False if nothing was queued."""
        uploads, _ = self._queue.take()
        if uploads:
            try:
                self._settle(uploads)
            except Exception:
                log.exception("intake failed")  # whoever has no outcome yet is told 500, and the thread goes on
            self._shown.answer(uploads)
        return bool(uploads)

    def _settle(self, uploads: Sequence[PendingUpload]) -> None:
        views = {number: intake.view for number, intake in self._shown.intakes.items()}
        groups = _grouped(uploads, views)
        try:
            self._put([arrivals for arrivals, _ in groups])
        except StorageFailed as failure:
            self._complain(failure)
            for upload in uploads:
                upload.outcome = upload.outcome or refusal(failure)
        else:
            self.failing, self.commits = False, self.commits + 1
            for arrivals, some in groups:
                self._tell(arrivals, some)
            self._put_in()
        self._count(uploads)

    def _put(self, arrivals: Sequence[Arrivals]) -> None:
        if self.is_full:
            raise StorageFailed("the sealer is far behind: nothing is taken until the inbox is shorter")
        self._began = monotonic()
        try:
            with self.put_seconds.timed():
                self._inbox.put(arrivals)
        finally:
            self._began = None

    @property
    def is_stuck(self) -> bool:
        """Whether the database has not answered for some seconds, though no connection broke: it may stand still."""
        began = self._began
        return began is not None and monotonic() - began > STUCK_SECONDS

    def recheck(self) -> None:
        """Whether the inbox is too long and, after a failure, whether uploads could be put in again."""
        self.inbox_bytes = self._inbox.size()
        self.is_full = self.inbox_bytes > MOST_BYTES
        if self.failing and not self.is_full:
            self._inbox.probe()
            self.failing = False

    def _complain(self, failure: StorageFailed) -> None:
        if not self.failing:
            log.warning("storage failed: %s", failure)
        self.failing = True

    def _tell(self, arrivals: Arrivals, uploads: Sequence[PendingUpload]) -> None:
        if arrivals.is_late:
            for upload in uploads:
                upload.outcome = self._late(arrivals)
        for place in arrivals.taken:
            uploads[place].outcome = Receipt(uploads[place].count)
        for place in arrivals.known:
            uploads[place].outcome = Receipt(uploads[place].count, duplicate=True)
        for place in arrivals.over:
            left = ceil(DAY_SECONDS - self._clock.now() % DAY_SECONDS)
            uploads[place].outcome = Refused(Problem.DAILY_CAP_REACHED, retry_after=max(1, left))

    def _late(self, arrivals: Arrivals) -> Refused:
        """If this collector still hands that bulletin out, it is behind: to fetch the current one would not help."""
        shut = self._shown.intakes.get(arrivals.task)
        if shut is not None and shut.view.closed is not None:
            return Refused(Problem.TASK_CLOSED)
        if shut is not None and shut.view.epoch == arrivals.epoch:
            return Refused(Problem.STORAGE_FULL, "this collector has not caught up with the others", BEHIND_SECONDS)
        return Refused(Problem.BULLETIN_TOO_OLD)

    def _count(self, uploads: Iterable[PendingUpload]) -> None:
        for upload in uploads:
            counts, outcome = self._counts(upload.task), upload.outcome
            if isinstance(outcome, Receipt):
                counts.duplicate += outcome.duplicate
                counts.accepted += not outcome.duplicate
            else:
                counts.refused += 1


def refusal(failure: StorageFailed) -> Refused:
    """Come again; an operator who asks why learns if it is for the version."""
    why = str(failure) if isinstance(failure, OtherVersion) else ""
    return Refused(Problem.STORAGE_FULL, why, retry_after=RETRY_SECONDS)


def _grouped(
    uploads: Iterable[PendingUpload], views: Mapping[int, TaskView]
) -> list[tuple[Arrivals, list[PendingUpload]]]:
    """By task and bulletin; an upload of a task or a bulletin that is not known any more gets its outcome here."""
    groups: dict[tuple[int, bytes], tuple[Arrivals, list[PendingUpload]]] = {}
    for upload in uploads:
        key = upload.task, upload.format.version
        if key not in groups:
            view = views.get(upload.task)
            epoch = None if view is None else _epoch(view, upload.format.version.hex())
            if view is None or epoch is None:
                upload.outcome = Refused(Problem.UNKNOWN_KEY if view is None else Problem.BULLETIN_TOO_OLD)
                continue
            arrivals = Arrivals(upload.task, epoch, upload.format.version, [], [], [], view.terms.reports_per_day)
            groups[key] = arrivals, []
        arrivals, some = groups[key]
        arrivals.ids.append(upload.id)
        arrivals.counts.append(upload.count)
        arrivals.symbols.append(upload.symbols)
        some.append(upload)
    return list(groups.values())


def _epoch(view: TaskView, version: str) -> int | None:
    return next((each.epoch for each in view.bulletins if each.version == version), None)
