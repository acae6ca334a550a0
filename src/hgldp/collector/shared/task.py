"""One task inside a collector that shares its store: the database knows which uploads were taken."""

from collections.abc import Iterable, Sequence
from typing import Any

from hgldp.collector.log.storage import IdPiece, Transaction
from hgldp.collector.log.takeover.past_task import PastTask
from hgldp.collector.log.task_state import TaskState
from hgldp.collector.log.upload_ids import UploadIds


class IdsInTheDatabase(UploadIds):
    """Nothing is remembered here: the table `upload_ids` is asked before an upload is acknowledged."""

    def __len__(self) -> int:
        return 0

    def known(self, ids: Sequence[bytes]) -> set[bytes]:
        """None: whoever is in the log is new."""
        del ids
        return set()

    def add(self, ids: bytes, epoch: int) -> None:
        """They are remembered already."""

    def load(self, pieces: Iterable[IdPiece]) -> None:
        """There are none."""

    def save(self, changes: Transaction) -> None:
        """There is nothing to write down."""


class SharedTask(TaskState):
    """Counts the same entries to the same bytes as any other."""

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self.upload_ids = IdsInTheDatabase(self.row.number, self.row.id[:16])


class PastSharedTask(SharedTask, PastTask):
    """A shared task as another version counted it."""
