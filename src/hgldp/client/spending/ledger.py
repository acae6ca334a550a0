"""What was spent. It is on the disk before anything is randomised, so a crash may waste a report but repeats none."""

from dataclasses import replace
from pathlib import Path

from hgldp.client.environment import Disk
from hgldp.client.spending.account import Account
from hgldp.client.spending.page import LedgerDamaged, Page
from hgldp.errors import InvalidField
from hgldp.system.clock import Clock, SteadyTime
from hgldp.system.folder_lock import FolderLock

SETTLED_SECONDS = 600
COMPANIONS = ("queue", "sent", "bulletin", "task", "hints", "drawn", "people.db")


class Ledger(Account):
    """Grants reports within caps. What it grants is on the disk first; when the disk fails, it counts as spent.

    Only the holder of the folder's lock spends, so its memory knows best: a file that was removed, or replaced by an
    older one, is written anew. A file that says more was written by someone else, and then nothing more is granted.
    """

    def __init__(self, disk: Disk, path: Path, task: str, clock: Clock, lock: FolderLock) -> None:
        self._disk, self._path, self._lock = disk, path, lock
        fresh = not path.exists()
        if fresh and any((path.parent / name).exists() for name in COMPANIONS):
            raise LedgerDamaged("must not vanish while the rest of the folder stays, and it is gone")
        self.page = Page(task) if fresh else Page.decode(path.read_bytes())
        if self.page.task != task:
            rule, found = "must be new, or hold the ledger of this task", f"the ledger of task {self.page.task[:12]}"
            raise InvalidField("folder", rule, found, "; take another folder for this task")
        self.time = SteadyTime(clock, self.page.second)
        if fresh:
            self._turn(self.page)

    def settle(self) -> None:
        """Put the file back if it is not what this process knows, so that the next one starts from what was spent.

        Every few minutes it is written anyway: a device whose date was once too late must not start from that date
        again and again.
        """
        if self._on_disk() != self.page or self.time.now() >= self.page.second + SETTLED_SECONDS:
            self._turn(self.page)

    def close(self) -> None:
        """Write down what is known, the time too."""
        self._turn(self.page)

    def _turn(self, page: Page) -> None:
        self._lock.verify()
        found = self._on_disk()
        if found is not None and (found.reports, found.seen) > (self.page.reports, self.page.seen):
            raise LedgerDamaged("must be written by one process, and another one has spent more")
        self.page = replace(page, second=int(self.time.now()))
        self._disk.write(self._path, self.page.encode())
        self._lock.verify()

    def _on_disk(self) -> Page | None:
        try:
            return Page.decode(self._path.read_bytes())
        except (FileNotFoundError, LedgerDamaged):
            return None
