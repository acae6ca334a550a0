"""What the client knows of its task: nothing at first, then its document, which it agrees to or refuses for good."""

from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from hgldp.client.bulletin_cache import BulletinCache, RenewalTimer
from hgldp.client.environment import Disk, Environment
from hgldp.client.ledger import Caps
from hgldp.client.pace import Pace
from hgldp.client.randomizer import Randomizer, accepted_schemes, check_ceiling
from hgldp.client.transport import Transport, Untrusted, fetch
from hgldp.errors import InvalidField, MalformedBytes, OutsideDomain
from hgldp.model.randomness import Words
from hgldp.model.task import Task
from hgldp.model.validate import check_whole
from hgldp.model.weights import Epsilon
from hgldp.schemes.base import Scheme
from hgldp.schemes.registry import scheme_of
from hgldp.system.http import Unreachable
from hgldp.wire import api
from hgldp.wire.task import MOST_BYTES, read_task
from hgldp.wire.upload import MOST_REPORTS


@dataclass(frozen=True)
class Ceilings:
    """What this client agrees to, whatever a server asks for.

    The most ε at the task's level, the most reports a day, the schemes, and the most reports in one upload.

    >>> from hgldp.model.budget import Budget
    >>> from hgldp.model.domain import RangeDomain
    >>> task = Task("pfr", Budget(1.0, "user", events=4), RangeDomain(100), k=3, daily_reports=2)
    >>> Ceilings(max_epsilon=1.0).caps(task)
    Caps(per_day=2, ever=4)
    """

    max_epsilon: Epsilon
    reports_per_day: int = 100
    accepted: frozenset[str] | None = None
    most_batch: int = 64

    def __post_init__(self) -> None:
        check_ceiling(self.max_epsilon)
        check_whole("reports_per_day", self.reports_per_day, 0)
        check_whole("most_batch", self.most_batch, 1, MOST_REPORTS)
        accepted_schemes(self.accepted)

    def caps(self, task: Task) -> Caps:
        """The stricter of the client's caps and the task's."""
        per_day = min(self.reports_per_day, task.daily_reports or self.reports_per_day)
        return Caps(per_day, task.budget.events if task.budget.level == "user" else None)

    def randomizer(self, task: Task, words: Words, sent: int) -> Randomizer:
        """The randomiser of a task that stays below the ceilings; any other task is refused."""
        return Randomizer(task, self.max_epsilon, words, self.accepted, sent)


class TaskFile:
    """The task's document, fetched once and kept on the disk.

    It is believed only if it hashes to the id that the application was built with, each time it is read.
    """

    def __init__(self, disk: Disk, path: Path, task: str) -> None:
        self._disk, self._path, self._task = disk, path, task

    def load(self) -> Task | None:
        """The copy on the disk, if there is one and it is right."""
        try:
            return self._verified(self._disk.read(self._path, MOST_BYTES))
        except (OSError, Untrusted):
            return None

    def fetch(self, transport: Transport) -> Task:
        """The collector's copy; keeps it."""
        task = self._verified(fetch(transport, api.DOCUMENT.format(id=self._task), MOST_BYTES))
        self._disk.write(self._path, task.canonical)
        return task

    def delete(self) -> None:
        """Remove the copy."""
        self._disk.unlink(self._path)

    def _verified(self, data: bytes) -> Task:
        """The hash comes first: nothing in a stranger's document is read, not even to refuse it."""
        if sha256(b"hgldp task 1" + data).hexdigest() != self._task:
            raise Untrusted("the task's document must hash to the task's id, and it does not")
        try:
            return read_task(data)
        except MalformedBytes as wrong:
            raise Untrusted(f"the task's document is refused: {wrong}") from None


class Agreement:
    """Task, caps, randomiser and bulletin, as soon as they are known and agreed to; or why they are refused.

    `refusal` is final. `trouble` says why the last renewal failed; it is tried again when it is `due`.
    """

    def __init__(self, folder: Path, task: str, ceilings: Ceilings, pace: Pace, environment: Environment) -> None:
        self._folder, self._id, self._ceilings = folder, task, ceilings
        self._pace, self._environment = pace, environment
        self._file = TaskFile(environment.disk, folder / "task", task)
        self._timer = RenewalTimer(pace, environment.chance)
        self.trouble = ""
        self._forget()

    @property
    def due(self) -> float:
        """When task and bulletin are to be renewed."""
        return self._timer.due

    def recall(self, sent: int, now: float) -> None:
        """Start from what an earlier run kept, if it kept anything."""
        task = self._file.load()
        if task is not None:
            self._agree(task, sent, now)
            self._plan(now)

    def renew(self, transport: Transport, sent: int, now: float) -> None:
        """If it is due, learn the task unless it is known, and renew the bulletin."""
        if now < self.due or self.refusal is not None:
            return
        try:
            if self.task is None:
                self._agree(self._file.fetch(transport), sent, now)
            if self.bulletins is not None:
                self.bulletins.renew(transport, now)
        except (Unreachable, Untrusted, OSError) as failure:
            self.trouble = "the disk fails" if isinstance(failure, OSError) else str(failure)
            self._timer.failed(now)
        else:
            self.trouble = ""
            self._plan(now)

    def within(self, item: object) -> bool:
        """Whether an item can be reported; as long as the task is unknown, any might be."""
        if self.task is None:
            return True
        domain = self.task.domain
        try:
            _ = domain.encode(item)
        except OutsideDomain:
            return False
        return True

    def delete(self) -> None:
        """Forget everything, on disk too, so that the next round starts afresh."""
        self._file.delete()
        self._environment.disk.unlink(self._folder / "bulletin")
        self._environment.disk.sync_folder(self._folder)
        self._forget()
        self._timer.due = 0.0

    def _forget(self) -> None:
        self.refusal: str | None = None
        self.task: Task | None = None
        self.caps: Caps | None = None
        self.scheme: Scheme | None = None
        self.randomizer: Randomizer | None = None
        self.bulletins: BulletinCache | None = None

    def _plan(self, now: float) -> None:
        if self.bulletins is not None:
            self._timer.succeeded(now, self.bulletins)

    def _agree(self, task: Task, sent: int, now: float) -> None:
        try:
            randomizer = self._ceilings.randomizer(task, self._environment.words, sent)
        except InvalidField as wrong:
            self.refusal = str(wrong)
            return
        disk, path = self._environment.disk, self._folder / "bulletin"
        self.scheme = scheme_of(task)
        self.caps = self._ceilings.caps(task)
        self.bulletins = BulletinCache(disk, path, self._id, self.scheme, self._pace.most_age, self._pace.doubt)
        self.bulletins.load(now)
        self.randomizer = randomizer
        self.task = task
