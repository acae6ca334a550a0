"""Queued uploads to the server: the same bytes until it has them, does not want them, or it is too late.

It is too late when an upload never left and is as old as `Pace.keep`, or when it left and nobody has acknowledged it
for `Pace.repeat`: a collector knows the ids of uploads for a limited time, and would count it again.
"""

from typing import Protocol

from hgldp.client.environment import Environment
from hgldp.client.inbox import Inbox
from hgldp.client.pace import Pace
from hgldp.client.sending.outbox import Waiting
from hgldp.client.sending.transport import Transport
from hgldp.client.status import Outcome
from hgldp.errors import MalformedBytes
from hgldp.system.http import Answer, Unreachable
from hgldp.wire import api
from hgldp.wire.strict_json import read_json
from hgldp.wire.upload import Upload

UNWANTED = frozenset({400, 409, 410, 413, 415})
LONGEST_WAIT = 3_600.0
MEANINGS = {
    400: "it says the upload is malformed",
    404: "no task has this write key",
    409: "the task is closed",
    410: "the bulletin is too old, or the write key belongs to another task",
    413: "the upload is too large",
    415: "it expects another media type",
    429: "it takes fewer reports than were sent",
    503: "it cannot take more now",
}


def reason_of(status: int) -> str:
    """An answer that is not a success, in a sentence.

    >>> reason_of(404), reason_of(418)
    ('the server answered 404: no task has this write key', 'the server answered 418')
    """
    return f"the server answered {status}" + (f": {MEANINGS[status]}" if status in MEANINGS else "")


class Uploads(Protocol):
    """What is to be sent: files of one device, or rows for many people."""

    @property
    def waiting(self) -> tuple[Waiting, ...]:
        """In this order."""

    def read(self, one: Waiting) -> bytes | None:
        """The bytes to send, the same each time."""

    def postpone(self, one: Waiting) -> None:
        """Move it behind all others."""

    def remove(self, one: Waiting) -> None:
        """It was delivered or given up."""


class Departures(Protocol):
    """What left, and when."""

    def left_at(self, upload: str) -> int | None:
        """When it was first sent, if it was."""

    def note(self, data: bytes, second: int) -> None:
        """It is about to leave."""


class Delivery:
    """Sends in order, and waits longer after each failure; `trouble` says why the last upload was not taken."""

    def __init__(
        self, queue: Uploads, sent: Departures, inbox: Inbox, write_key: str, pace: Pace, environment: Environment
    ) -> None:
        self._queue, self._sent, self._inbox = queue, sent, inbox
        self._pace, self._chance = pace, environment.chance
        self._path = api.UPLOAD.format(write_key=write_key)
        self._failures = 0
        self._told = 0.0
        self.next_try = 0.0
        self.delivered = 0
        self.trouble = ""

    def hurry(self) -> None:
        """Try at once, unless the server asked to wait."""
        self.next_try = self._told

    def round(self, transport: Transport, now: float) -> None:
        """Try every upload once, until one of them fails."""
        if now < self.next_try:
            return
        for one in self._queue.waiting:
            data, left_at = self._queue.read(one), self._sent.left_at(one.upload)
            if data is None:
                self._inbox.drop(Outcome.DISK)
                self._queue.remove(one)
            elif left_at is not None and now - left_at > self._pace.repeat:
                self._give_up(one, data, Outcome.UNANSWERED)
            elif now - one.second > self._pace.keep:
                self._give_up(one, data, Outcome.EXPIRED)
            elif not self._send(transport, one, data, now):
                return
        self._failures = 0

    def _send(self, transport: Transport, one: Waiting, data: bytes, now: float) -> bool:
        try:
            transport.open()
            self._sent.note(data, int(now))
            answer = transport.post(self._path, data)
        except Unreachable as failure:
            self.trouble = str(failure)
            return self._wait(one, None, now)
        count = Upload.decode(data).count
        accepted = _accepted(answer, count)
        self.trouble = "" if accepted else reason_of(answer.status)
        if accepted:
            self.delivered += count
            self._queue.remove(one)
        elif answer.status in UNWANTED:
            self._give_up(one, data, Outcome.TURNED_DOWN)
        else:
            return self._wait(one, answer.wait, now)
        self._failures = 0
        return True

    def _give_up(self, one: Waiting, data: bytes, reason: Outcome) -> None:
        self._inbox.drop(reason, Upload.decode(data).count)
        self._queue.remove(one)

    def _wait(self, one: Waiting, told: float | None, now: float) -> bool:
        self._failures += 1
        self._told = now + min(told or 0.0, LONGEST_WAIT)
        self.next_try = max(self._told, now + self._pace.retry_after(self._failures, self._chance()))
        self._queue.postpone(one)
        return False


def _accepted(answer: Answer, count: int) -> bool:
    """A page that some device on the way made up is not an acknowledgement, even with status 200."""
    if answer.status != 200:
        return False
    try:
        return bool(read_json(answer.body) == {"accepted": count})
    except MalformedBytes:
        return False
