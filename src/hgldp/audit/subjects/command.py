"""Any client behind a command: events in as JSON, uploads out in hexadecimal (docs/audit.md has the protocol)."""

import json
import re
from collections.abc import Sequence
from types import TracebackType

from hgldp.audit.pairs import Events
from hgldp.audit.subjects.base import ClientFailed, Sent
from hgldp.audit.subjects.process import PATIENCE, PROTOCOL, Process
from hgldp.audit.views import Views, decoded, views_of
from hgldp.errors import MalformedBytes
from hgldp.model.bulletins import AnyBulletin
from hgldp.model.randomness import Words
from hgldp.model.task import Task
from hgldp.schemes.registry import scheme_of

BLOCK = 1_000
MOST_UPLOADS = 256
BELOW = re.compile(rb"below ([1-9][0-9]{0,99})")
SENT = b"sent"
KNOWS_NO_STEERING = "a steered audit needs a client that answers the line steer (docs/audit.md)"


class CommandClient:
    """One process that plays as many devices as it is asked to, each of them fresh."""

    def __init__(
        self,
        command: Sequence[str],
        task: Task,
        bulletin: AnyBulletin,
        *,
        patience: float = PATIENCE,
        block: int = BLOCK,
    ) -> None:
        self.block = block
        self._limit = scheme_of(task).symbol_limit(bulletin)
        self._version = bytes.fromhex(bulletin.version)
        self._knows_steering = False
        self._process = Process(command, patience)
        self._process.say(PROTOCOL, f"task {task.canonical.hex()}", f"bulletin {bulletin.canonical.hex()}")

    def draw(self, events: Events, count: int) -> Views:
        """One line of uploads a device."""
        self._process.say(f"draw {count} {json.dumps(list(events))}")
        try:
            return views_of(map(_uploads, self._process.hear(count)), self._limit, self._version)
        except MalformedBytes as wrong:
            raise self._process.failed(str(wrong)) from None

    def steer(self, events: Events, words: Words) -> Sent:
        """One device that asks for each of its integers, until it says what it sends."""
        self._process.say(f"steer {json.dumps(list(events))}")
        try:
            while asked := BELOW.fullmatch(line := next(self._process.hear(1))):
                self._process.say(str(words.below(int(asked[1]))))
        except ClientFailed as failure:
            raise failure if self._knows_steering else ClientFailed(f"{failure}; {KNOWS_NO_STEERING}") from None
        word, _, uploads = line.partition(b" ")
        if word != SENT:
            raise self._process.failed(f"it must write below N or sent; {KNOWS_NO_STEERING}")
        self._knows_steering = True
        try:
            found = [decoded(upload, self._version) for upload in _uploads(uploads)]
            return tuple(tuple(upload.symbols(self._limit)) for upload in found)
        except MalformedBytes as wrong:
            raise self._process.failed(str(wrong)) from None

    def __enter__(self) -> "CommandClient":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        try:
            if kind is None:
                self._process.finish()
        finally:
            self._process.close()


def _uploads(line: bytes) -> list[bytes]:
    r"""The uploads of a line.

    >>> _uploads(b"0a0b ff"), _uploads(b"")
    ([b'\n\x0b', b'\xff'], [])
    """
    words = line.split(None, MOST_UPLOADS)
    if len(words) > MOST_UPLOADS:
        raise MalformedBytes(f"a line must have at most {MOST_UPLOADS} uploads: they are those of one device")
    try:
        return [bytes.fromhex(word.decode("ascii")) for word in words]
    except ValueError:
        raise MalformedBytes("a line must be uploads in hexadecimal digits, with blanks between them") from None
