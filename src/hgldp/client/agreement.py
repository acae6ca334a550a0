"""What the client knows of its task: nothing at first, then its document, within the ceilings or refused for good."""

from pathlib import Path

from hgldp.client.bulletin_cache import BulletinCache
from hgldp.client.ceilings import Caps, Ceilings
from hgldp.client.pace import Pace
from hgldp.client.randomizer import Randomizer
from hgldp.client.task_file import TaskFile
from hgldp.client.transport import Transport
from hgldp.client.world import World
from hgldp.errors import InvalidField, OutsideDomain
from hgldp.model.task import Task
from hgldp.schemes.base import Scheme
from hgldp.schemes.registry import scheme_of


class Agreement:
    """Task, caps, randomiser and bulletin, as soon as they are known and agreed to."""

    def __init__(self, folder: Path, task: str, ceilings: Ceilings, pace: Pace, world: World) -> None:
        self._folder, self._id, self._ceilings, self._pace, self._world = folder, task, ceilings, pace, world
        self._file = TaskFile(world.disk, folder / "task", task)
        self.forget()

    def forget(self) -> None:
        """Know nothing again."""
        self.refusal: str | None = None
        self.task: Task | None = None
        self.caps: Caps | None = None
        self.scheme: Scheme | None = None
        self.randomizer: Randomizer | None = None
        self.bulletins: BulletinCache | None = None

    def delete(self) -> None:
        """The same, on the disk too."""
        self._file.forget()
        self._world.disk.unlink(self._folder / "bulletin")
        self._world.disk.sync_folder(self._folder)
        self.forget()

    def recall(self, sent: int, now: float) -> bool:
        """Start from what an earlier run kept, if it did."""
        task = self._file.load()
        if task is not None:
            self._agree(task, sent, now)
        return task is not None

    def learn(self, transport: Transport, sent: int, now: float) -> None:
        """Fetch the document if it is not known."""
        if self.task is None and self.refusal is None:
            self._agree(self._file.fetch(transport), sent, now)

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

    def _agree(self, task: Task, sent: int, now: float) -> None:
        try:
            randomizer = self._ceilings.randomizer(task, self._world.words, sent)
        except InvalidField as wrong:
            self.refusal = str(wrong)
            return
        self.scheme, self.caps = scheme_of(task), self._ceilings.caps(task)
        path, most_age = self._folder / "bulletin", self._pace.most_age
        self.bulletins = BulletinCache(self._world.disk, path, self._id, self.scheme, most_age)
        self.bulletins.load(now)
        self.randomizer, self.task = randomizer, task
