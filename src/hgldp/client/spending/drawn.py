"""One event of a person's period, drawn uniformly while the events come, and kept until the period is over.

The drawn item is the one thing of an event that this client ever writes to the disk: a period outlives a process. The
file is readable by its owner only, holds the item's code and no time, and goes when the report is made or one opts out.
"""

import json
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from hgldp.client.environment import Disk
from hgldp.errors import MalformedBytes
from hgldp.model.domain import Code
from hgldp.model.randomness import Words
from hgldp.wire.strict_json import read_json

MOST_BYTES = 4096


@dataclass(frozen=True)
class Draw:
    """The events of one period: how many there were, and the code of one of them, each as likely as any other."""

    period: int
    seen: int = 0
    code: Code = field(default=None, repr=False)

    def with_event(self, code: Code, words: Words) -> "Draw":
        """One more event: of `seen` events the last one replaces the drawn one with chance 1 / seen."""
        seen = self.seen + 1
        return Draw(self.period, seen, code if words.below(seen) == 0 else self.code)


class Drawn:
    """The draw of the open period, and that of the last period if its report is still to be made."""

    def __init__(self, disk: Disk, path: Path) -> None:
        self._disk, self._path = disk, path
        self.open: Draw | None = None
        self.over: Draw | None = None
        self._saved: bytes | None = None
        self._load()

    def turn(self, period: int) -> None:
        """Open a period if it is later than the open one, which is then over. One that had events stays until reported.

        Only the latest period with events is kept: a device that was away for several sends one report.
        """
        if self.open is not None and period > self.open.period:
            if self.open.seen or self.over is None:
                self.over = self.open
            self.open = None
        if self.open is None:
            self.open = Draw(period)
        elif period < self.open.period:  # the date was wrong when it was opened; the ledger repeats no period
            self.open = replace(self.open, period=period)

    def take(self, codes: list[Code], words: Words) -> None:
        """Let the events of the open period take part."""
        for code in codes:
            if self.open is not None:
                self.open = self.open.with_event(code, words)

    def reported(self) -> None:
        """The report of the last period is made, or nobody wants it."""
        self.over = None

    def save(self) -> None:
        """Make it durable, unless nothing changed."""
        data = _encode(self.open, self.over)
        if data != self._saved:
            self._disk.write(self._path, data)
            self._saved = data

    def clear(self) -> None:
        """Forget all, on the disk too."""
        self.open = self.over = self._saved = None
        for path in (self._path, self._path.with_name(f"{self._path.name}.new")):  # a crash may leave half a write
            self._disk.unlink(path)

    def _load(self) -> None:
        """What an earlier run kept; a file that is not as it was written counts as none."""
        try:
            data = self._disk.read(self._path, MOST_BYTES)
            found: Any = read_json(data)
            self.open, self.over = (_read(found[name]) for name in ("open", "over"))
            self._saved = data
        except (OSError, MalformedBytes, KeyError, TypeError, ValueError):
            self.open = self.over = None


def _encode(opened: Draw | None, over: Draw | None) -> bytes:
    return json.dumps({"open": _fields(opened), "over": _fields(over)}).encode()


def _fields(one: Draw | None) -> list[object] | None:
    return None if one is None else [one.period, one.seen, one.code.hex() if isinstance(one.code, bytes) else one.code]


def _read(found: Any) -> Draw | None:
    if found is None:
        return None
    period, seen, code = found
    if type(period) is not int or type(seen) is not int or seen < 0:
        raise ValueError("not a draw")
    if code is not None and not isinstance(code, int | str):
        raise ValueError("not a code")
    return Draw(period, seen, bytes.fromhex(code) if isinstance(code, str) else code)
