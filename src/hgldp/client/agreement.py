"""What the client knows of its task: nothing at first, then its document, which it agrees to or refuses for good."""

from asyncio import CancelledError
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from hgldp.client.bulletin_cache import BulletinCache, RenewalTimer
from hgldp.client.environment import Disk, Environment
from hgldp.client.inbox import Encoded
from hgldp.client.pace import Pace
from hgldp.client.randomizer import Randomizer
from hgldp.client.sending.transport import Transport, Untrusted, fetch
from hgldp.client.spending.account import Account
from hgldp.client.spending.ceilings import Ceilings
from hgldp.client.spending.page import Caps
from hgldp.client.spending.tenure import Tenure
from hgldp.errors import InvalidField, MalformedBytes
from hgldp.model.domain import Code
from hgldp.model.hints import MOST_LIST_BYTES, Hints
from hgldp.model.reserved import Reserved
from hgldp.model.task import Task
from hgldp.schemes.base import Scheme
from hgldp.schemes.registry import scheme_of
from hgldp.system.http import Unreachable
from hgldp.wire import api
from hgldp.wire.task import MOST_BYTES, read_task

Agree = Callable[[Task], object]


class Agreed(NamedTuple):
    """All that it takes to randomise events of a task."""

    task: Task
    caps: Caps
    scheme: Scheme
    randomizer: Randomizer
    bulletins: BulletinCache


class TaskFile:
    """The task's document and the list that it names, if it names one, fetched once and kept on the disk.

    The document is believed only if it hashes to the id that the application was built with, each time it is read, and
    the list only if it hashes to its name in the document. `agree` raises InvalidField for a task that is refused; it
    is asked before the list is fetched or read, which may be large.
    """

    def __init__(self, disk: Disk, path: Path, task: str) -> None:
        self._disk, self._path, self._task = disk, path, task
        self._list = path.with_name("hints")

    def load(self, agree: Agree) -> Task | None:
        """The copies on the disk, if they are all there and right."""
        try:
            task = self._verified(self._disk.read(self._path, MOST_BYTES))
            agree(task)
            return _with_list(task, self._disk.read(self._list, MOST_LIST_BYTES)) if task.hints else task
        except (OSError, Untrusted):
            return None

    def fetch(self, transport: Transport, agree: Agree) -> Task:
        """The collector's copies; keeps them. Of a task that is refused only the document is fetched and kept."""
        task = self._verified(fetch(transport, api.DOCUMENT.format(id=self._task), MOST_BYTES))
        self._disk.write(self._path, task.canonical)
        agree(task)
        if task.hints is not None:
            content = fetch(transport, api.HINTS.format(sha256=task.hints.digest), MOST_LIST_BYTES)
            task = _with_list(task, content)
            self._disk.write(self._list, content)
        return task

    def delete(self) -> None:
        """Remove the copies."""
        self._disk.unlink(self._path)
        self._disk.unlink(self._list)

    def _verified(self, data: bytes) -> Task:
        """The hash comes first: nothing in a stranger's document is read, not even to refuse it."""
        if sha256(b"hgldp task 1" + data).hexdigest() != self._task:
            raise Untrusted("the task's document must hash to the task's id, and it does not")
        try:
            return read_task(data)
        except MalformedBytes as wrong:
            raise Untrusted(f"the task's document is refused: {wrong}") from None


def _with_list(task: Task, content: bytes) -> Task:
    """The hash comes first here too: a list that nobody named is not even read."""
    if task.hints is None or sha256(content).hexdigest() != task.hints.digest:
        raise Untrusted("the list of strings must hash to its name in the task's document, and it does not")
    try:
        return task.with_hints(Hints.read(content))
    except InvalidField as wrong:
        raise Untrusted(f"the list of strings is refused: {wrong}") from None


class Agreement:
    """Task, caps, randomiser and bulletin, as soon as they are known and agreed to; or why they are refused.

    `refusal` is final. `trouble` says why the last renewal failed; it is tried again when it is `due`.
    """

    def __init__(self, folder: Path, ledger: Account, ceilings: Ceilings, pace: Pace, environment: Environment) -> None:
        task = ledger.page.task
        self._folder, self._ledger, self._id, self._ceilings = folder, ledger, task, ceilings
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
        with self._refusing():
            task = self._file.load(self._check)
            if task is not None:
                self._agree(task, sent, now)
                self._plan(now)

    def renew(self, transport: Transport, sent: int, now: float) -> None:
        """If it is due, learn the task unless it is known, and renew the bulletin."""
        if now < self.due or self.refusal is not None:
            return
        try:
            if self.agreed is None:
                with self._refusing():
                    self._agree(self._file.fetch(transport, self._check), sent, now)
            if self.agreed is not None:
                self.agreed.bulletins.renew(transport, now)
        except (Unreachable, Untrusted, OSError) as failure:
            self.trouble = "the disk fails" if isinstance(failure, OSError) else str(failure)
            self._timer.failed(now)
        else:
            self.trouble = ""
            self._plan(now)

    def code_of(self, item: object) -> Code:
        """What is randomised in place of an item. An item whose own code fails is an *other* like any other."""
        if self.agreed is None:
            return None
        if type(item) is Encoded:
            return item.code
        try:
            return self.agreed.task.encode(item)
        except (Exception, SystemExit, GeneratorExit, CancelledError):  # noqa: BLE001 - the item's own code runs here
            return self._other

    def encoded(self, item: object) -> object:
        """The item as its code if the task is known, so that its own code runs once, and here."""
        return item if self.agreed is None else Encoded(self.code_of(item))

    def is_other(self, item: object) -> bool:
        """Whether the task lists no such item; as long as the task is unknown, any might be listed."""
        return self.agreed is not None and self.code_of(item) == self._other

    def delete(self) -> None:
        """Forget everything, on disk too, so that the next round starts afresh.

        A bulletin that has to stay for a time does: otherwise nothing could be sent for as long after opting in again.
        """
        self._file.delete()
        if not self._ledger.page.held:
            self._environment.disk.unlink(self._folder / "bulletin")
        self._environment.disk.sync_folder(self._folder)
        self._forget()
        self._timer.due = 0.0

    def _forget(self) -> None:
        self.refusal: str | None = None
        self.agreed: Agreed | None = None
        self._other: Code = None

    def _plan(self, now: float) -> None:
        if self.agreed is not None:
            self._timer.succeeded(now, self.agreed.bulletins)

    def _check(self, task: Task) -> None:
        self._ceilings.randomizer(task, self._environment.words, 0)

    @contextmanager
    def _refusing(self) -> Iterator[None]:
        """What is refused here is refused for good."""
        try:
            yield
        except InvalidField as wrong:
            self.refusal = str(wrong)

    def _agree(self, task: Task, sent: int, now: float) -> None:
        disk, scheme = self._environment.disk, scheme_of(task)
        randomizer = self._ceilings.randomizer(task, self._environment.words, sent)
        path = self._folder / "bulletin"
        tenure = Tenure(self._ledger, task.bulletin_seconds) if task.bulletin_seconds else None
        bulletins = BulletinCache(disk, path, self._id, scheme, self._pace.most_age, self._pace.doubt, tenure)
        bulletins.load(now)
        self.agreed = Agreed(task, self._ceilings.caps(task), scheme, randomizer, bulletins)
        self._other = task.encode(Reserved.OTHER) if task.other else None
