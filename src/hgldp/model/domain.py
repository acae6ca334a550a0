"""The set of possible items. Inside the package an item is its index, 0 … size − 1."""

from dataclasses import dataclass
from functools import cached_property
from operator import index
from typing import Any, ClassVar, Protocol, SupportsIndex, cast

from hgldp.errors import InvalidField, OutsideDomain
from hgldp.model.hints import Hints
from hgldp.model.validate import LARGEST_63, check_whole

MAX_SIZE = (1 << 31) - 1
SHOWN_WORDS, LONGEST_SHOWN = 8, 40


def check_size(size: int, field: str = "domain_size") -> int:
    """Return the size if it is legal, or refuse it."""
    return check_whole(field, size, 2, MAX_SIZE)


Code = int | bytes | None


class AnyDomain(Protocol):
    """What every domain can do, listed or not."""

    @property
    def has_numbers(self) -> bool:
        """Whether items are integers; otherwise they are texts."""

    @property
    def size(self) -> int | None:
        """How many items there are; None where nobody listed them."""

    def encode(self, item: object) -> Code:
        """What a scheme randomises in place of the item; an item outside is refused and never repeated in the error."""

    def as_fields(self) -> list[object]:
        """The domain as the canonical bytes of a task have it."""

    def summary(self) -> dict[str, Any]:
        """Kind and extent, for JSON: without its words, which may be millions."""

    def describe(self) -> str:
        """In words, for people."""


class Domain(AnyDomain, Protocol):
    """A listed domain: every item has a number."""

    @property
    def size(self) -> int:
        """How many items there are."""

    def index(self, item: object) -> int:
        """The number of an item; an item outside is refused and never repeated in the error."""

    def item(self, index: int) -> object:
        """The item of a number."""


def listed(domain: AnyDomain) -> Domain:
    """The domain itself, if it lists its items."""
    if domain.size is None:
        raise InvalidField("domain", "must be listed; only pfr serves strings that nobody listed", "strings")
    return cast(Domain, domain)


def listed_size(domain: AnyDomain) -> int:
    """How many items a domain lists; strings that nobody listed have no number."""
    return listed(domain).size


@dataclass(frozen=True)
class RangeDomain:
    """The integers start … start + size − 1.

    >>> RangeDomain(size=1000, start=1).index(1)
    0
    """

    has_numbers: ClassVar[bool] = True
    size: int
    start: int = 0

    def __post_init__(self) -> None:
        check_size(self.size)
        check_whole("start", self.start, -LARGEST_63 - 1, LARGEST_63)

    def index(self, item: object) -> int:
        """The number of an item."""
        try:
            place = -1 if isinstance(item, bool) else index(cast(SupportsIndex, item)) - self.start
        except Exception:  # noqa: BLE001 - the item's own code runs here, and it may raise anything
            place = -1
        if not 0 <= place < self.size:
            kind = "" if isinstance(item, int) else f", not {type(item).__name__}"
            raise OutsideDomain(f"integers {self.start} … {self.start + self.size - 1}{kind}")
        return place

    def encode(self, item: object) -> int:
        """The number of an item."""
        return self.index(item)

    def item(self, index: int) -> int:
        """The item with a number."""
        if not 0 <= index < self.size:
            raise InvalidField("index", f"must lie in 0 … {self.size - 1}", index)
        return index + self.start

    def as_fields(self) -> list[object]:
        """Kind, first item and size."""
        return ["range", self.start, self.size]

    def summary(self) -> dict[str, Any]:
        """First item and size."""
        return {"range": [self.start, self.size]}

    def describe(self) -> str:
        """First and last item."""
        return f"the numbers {self.start:,} … {self.start + self.size - 1:,}"


@dataclass(frozen=True)
class Vocabulary:
    """A list of distinct strings, known to clients and server.

    >>> Vocabulary(("tea", "coffee")).index("coffee")
    1
    >>> Vocabulary(("tea", "coffee")).index("a secret")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    hgldp.errors.OutsideDomain: item is outside the domain (vocabulary of 2 words); the item is withheld from this ...
    """

    has_numbers: ClassVar[bool] = False
    words: tuple[str, ...]

    def __post_init__(self) -> None:
        if not isinstance(self.words, tuple | list):
            rule = "must be a list or tuple of str (a set has no order that clients and server share)"
            raise InvalidField("words", rule, type(self.words).__name__)
        for word in self.words:
            if not isinstance(word, str):
                rule = "must be a list or tuple of str; for whole numbers take range(…) as the domain"
                raise InvalidField("words", rule, f"one of type {type(word).__name__}")
        object.__setattr__(self, "words", tuple(self.words))
        if not 2 <= len(self.words) <= MAX_SIZE:
            raise InvalidField("words", f"must be at least 2 words and at most {MAX_SIZE:,}", len(self.words))
        if len(self._numbers) != len(self.words):
            twice = next(word for number, word in enumerate(self.words) if self._numbers[word] != number)
            raise InvalidField("words", "must be distinct", f"{str.__str__(twice)[:LONGEST_SHOWN]!r} more than once")

    def __repr__(self) -> str:
        first = ", ".join(map(repr, self.words[:SHOWN_WORDS]))
        return f"Vocabulary({first}{', …' if self.size > SHOWN_WORDS else ''}; {self.size:,} words)"

    @property
    def size(self) -> int:
        """How many words there are."""
        return len(self.words)

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return {word: number for number, word in enumerate(self.words)}

    def index(self, item: object) -> int:
        """The number of a word."""
        number = self._numbers.get(str.__str__(item)) if isinstance(item, str) else None  # runs no code of the item
        if number is None:
            kind = "" if isinstance(item, str) else f", not {type(item).__name__}"
            raise OutsideDomain(f"vocabulary of {self.size} words{kind}")
        return number

    def encode(self, item: object) -> int:
        """The number of a word."""
        return self.index(item)

    def item(self, index: int) -> str:
        """The word with a number."""
        if not 0 <= index < self.size:
            raise InvalidField("index", f"must lie in 0 … {self.size - 1}", index)
        return self.words[index]

    def as_fields(self) -> list[object]:
        """Kind and words."""
        return ["vocabulary", list(self.words)]

    def summary(self) -> dict[str, Any]:
        """How many words."""
        return {"words": self.size}

    def describe(self) -> str:
        """How many words."""
        return f"{self.size:,} words"


END = 0
MOST_BYTES = 255


@dataclass(frozen=True)
class StringDomain:
    """UTF-8 strings of at most `most_bytes` bytes. A code is the bytes with an end mark, so a code *is* the string.

    A string that is too long, holds the end mark or is not valid UTF-8 has no code: it counts as "everything else".
    `hints` is a public list of strings that are expected; others may come as well.

    >>> domain = StringDomain(most_bytes=8)
    >>> domain.code("tea"), domain.code("a very long drink"), domain.string(b"tea")
    (b'tea\\x00', None, 'tea')
    """

    has_numbers: ClassVar[bool] = False
    most_bytes: int = 64
    hints: Hints | None = None

    def __post_init__(self) -> None:
        check_whole("most_bytes", self.most_bytes, 1, MOST_BYTES)
        if self.hints is not None and self.hints.is_here and self.hints.strings.longest > self.most_bytes:
            lengths = (len(line.encode()) for line in self.hints.strings)
            line, long = next((n, long) for n, long in enumerate(lengths, start=1) if long > self.most_bytes)
            rule = f"must be strings of at most {self.most_bytes} bytes"
            raise InvalidField("hints", rule, f"{long} bytes in line {line:,}")

    @property
    def size(self) -> None:
        """None: nobody listed the strings."""
        return

    def encode(self, item: object) -> bytes | None:
        """The code of a string; what is not even a string counts as "everything else" too."""
        return self.code(item) if isinstance(item, str) else None

    def as_fields(self) -> list[object]:
        """Kind and length, and which list is expected."""
        known = () if self.hints is None else (self.hints.digest, self.hints.size)
        return ["strings", self.most_bytes, *known]

    def summary(self) -> dict[str, Any]:
        """How long a string may be, and which list is expected."""
        known = {} if self.hints is None else {"hints": {"sha256": self.hints.digest, "strings": self.hints.size}}
        return {"strings": self.most_bytes} | known

    def describe(self) -> str:
        """How long a string may be, and how many are expected."""
        known = "" if self.hints is None else f", {self.hints.size:,} of them on a list"
        return f"strings of at most {self.most_bytes} bytes{known}"

    def code(self, item: object) -> bytes | None:
        """The bytes of a string and the end mark; None where there is no code."""
        if not isinstance(item, str):
            raise OutsideDomain(f"strings of at most {self.most_bytes} bytes")
        if str.__len__(item) > self.most_bytes:
            return None
        try:
            text = str.__str__(item).encode()
        except UnicodeEncodeError:
            return None
        return None if len(text) > self.most_bytes or END in text else text + bytes([END])

    def string(self, text: bytes) -> str:
        """The string of a code without its end mark."""
        try:
            return text.decode()
        except UnicodeDecodeError:
            raise InvalidField("text", "must be valid UTF-8", f"{len(text)} other bytes") from None


def as_domain(given: object) -> AnyDomain:
    """The domain that a plain value stands for: a range, a list of words, or how many bytes a string may have.

    A column of words from NumPy, pandas or Arrow is a list of words too.

    >>> as_domain(range(1, 1001)), as_domain(["tea", "coffee"]).size, as_domain(64)
    (RangeDomain(size=1000, start=1), 2, StringDomain(most_bytes=64, hints=None))
    """
    if isinstance(given, RangeDomain | Vocabulary | StringDomain):
        return given
    if isinstance(given, range):
        if given.step != 1:
            raise InvalidField("domain", "must be a range with steps of 1", given)
        size = given.stop - given.start
        if not 2 <= size <= MAX_SIZE:
            raise InvalidField("domain", f"must be a range of at least 2 numbers and at most {MAX_SIZE:,}", given)
        return RangeDomain(size, given.start)
    if isinstance(given, int) and not isinstance(given, bool):
        if not 1 <= given <= MOST_BYTES:
            rule = f"must be 1 … {MOST_BYTES} as the longest string in bytes; for numbers give a range"
            raise InvalidField("domain", rule, given)
        return StringDomain(given)
    if isinstance(given, list | tuple):
        return Vocabulary(tuple(given))
    convert = getattr(given, "to_pylist", None) or getattr(given, "tolist", None)
    if callable(convert) and not isinstance(given, type) and isinstance(plain := convert(), int | list):
        return as_domain(plain)
    rule = "must be a list of words, a range, how many bytes a string may have, or a domain"
    raise InvalidField("domain", rule, type(given).__name__)
