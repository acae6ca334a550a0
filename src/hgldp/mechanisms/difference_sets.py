"""Cyclic difference sets: D in Z_M such that every non-zero residue is a difference of two members λ times.

Three families: {0}, which gives GRR; the quadratic residues of a prime M = 3 mod 4 (Paley); and Singer's hyperplanes,
M = (q^t − 1)/(q − 1), for prime powers q and t ≥ 3. A Singer set is read off a linear recurrence of maximal period
over GF(p), q = p^a: i is a member if the terms i, i + M, …, i + (a − 1)M all vanish. The table holds one primitive
recurrence a row; the sets are built on first use, and a test verifies every difference of every one of them.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from operator import attrgetter

from hgldp.errors import InvalidField

MOST_SYMBOLS, MOST_MODULUS = 4096, 9100


@dataclass(frozen=True)
class DifferenceSet:
    """M, the size c of the set, λ, and its family: "one", "residues", or the row of Singer's table.

    >>> difference_set = DifferenceSet(7, 3, 1, "residues")
    >>> difference_set.members
    (1, 2, 4)
    """

    modulus: int
    size: int
    overlap: int
    family: str | int

    @property
    def members(self) -> tuple[int, ...]:
        """D itself, ascending."""
        return _members(self.family, self.modulus)

    @property
    def packed(self) -> bytes:
        """M in two bytes, big-endian, and M bits, lowest first: 1 for a member.

        >>> DifferenceSet(7, 3, 1, "residues").packed.hex()
        '000716'
        """
        return _packed(self.family, self.modulus)


@cache
def _members(family: str | int, modulus: int) -> tuple[int, ...]:
    if family == "one":
        return (0,)
    if family == "residues":
        return tuple(sorted({root * root % modulus for root in range(1, modulus)}))
    if not isinstance(family, int):
        raise InvalidField("family", "must be one, residues or a row of the table", family)
    p, power, _, recurrence = SINGER[family]
    taps = [(int(place), int(weight)) for place, weight in (part.split(":") for part in recurrence.split(","))]
    terms = [0] * (power * _dimension(family) - 1) + [1]
    order = len(terms)
    while len(terms) < power * modulus:
        start = len(terms) - order
        terms.append(sum(weight * terms[start + place] for place, weight in taps) % p)
    return tuple(i for i in range(modulus) if not any(terms[i + modulus * j] for j in range(power)))


@cache
def _packed(family: str | int, modulus: int) -> bytes:
    bits = sum(1 << member for member in _members(family, modulus))
    return modulus.to_bytes(2, "big") + bits.to_bytes((modulus + 7) // 8, "little")


def _dimension(row: int) -> int:
    return SINGER[row][2]


def one(symbols: int) -> DifferenceSet:
    """{0}: the truth and nothing else."""
    return DifferenceSet(symbols, 1, 0, "one")


def _is_prime(number: int) -> bool:
    return number > 1 and all(number % factor for factor in range(2, int(number**0.5) + 1))


@cache
def every_set() -> tuple[DifferenceSet, ...]:
    """Every set with M ≤ 9,100, besides {0}, by M."""
    return tuple(sorted((*_residues(), *_singer()), key=attrgetter("modulus")))


def sets_between(least: int, most: int) -> tuple[DifferenceSet, ...]:
    """Every set with least ≤ M ≤ most ≤ 9,100, besides {0}."""
    found = every_set()
    first = bisect_left(found, least, key=attrgetter("modulus"))
    return found[first : bisect_right(found, most, key=attrgetter("modulus"))]


def _residues() -> Iterator[DifferenceSet]:
    for number in range(7, MOST_MODULUS + 1, 4):
        if _is_prime(number):
            yield DifferenceSet(number, (number - 1) // 2, (number - 3) // 4, "residues")


def _singer() -> Iterator[DifferenceSet]:
    for row, (p, power, t, _) in enumerate(SINGER):
        q = p**power
        yield DifferenceSet((q**t - 1) // (q - 1), (q ** (t - 1) - 1) // (q - 1), (q ** (t - 2) - 1) // (q - 1), row)


SINGER: tuple[tuple[int, int, int, str], ...] = (
    (2, 1, 3, "0:1,1:1"),
    (3, 1, 3, "0:2,1:1"),
    (2, 1, 4, "0:1,1:1"),
    (2, 2, 3, "0:1,1:1"),
    (2, 1, 5, "0:1,2:1"),
    (5, 1, 3, "0:2,1:1"),
    (3, 1, 4, "0:1,1:1"),
    (7, 1, 3, "0:5,1:1"),
    (2, 1, 6, "0:1,1:1"),
    (2, 3, 3, "0:1,4:1"),
    (2, 2, 4, "0:1,1:1,2:1,7:1"),
    (3, 2, 3, "0:1,1:1"),
    (3, 1, 5, "0:2,1:1"),
    (2, 1, 7, "0:1,1:1"),
    (11, 1, 3, "0:2,1:2"),
    (5, 1, 4, "0:2,1:1,2:1"),
    (13, 1, 3, "0:2,1:7"),
    (2, 1, 8, "0:1,1:1,2:1,7:1"),
    (2, 4, 3, "0:1,1:1,2:1,8:1"),
    (17, 1, 3, "0:3,1:1"),
    (2, 2, 5, "0:1,3:1"),
    (3, 1, 6, "0:1,1:1"),
    (19, 1, 3, "0:2,1:10"),
    (7, 1, 4, "0:2,1:1,2:2"),
    (2, 1, 9, "0:1,4:1"),
    (23, 1, 3, "0:5,1:2"),
    (2, 3, 4, "0:1,1:1,2:1,8:1"),
    (5, 2, 3, "0:2,1:2"),
    (3, 3, 3, "0:2,4:1"),
    (5, 1, 5, "0:2,1:1"),
    (3, 2, 4, "0:1,3:1"),
    (29, 1, 3, "0:2,1:9"),
    (31, 1, 3, "0:3,1:1"),
    (2, 1, 10, "0:1,3:1"),
    (2, 5, 3, "0:1,1:1"),
    (3, 1, 7, "0:2,2:1"),
    (2, 2, 6, "0:1,1:1,2:1,8:1"),
    (37, 1, 3, "0:2,1:1"),
    (11, 1, 4, "0:3,1:5"),
    (41, 1, 3, "0:6,1:5"),
    (43, 1, 3, "0:3,1:2"),
    (2, 1, 11, "0:1,2:1"),
    (47, 1, 3, "0:5,1:1"),
    (13, 1, 4, "0:2,1:2,2:2"),
    (7, 2, 3, "0:2,1:1,2:4"),
    (7, 1, 5, "0:3,1:1"),
    (53, 1, 3, "0:2,1:4"),
    (3, 1, 8, "0:1,3:1"),
    (59, 1, 3, "0:2,1:6"),
    (61, 1, 3, "0:2,1:2"),
    (5, 1, 6, "0:2,1:2"),
    (2, 1, 12, "0:1,1:1,2:1,8:1"),
    (2, 6, 3, "0:1,7:1"),
    (2, 4, 4, "0:1,1:1,3:1,12:1"),
    (67, 1, 3, "0:2,1:8"),
    (2, 3, 5, "0:1,1:1"),
    (71, 1, 3, "0:7,1:2"),
    (17, 1, 4, "0:6,1:1"),
    (73, 1, 3, "0:5,1:4"),
    (2, 2, 7, "0:1,1:1,2:1,12:1"),
    (79, 1, 3, "0:3,1:2"),
    (3, 4, 3, "0:1,1:1,5:1"),
    (83, 1, 3, "0:2,1:6"),
    (19, 1, 4, "0:4,1:2"),
    (3, 2, 5, "0:1,1:1,3:1"),
    (89, 1, 3, "0:3,1:5"),
    (2, 1, 13, "0:1,1:1,2:1,5:1"),
)
"""p, a, t, and the recurrence x_{i+n} = Σ weight·x_{i+place} over GF(p), n = a·t, as place:weight."""
