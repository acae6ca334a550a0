"""Public models of strings: they say where the server cuts a cell, never what is counted.

A model knows how likely each byte follows a prefix: by the letter before it, by the case, within a letter of another
script by the rules of UTF-8. A task chooses one of three: text, URLs, or identifiers. None of them is learnt from
reports.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from itertools import accumulate
from math import prod
from typing import NamedTuple

from hgldp.model.bulletins import Cell
from hgldp.model.domain import END
from hgldp.model.rules import Spelling
from hgldp.stores.strings.letters import ENDING, START, after

LETTERS, DIGITS, SPACE = range(97, 123), range(48, 58), 32
NEVER, SAME_SCRIPT = 1e-6, 0.6
LEADS = {**dict.fromkeys(range(0xC2, 0xE0), 1), **dict.fromkeys(range(0xE0, 0xF0), 2)} | dict.fromkeys(
    range(0xF0, 0xF5), 3
)


class Context(NamedTuple):
    """All that a model knows of a prefix."""

    letter: str
    """The letter before, `START` after none, "0" after a digit and "*" after another script."""
    upper: bool
    missing: int
    """How many bytes of a letter are still to come."""
    lead: int
    """The first byte of the last letter of another script."""
    opening: int
    """The byte with which a usual opening goes on; 0 for none."""


@dataclass(frozen=True)
class Model:
    """What follows a word (its end apart), and how the shares of digits, signs, capitals and other scripts are.

    >>> model = model_of("text")
    >>> (first, part), (second, _) = model.halves(Cell(b"q", 117, 118))
    >>> first, second, round(part, 1)
    (Cell(prefix=b'q', low=117, high=117), Cell(prefix=b'q', low=118, high=118), 1.0)
    """

    signs: Mapping[str, float]
    ends: float
    digits: float
    scripts: float
    capitals: float
    humps: float = 0.01
    openings: tuple[bytes, ...] = ()
    _cut: dict[tuple[Context, int, int], tuple[int, float]] = field(default_factory=dict, repr=False, compare=False)

    def __deepcopy__(self, memo: object) -> "Model":
        """Itself: all stores share it, and what it has worked out stays true while another thread works out more."""
        return self

    def context(self, prefix: bytes) -> Context:
        """Of all prefixes there are a few thousand, so that each is worked out once."""
        lead, missing = _unfinished(prefix)
        going = next((each[len(prefix)] for each in self.openings if each[: len(prefix)] == prefix != each), 0)
        last = prefix[-1:]
        if last >= b"\x80":
            return Context("*", upper=False, missing=missing, lead=lead, opening=0)
        if last.isalpha():
            return Context(last.decode().lower(), last.isupper(), 0, 0, going)
        return Context("0" if last.isdigit() else START, upper=False, missing=0, lead=0, opening=going)

    @cached_property
    def _known(self) -> dict[Context, list[float]]:
        return {}

    def up_to(self, context: Context) -> list[float]:
        """The sum of the weights of all bytes below each byte."""
        if context not in self._known:
            self._known[context] = [0.0, *accumulate(self._weights(context))]
        return self._known[context]

    def mass(self, prefix: bytes, low: int, high: int) -> float:
        """How likely the next byte lies in low … high."""
        sums = self.up_to(self.context(prefix))
        return (sums[high + 1] - sums[low]) / sums[256]

    def part(self, child: Cell, parent: Cell) -> float:
        """What a cell has of another one that it lies in."""
        if child.prefix == parent.prefix:
            return self.mass(child.prefix, child.low, child.high) / self.mass(parent.prefix, parent.low, parent.high)
        steps = range(len(parent.prefix), len(child.prefix))
        way = prod(self.mass(child.prefix[:place], *[child.prefix[place]] * 2) for place in steps)
        own = self.mass(child.prefix, child.low, child.high)
        return way * own / self.mass(parent.prefix, parent.low, parent.high)

    def halves(self, cell: Cell) -> tuple[tuple[Cell, float], tuple[Cell, float]] | None:
        """Two cells that share a cell's strings, each with its part of the mass; None for a leaf."""
        while cell.low == cell.high:
            if cell.is_leaf:
                return None
            cell = Cell(cell.prefix + bytes([cell.low]), 0, 255)
        prefix, low, high = cell
        cut, part = self._middle(self.context(prefix), low, high)
        return (Cell(prefix, low, cut), part), (Cell(prefix, cut + 1, high), 1 - part)

    def _middle(self, context: Context, low: int, high: int) -> tuple[int, float]:
        """After which byte of low … high about half of the mass is over, and its part of the mass."""
        found = self._cut.get((context, low, high))
        if found is None:
            sums = self.up_to(context)
            whole, middle = sums[high + 1] - sums[low], (sums[high + 1] + sums[low]) / 2
            cut = min(range(low, high), key=lambda last: abs(sums[last + 1] - middle))
            found = self._cut[context, low, high] = cut, (sums[cut + 1] - sums[low]) / whole
        return found

    def _weights(self, context: Context) -> list[float]:
        """How likely each byte is next."""
        weights = [NEVER] * 256
        if context.missing:
            for byte in range(0x80, 0xC0):
                weights[byte] = 1.0
            return weights
        known = after(context.letter if context.letter.isalpha() else START)
        own = {START: 0.7, "0": 0.15, "*": 0.05}.get(context.letter, 1.0)
        ending = known[ENDING] if context.letter.isalpha() else {START: 0.02, "0": 0.2, "*": 0.25}[context.letter]
        capital = self.capitals if context.letter == START else 0.4 if context.upper else self.humps
        for byte in LETTERS:
            share = own * known[chr(byte)]
            weights[byte] += (1 - capital) * share
            weights[byte - 32] += capital * share
        for byte in DIGITS:
            weights[byte] += (0.5 if context.letter == "0" else self.digits) / 10
        for sign, share in self.signs.items():
            weights[ord(sign)] += share * max(ending, 0.1)
        weights[END] += self.ends * ending
        for byte in (each for each in range(33, 127) if weights[each] < 1e-4):
            weights[byte] = 1e-4
        for lead in LEADS:
            weights[lead] += self.scripts / len(LEADS)
        if context.lead:
            weights[context.lead] += SAME_SCRIPT
        if context.opening:
            weights[context.opening] += sum(weights)
        return weights


def _unfinished(prefix: bytes) -> tuple[int, int]:
    """The first byte of the last letter, if it is of another script, and how many of its bytes are still to come."""
    for back, byte in enumerate(reversed(prefix[-4:])):
        if byte < 0x80:
            break
        if byte in LEADS:
            return byte, max(0, LEADS[byte] - back)
    return 0, 0


@cache
def model_of(spelling: Spelling) -> Model:
    """The model of a task."""
    if spelling == "urls":
        signs = {"/": 0.6, ".": 0.4, "-": 0.4, "_": 0.1, "?": 0.1, "=": 0.1, "&": 0.1, "%": 0.1, ":": 0.05, "#": 0.05}
        return Model(signs, 0.8, 0.1, 0.005, 0.05, openings=(b"https://www.", b"http://www.", b"https://", b"/"))
    if spelling == "identifiers":
        signs = {"_": 0.5, ".": 0.2, "-": 0.3, ":": 0.1, "/": 0.1, "$": 0.02}
        return Model(signs, 0.8, 0.15, 0.005, 0.3, humps=0.08)
    signs = {
        " ": 0.3,
        "'": 0.03,
        "-": 0.03,
        ".": 0.04,
        "/": 0.03,
        ":": 0.02,
        "_": 0.01,
        "?": 0.01,
        "=": 0.01,
        "&": 0.01,
    }
    return Model(signs, 0.75, 0.03, 0.06, 0.25)
