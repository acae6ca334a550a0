"""A public list of strings that many people are expected to send, which need not be complete: named by its hash."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256
from typing import Self

from hgldp.errors import InvalidField

FEWEST, MOST_STRINGS, MOST_LIST_BYTES, LONGEST = 2, 1_000_000, 1 << 24, 255
LINE_END, END_MARK = "\n", b"\0"
_DIGEST = re.compile(r"[0-9a-f]{64}\Z")


@dataclass(frozen=True)
class Hints:
    """The name of a list, its SHA-256 in hexadecimal; how many strings it has; and the list itself where it is at hand.

    The list is a file: UTF-8, one string in each line, every line ended by a line feed. Clients and server number the
    strings by their lines. Two lists with the same bytes are the same list; a task names one, and its bytes come once.

    >>> hints = Hints.of(["tea", "mate"])
    >>> hints.content, hints.index(b"mate\\0"), hints.index(b"milk\\0"), hints.digest[:8]
    (b'tea\\nmate\\n', 1, None, '8ab17222')
    >>> Hints(hints.digest, 2) == hints
    True
    >>> Hints(hints.digest, 2).index(b"mate\\0")
    Traceback (most recent call last):
    hgldp.errors.InvalidField: hints must be the list itself, not only its name: task.with_hints(list), got none
    """

    digest: str
    size: int
    content: bytes | None = field(default=None, compare=False, repr=False)

    def __post_init__(self) -> None:
        if not isinstance(self.digest, str) or not _DIGEST.match(self.digest):
            raise InvalidField("hints", "must be named by 64 hexadecimal digits in lower case", repr(self.digest)[:80])
        if type(self.size) is not int or not FEWEST <= self.size <= MOST_STRINGS:
            raise InvalidField("hints", f"must hold {FEWEST:,} … {MOST_STRINGS:,} strings", self.size)
        if self.content is not None:
            self._check(self.content)

    def __deepcopy__(self, memo: object) -> Self:
        """Itself: a copy of a server's state does not copy a million strings."""
        return self

    def _check(self, content: bytes) -> None:
        if len(content) > MOST_LIST_BYTES:
            raise InvalidField("hints", f"must have at most {MOST_LIST_BYTES:,} bytes", f"{len(content):,}")
        if sha256(content).hexdigest() != self.digest:
            raise InvalidField("hints", f"must hash to {self.digest}", sha256(content).hexdigest())
        try:
            lines = content.decode().split(LINE_END)
        except UnicodeDecodeError:
            raise InvalidField("hints", "must be UTF-8", f"{len(content):,} other bytes") from None
        if lines.pop():
            raise InvalidField("hints", "must end every line with a line feed", "a last line without one")
        if len(lines) != self.size:
            raise InvalidField("hints", f"must hold {self.size:,} strings", f"{len(lines):,}")
        first: dict[str, int] = {}
        for number, line in enumerate(lines, start=1):
            if not line or "\0" in line or len(line.encode()) > LONGEST:
                rule = f"must have 1 … {LONGEST} bytes in each line, none of them zero"
                raise InvalidField("hints", rule, f"another in line {number:,}")
            if first.setdefault(line, number) != number:
                raise InvalidField("hints", "must be distinct", f"line {number:,}, which is line {first[line]:,} again")

    @classmethod
    def of(cls, strings: Iterable[str]) -> Self:
        """The list of these strings, in this order."""
        if isinstance(strings, str | bytes):
            raise InvalidField("hints", "must be a list of strings", type(strings).__name__)
        lines = list(strings)
        for line in lines:
            if not isinstance(line, str) or LINE_END in line:
                shown = "one with a line feed" if isinstance(line, str) else f"one of type {type(line).__name__}"
                raise InvalidField("hints", "must be strings of one line each", shown)
        try:
            return cls.read(LINE_END.join([*lines, ""]).encode())
        except UnicodeEncodeError:
            raise InvalidField("hints", "must be valid text", "a string that UTF-8 cannot encode") from None

    @classmethod
    def read(cls, content: bytes) -> Self:
        """The list of a file's bytes; what is not exactly such a file is refused."""
        if len(content) > MOST_LIST_BYTES:
            raise InvalidField("hints", f"must have at most {MOST_LIST_BYTES:,} bytes", f"{len(content):,}")
        return cls(sha256(content).hexdigest(), content.count(b"\n"), content)

    @property
    def is_here(self) -> bool:
        """Whether the list itself is at hand."""
        return self.content is not None

    @property
    def data(self) -> bytes:
        """The list; an error if only its name is known."""
        if self.content is None:
            raise InvalidField("hints", "must be the list itself, not only its name: task.with_hints(list)", "none")
        return self.content

    @cached_property
    def strings(self) -> tuple[str, ...]:
        """The list, string by string."""
        return tuple(self.data.decode().split(LINE_END)[:-1])

    @cached_property
    def _numbers(self) -> dict[bytes, int]:
        return {line + END_MARK: number for number, line in enumerate(self.data.split(b"\n")[:-1])}

    def index(self, code: bytes | None) -> int | None:
        """The number of a string's code, the bytes with an end mark; None if it is not on the list."""
        return None if code is None else self._numbers.get(code)
