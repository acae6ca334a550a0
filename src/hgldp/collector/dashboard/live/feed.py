"""What all who watch the same thing get: parts as bytes, encoded once per change, and events that they share."""

import asyncio
import json
import math
from collections.abc import Callable, Mapping
from itertools import count
from secrets import token_hex
from typing import Any, Protocol

from hgldp.wire.strict_json import strict

Parts = Mapping[str, Any]
RUN, NUMBERS = token_hex(4), count(1)
MOST_EVENTS, LONGEST_TURN = 8, 15


class Look(Protocol):
    """Renders what is new. None if there is nothing to see any more; with `waits` false it takes what is at hand."""

    async def __call__(self, *, waits: bool) -> Parts | None:
        """All parts; those that did not change are the same objects."""


class Watcher(Protocol):
    """Someone who wants to know."""

    def wake(self) -> None:
        """There is something new."""


class Part:
    """A value, the turn at which it last changed, and its JSON once somebody needed it."""

    __slots__ = ("_json", "turn", "value")

    def __init__(self, value: object, turn: int) -> None:
        self.value, self.turn, self._json = value, turn, b""

    @property
    def json(self) -> bytes:
        """Escapes line ends, so that no item can end an event early."""
        if not self._json:
            value = self.value if isinstance(self.value, str) else strict(self.value)
            self._json = json.dumps(value, separators=(",", ":")).encode()
        return self._json


class Feed:
    """The parts of one thing, and who watches them. A part is sent to those who have not got its last change."""

    def __init__(self, look: Look, write: "Callable[[Feed, dict[str, bytes]], bytes]", pause: float) -> None:
        self.look, self.pause = look, pause
        self.watchers: set[Watcher] = set()
        self.renewing: asyncio.Future[None] | None = None
        self.renewed, self.due, self.seen, self.gone, self.turn = -math.inf, 0.0, -1, False, 0
        self._write, self._name = write, f"{RUN}-{next(NUMBERS)}"
        self._parts: dict[str, Part] = {}
        self._events: dict[int, bytes] = {}

    def put(self, parts: Parts) -> bool:
        """Take the newest parts; whether any of them is new."""
        before, turn = self._parts, self.turn + 1
        self._parts = {
            name: old if (old := before.get(name)) is not None and _same(old.value, value) else Part(value, turn)
            for name, value in parts.items()
        }
        if all(part.turn != turn for part in self._parts.values()):
            return False
        self.turn = turn
        self._events.clear()
        return True

    @property
    def parts(self) -> dict[str, Any]:
        """What there is now."""
        return {name: part.value for name, part in self._parts.items()}

    @property
    def mark(self) -> str:
        """Names this feed at this turn: a page hands it in, and gets only what changed since."""
        return f"{self._name}.{self.turn}"

    def turn_of(self, mark: str) -> int:
        """The turn of a mark; before the first one if it is not of this feed."""
        name, _, turn = mark.rpartition(".")
        whole = turn.isascii() and turn.isdecimal() and len(turn) <= LONGEST_TURN
        return min(int(turn), self.turn) if whole and name == self._name else 0

    def event_since(self, turn: int) -> bytes:
        """All that changed after a turn as one event, or nothing. Those who lack the same share the same bytes."""
        if turn >= self.turn:
            return b""
        found = self._events.get(turn)
        if found is None:
            found = self._write(self, {name: part.json for name, part in self._parts.items() if part.turn > turn})
            if len(self._events) < MOST_EVENTS:
                self._events[turn] = found
        return found


def _same(old: object, new: object) -> bool:
    return old is new or old == new


def write_state(_: Feed, parts: dict[str, bytes]) -> bytes:
    """The event for programs: its only part, whole."""
    return b"event: state\ndata: " + b"".join(parts.values()) + b"\n\n"
