"""A public list of strings that many people are expected to send, which need not be complete: named by its hash."""

import re
from codecs import getincrementaldecoder
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256
from io import BytesIO
from typing import Self
from weakref import WeakValueDictionary

from hgldp.errors import InvalidField
from hgldp.model.lines import Lines

FEWEST, MOST_STRINGS, MOST_LIST_BYTES, LONGEST = 2, 1_000_000, 1 << 24, 255
LINE_END, END_MARK, AT_ONCE = "\n", b"\0", 1 << 16
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
        if not _is_text(content):
            raise InvalidField("hints", "must be UTF-8", f"{len(content):,} other bytes")
        if content and not content.endswith(b"\n"):
            raise InvalidField("hints", "must end every line with a line feed", "a last line without one")
        found = content.count(b"\n")
        if found != self.size:
            raise InvalidField("hints", f"must hold {self.size:,} strings", f"{found:,}")
        wrong, again = _first_wrong(content), self.strings.repeated
        if again is not None and (wrong is None or again[0] < wrong):
            shown = f"line {again[0] + 1:,}, which is line {again[1] + 1:,} again"
            raise InvalidField("hints", "must be distinct", shown)
        if wrong is not None:
            rule = f"must have 1 … {LONGEST} bytes in each line, none of them zero"
            raise InvalidField("hints", rule, f"another in line {wrong + 1:,}")

    @classmethod
    def of(cls, strings: Iterable[str]) -> "Hints":
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
    def read(cls, content: bytes) -> "Hints":
        """The list of a file's bytes; what is not exactly such a file is refused. Each list is in memory once."""
        if len(content) > MOST_LIST_BYTES:
            raise InvalidField("hints", f"must have at most {MOST_LIST_BYTES:,} bytes", f"{len(content):,}")
        name = sha256(content).hexdigest()
        found = _HELD.get(name)
        return found or _HELD.setdefault(name, cls(name, content.count(b"\n"), content))

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
    def strings(self) -> Lines:
        """The list, string by string."""
        return Lines(self.data)

    def index(self, code: bytes | None) -> int | None:
        """The number of a string's code, the bytes with an end mark; None if it is not on the list."""
        return None if code is None or code[-1:] != END_MARK else self.strings.find(code[:-1])


_HELD: WeakValueDictionary[str, Hints] = WeakValueDictionary()


def _first_wrong(content: bytes) -> int | None:
    """The first line that is empty, too long, or holds the end mark."""
    lines = enumerate(BytesIO(content))
    return next((number for number, line in lines if not 1 < len(line) <= LONGEST + 1 or END_MARK in line), None)


def _is_text(content: bytes) -> bool:
    """Whether it is UTF-8, looked at piece by piece: as text it may need four times the bytes."""
    decoder, view = getincrementaldecoder("utf-8")(), memoryview(content)
    try:
        for start in range(0, len(view), AT_ONCE):
            decoder.decode(view[start : start + AT_ONCE])
        decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        return False
    return True
