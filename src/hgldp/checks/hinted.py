"""PFR with a list under check: one channel over both parts, and the unbiased count of every leaf of either."""

from collections.abc import Hashable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from hgldp.checks.subjects import BulletinSubject, Subject
from hgldp.model.bulletins import Cell, FrontierBulletin, HintedBulletin, OpenBulletin
from hgldp.model.hints import Hints
from hgldp.model.randomness import Words
from hgldp.model.weights import Epsilon
from hgldp.schemes.hinted_pfr import HintedPFR

NAME = "pfr (hints)"
LIST = ("tea", "mate", "milk", "water", "juice")
CODES = (*(text.encode() + b"\0" for text in (*LIST, "gin", "gins", "rum", "7up")), None)


@dataclass(frozen=True)
class HintedSubject(BulletinSubject):
    """PFR in answer to one bulletin with both parts; inputs are strings on the list, others, and one without a code.

    Each part is read as the server reads it: the list by `listed`, the rest by the residues after its symbols.
    """

    scheme: HintedPFR
    bulletin: HintedBulletin

    def __post_init__(self) -> None:
        """Any list will do; the strings that are checked are few."""

    @property
    def title(self) -> str:
        """The scheme as it was built, and how many leaves either part has."""
        listed, spelled = len(self.bulletin.listed.leaves), sum(each.is_leaf for each in self.bulletin.spelled.cells)
        return f"{self.scheme!r} with {listed} leaves on the list and {spelled} beside it"

    @property
    def inputs(self) -> int:
        """The strings."""
        return len(CODES)

    def channel(self) -> list[dict[Any, Fraction]]:
        """That of the scheme for these strings."""
        return list(self.scheme.rows(CODES, self.bulletin))

    def sample(self, value: int, words: Words) -> Hashable:
        """What a client sends."""
        return self.scheme.randomize(CODES[value], self.bulletin, words)

    def targets(self) -> tuple[int, ...]:
        """The leaves of the list, then those of the other part, as places among the strings."""
        cells = self.bulletin.spelled.cells
        others = (CODES.index(cell.prefix + b"\0") for cell in cells if cell.is_leaf)
        return (*self.bulletin.listed.leaves, *others)

    def adds(self, report: Any) -> list[Fraction]:
        """The debiased support of one report, for every leaf."""
        listed, whole = self.scheme.listed.mechanism_over(self.bulletin.listed.cells), self.scheme.mechanism
        first = self.scheme.listed.cells
        slots = [first + place for place, cell in enumerate(self.bulletin.spelled.cells) if cell.is_leaf]
        known = [listed.debias(listed.support(report, slot), 1) for slot in range(len(self.bulletin.listed.leaves))]
        return known + [whole.debias(whole.support(report, slot), 1) for slot in slots]


def small_bulletin(scheme: HintedPFR, leaves: tuple[int, ...], cells: tuple[Cell, ...]) -> HintedBulletin:
    """One of epoch 0 for the list of the checks."""
    listed = FrontierBulletin(bytes(32), 0, scheme.hints.size, scheme.listed.cells, 99, leaves)
    return HintedBulletin(bytes(32), 0, listed, OpenBulletin(bytes(32), 0, scheme.spelled_symbols, cells))


def hinted_cases(epsilon: Epsilon) -> list[Subject]:
    """Nothing known yet in either part, and leaves in both."""
    scheme = HintedPFR(Hints.of(LIST), 24, epsilon)
    letters = Cell(b"", 97, 122)
    bulletins = (
        small_bulletin(scheme, (), (letters,)),
        small_bulletin(scheme, (3, 1), (letters, Cell(b"gin", 0, 0), Cell(b"rum", 0, 0))),
    )
    return [HintedSubject(scheme, bulletin) for bulletin in bulletins]
