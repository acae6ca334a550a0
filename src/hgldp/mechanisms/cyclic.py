"""Cyclic difference-set response: the statistics of subset selection in one small integer and one draw."""

from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import ClassVar

from hgldp.errors import InvalidField
from hgldp.mechanisms.base import Mechanism, Row
from hgldp.mechanisms.difference_sets import MOST_SYMBOLS, DifferenceSet, one, sets_between
from hgldp.model.randomness import Words
from hgldp.model.reports import symbol_bytes

MOST_SLACK = Fraction(11, 5)


@dataclass(frozen=True)
class CyclicResponse(Mechanism[int]):
    """Projective-geometry response (Feldman, Nelson, Nguyen, Talwar, ICML 2022) in its cyclic form.

    With D a difference set in Z_M, the client of value v draws x in Z_M, weight W if x is in D and S otherwise, and
    reports v − x mod M. The set is the one of least exact variance with M ≤ 2.2 times the size (or ≤ `most_modulus`),
    for a value that holds `share` of the stream; {0} makes it GRR.

    Privacy: exactly W/S ≤ e^ε between any two values.
    Report bytes: the bytes of one residue mod M: 1 or 2, for at most 4,096 values.
    Memory: a histogram of the residues; one cyclic correlation at the end.
    Error: for 64 values or more, 1 to 3 % above subset selection's variance on average and at most 17 % at ε ≤ 2; up to
    48 % at ε = 4, where the few sets that fit are far between.

    >>> mechanism = CyclicResponse(256, 1.0)
    >>> mechanism.modulus, mechanism.report_bytes, round(mechanism.variance, 2)
    (341, 2, 3.66)
    """

    name: ClassVar[str] = "cyclic"
    share: Fraction = field(default=Fraction(0), kw_only=True)
    most_modulus: int = field(default=0, kw_only=True)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.size > MOST_SYMBOLS:
            raise InvalidField("size", f"must be at most {MOST_SYMBOLS} for a difference set", self.size)
        if not 0 <= self.share <= 1:
            raise InvalidField("share", "must lie in [0, 1]", self.share)
        self.check_total(self.total)

    @cached_property
    def difference_set(self) -> DifferenceSet:
        """The set of least exact variance."""
        most = max(self.most_modulus, int(self.size * MOST_SLACK))
        return min((one(self.size), *sets_between(self.size, most)), key=self._variance)

    @property
    def modulus(self) -> int:
        """M, the number of residues."""
        return self.difference_set.modulus

    @cached_property
    def total(self) -> int:
        """The sum of all weights."""
        return _total(self.difference_set, self.truth, self.scale)

    def _variance(self, chosen: DifferenceSet) -> Fraction:
        return _variance(chosen, self.truth, self.scale, self.share)

    @cached_property
    def p(self) -> Fraction:
        """cW/Z."""
        return Fraction(_hits(self.difference_set, self.truth, self.scale)[0], self.total)

    @cached_property
    def q(self) -> Fraction:
        """(λW + (c − λ)S)/Z."""
        return Fraction(_hits(self.difference_set, self.truth, self.scale)[1], self.total)

    @cached_property
    def members(self) -> tuple[int, ...]:
        """D, ascending."""
        return self.difference_set.members

    @cached_property
    def others(self) -> tuple[int, ...]:
        """The residues outside D, ascending."""
        inside = set(self.members)
        return tuple(residue for residue in range(self.modulus) if residue not in inside)

    @cached_property
    def _inside(self) -> frozenset[int]:
        return frozenset(self.members)

    def channel(self) -> list[Row[int]]:
        """W/Z where value − report is in D, S/Z elsewhere."""
        inside, outside = Fraction(self.truth, self.total), Fraction(self.scale, self.total)
        return [
            {report: inside if self.support(report, value) else outside for report in range(self.modulus)}
            for value in range(self.size)
        ]

    def randomize(self, value: int, words: Words) -> int:
        """One draw: a member of D with weight W each, another residue with weight S each."""
        own = self.check_value(value)
        draw, inside = words.below(self.total), len(self.members) * self.truth
        inner, outer = draw // self.truth, (draw - inside) // self.scale
        return (own - (self.members[inner] if draw < inside else self.others[outer])) % self.modulus

    def support(self, report: int, value: int) -> int:
        """A report speaks for the values that lie in its translate of D."""
        return int((value - report) % self.modulus in self._inside)

    @property
    def counters(self) -> int:
        """One a residue."""
        return self.modulus

    @property
    def report_bytes(self) -> int:
        """The bytes of one residue."""
        return symbol_bytes(self.modulus)


def _total(chosen: DifferenceSet, truth: int, scale: int) -> int:
    return chosen.size * truth + (chosen.modulus - chosen.size) * scale


def _hits(chosen: DifferenceSet, truth: int, scale: int) -> tuple[int, int]:
    c, shared = chosen.size, chosen.overlap
    return c * truth, shared * truth + (c - shared) * scale


@lru_cache(maxsize=1024)
def _variance(chosen: DifferenceSet, truth: int, scale: int, share: Fraction) -> Fraction:
    """It does not depend on the number of values, so mechanisms over different numbers share it."""
    own, other, total = *_hits(chosen, truth, scale), _total(chosen, truth, scale)
    rare = Fraction(other * (total - other), (own - other) ** 2)
    return rare + Fraction(share) * Fraction(total - own - other, own - other) if share else rare
