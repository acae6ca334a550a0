"""Which of the workers sends, and what it tells the others about the collector."""

from pathlib import Path

from hgldp.client.people.database import Database
from hgldp.errors import FolderInUse, FolderLost
from hgldp.system.folder_lock import FolderLock

DOUBTS = "SELECT 1 FROM common WHERE name = 'doubt'"
BEGIN = "INSERT OR REPLACE INTO common VALUES ('doubt', x'01')"
END = "DELETE FROM common WHERE name = 'doubt'"


def sender_folder(folder: Path) -> Path:
    """Whoever has the lock on this folder sends; it holds nothing else."""
    made = folder / "sender"
    made.mkdir(mode=0o700, exist_ok=True)
    return made


class Lead:
    """Held by one worker at a time. The system releases it when that one ends, however it ends."""

    def __init__(self, folder: Path, database: Database) -> None:
        self._folder, self._database = folder, database
        self._lock: FolderLock | None = None

    @property
    def held(self) -> bool:
        """Whether this worker sends."""
        return self._lock is not None

    def seek(self) -> bool:
        """Take it if nobody has it, and see whether it is still held; whether this worker sends."""
        try:
            if self._lock is None:
                self._lock = FolderLock(sender_folder(self._folder))
            self._lock.verify()
        except (FolderInUse, FolderLost):
            self.step_down()
        return self.held

    def step_down(self) -> None:
        """Let another worker send. In a forked child this leaves the parent what it holds."""
        if self._lock is not None:
            self._lock.release()
            self._lock = None

    @property
    def doubts(self) -> bool:
        """Whether the worker that sends has seen a bulletin that cannot be right, and no good one since."""
        return bool(self._database.read(DOUBTS))

    def share_doubt(self, *, doubt: bool) -> None:
        """As long as the collector shows such a bulletin, no worker randomises."""
        if doubt != self.doubts:
            with self._database.write() as rows:
                rows.execute(BEGIN if doubt else END)
