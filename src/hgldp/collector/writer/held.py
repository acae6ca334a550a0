"""What waits for a task that ends an epoch beside the writer, until the task is free again."""

from collections.abc import Container, Sequence

from hgldp.collector.problems import Problem, Refused
from hgldp.collector.settings import Limits
from hgldp.collector.writer.command import Command
from hgldp.collector.writer.pending import PendingUpload
from hgldp.collector.writer.queue import RETRY_SECONDS

HELD_COMMITS = 4


class Held:
    """Uploads and commands of busy tasks, in order of arrival. Of uploads, as many as fit into a few commits."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._uploads: list[PendingUpload] = []
        self._commands: list[Command] = []

    def __bool__(self) -> bool:
        return bool(self._uploads or self._commands)

    def __len__(self) -> int:
        """How many uploads."""
        return len(self._uploads)

    def release(self, busy: Container[int]) -> tuple[list[PendingUpload], list[Command]]:
        """What belongs to tasks that are free again; of their uploads, the oldest that one commit may hold."""
        uploads: list[PendingUpload] = []
        kept: list[PendingUpload] = []
        size, limits = 0, self._limits
        for upload in self._uploads:
            if upload.task in busy or len(uploads) == limits.group_uploads or size >= limits.group_bytes:
                kept.append(upload)
            else:
                uploads.append(upload)
                size += upload.size
        commands = [command for command in self._commands if command.task not in busy]
        self._uploads, self._commands = kept, [command for command in self._commands if command.task in busy]
        return uploads, commands

    def hold(
        self, uploads: Sequence[PendingUpload], commands: Sequence[Command], busy: Container[int]
    ) -> tuple[list[PendingUpload], list[Command]]:
        """Keep what belongs to a busy task and return the rest, with the uploads that had to be refused."""
        most = HELD_COMMITS * self._limits.group_uploads
        room = self._limits.queue_bytes - sum(upload.size for upload in self._uploads)
        rest: list[PendingUpload] = []
        for upload in uploads:
            if upload.task not in busy:
                rest.append(upload)
            elif len(self._uploads) < most and upload.size <= room:
                self._uploads.append(upload)
                room -= upload.size
            else:
                upload.outcome = Refused(Problem.QUEUE_FULL, retry_after=RETRY_SECONDS)
                rest.append(upload)
        self._commands += [command for command in commands if command.task in busy]
        return rest, [command for command in commands if command.task not in busy]
