"""The task's own document: fetched once, believed only if it hashes to the id that the application was built with."""

from hashlib import sha256
from pathlib import Path

from hgldp.client.disk import Disk
from hgldp.client.refusals import Unreachable, Untrusted
from hgldp.client.transport import Transport
from hgldp.errors import MalformedBytes
from hgldp.model.task import Task
from hgldp.wire.task import MOST_BYTES, read_task


class TaskFile:
    """A copy on the disk, checked each time it is read."""

    def __init__(self, disk: Disk, path: Path, task: str) -> None:
        self._disk, self._path, self._task = disk, path, task

    def load(self) -> Task | None:
        """The copy, if there is one and it is right."""
        try:
            return self._verified(self._path.read_bytes())
        except (OSError, Untrusted):
            return None

    def fetch(self, transport: Transport) -> Task:
        """From the collector."""
        answer = transport.get(f"/v1/tasks/{self._task}/document", MOST_BYTES)
        if answer.status != 200:
            raise Unreachable(f"no usable answer (status {answer.status})")
        task = self._verified(answer.body)
        self._disk.write(self._path, task.canonical)
        return task

    def forget(self) -> None:
        """Delete the copy."""
        self._disk.unlink(self._path)

    def _verified(self, data: bytes) -> Task:
        """The hash first: nothing of a stranger's document is read, not even to be refused."""
        if sha256(b"hgldp task 1" + data).hexdigest() != self._task:
            raise Untrusted("the task's document must hash to the task's id, and it does not")
        try:
            return read_task(data)
        except MalformedBytes as wrong:
            raise Untrusted(f"the task's document is refused: {wrong}") from None
