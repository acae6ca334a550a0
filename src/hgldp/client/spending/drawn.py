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


class Draws:
    """The draw of the open period, and that of the last period if its report is still to be made."""

    def __init__(self, data: bytes | None = None) -> None:
        """From what an earlier run kept; bytes that are not as they were written count as none."""
        self.open: Draw | None = None
        self.over: Draw | None = None
        self._saved: bytes | None = None
        try:
            found: Any = None if data is None else read_json(data)
            if found is not None:
                self.open, self.over = (_read(found[name]) for name in ("open", "over"))
                self._saved = data
        except (MalformedBytes, KeyError, TypeError, ValueError):
            self.open = self.over = None

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

    def encode(self) -> bytes:
        """What the next run starts from."""
        return json.dumps({"open": _fields(self.open), "over": _fields(self.over)}).encode()

    def save(self) -> None:
        """Here there is no disk: who keeps the bytes of `encode` sees to them."""

    def clear(self) -> None:
        """Forget all."""
        self.open = self.over = self._saved = None


class Drawn(Draws):
    """The same in a file of its own."""

    def __init__(self, disk: Disk, path: Path) -> None:
        self._disk, self._path = disk, path
        try:
            data = disk.read(path, MOST_BYTES)
        except OSError:
            data = None
        super().__init__(data)

    def save(self) -> None:
        """Make it durable, unless nothing changed."""
        data = self.encode()
        if data != self._saved:
            self._disk.write(self._path, data)
            self._saved = data

    def clear(self) -> None:
        """Forget all, on the disk too."""
        super().clear()
        for path in (self._path, self._path.with_name(f"{self._path.name}.new")):  # a crash may leave half a write
            self._disk.unlink(path)


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
