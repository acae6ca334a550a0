"""How a randomised Bloom filter speaks for a value: the exact law of the number of its bits that are set."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from math import perm, prod

from hgldp.mechanisms.pairwise import PairwiseHash

Law = tuple[Fraction, ...]


def groupings(hashes: int) -> Iterator[tuple[int, ...]]:
    """Every way in which hash functions can share cells, as the sizes of the groups.

    >>> list(groupings(3))
    [(3,), (2, 1), (2, 1), (1, 2), (1, 1, 1)]
    """
    if hashes == 0:
        yield ()
        return
    for groups in groupings(hashes - 1):
        for place in range(len(groups)):
            yield (*groups[:place], groups[place] + 1, *groups[place + 1 :])
        yield (*groups, 1)


def _times(left: Law, right: Law) -> Law:
    """The product of two polynomials: the law of a sum."""
    out = [Fraction(0)] * (len(left) + len(right) - 1)
    for i, first in enumerate(left):
        for j, second in enumerate(right):
            out[i + j] += first * second
    return tuple(out)


def _set_by(group: int, set_chance: Fraction, otherwise: Fraction) -> Law:
    """otherwise + set_chance·x^group."""
    return (otherwise, *[Fraction(0)] * (group - 1), set_chance)


def score_law(family: PairwiseHash, hashes: int, true_set: Fraction, false_set: Fraction, *, own: bool) -> Law:
    """Pr[score = 0], …, Pr[score = hashes] of one value, for a report of its own holder or of anybody else.

    The generating function, summed over how the value's positions coincide and over the sizes of their cells. A
    position is false only if no function sends the sender's value there; given the value's own residues, each function
    does so with probability (residues there, less the value's own one)/(P − 1), independently of the others.
    """
    prime, sizes = family.prime, family.sizes
    law = [Fraction(0)] * (hashes + 1)
    for groups in groupings(hashes):
        for kinds in product(range(len(sizes)), repeat=len(groups)):
            ways = prod(perm(cells, kinds.count(kind)) for kind, (_, cells) in enumerate(sizes))
            residues = [sizes[kind][0] for kind in kinds]
            pattern = ways * prod(Fraction(size, prime) ** group for size, group in zip(residues, groups, strict=True))
            for false in product((False,) if own else (False, True), repeat=len(groups)):
                avoided = prime - 1 - sum(size for size, is_false in zip(residues, false, strict=True) if is_false)
                inside = sum(group for group, is_false in zip(groups, false, strict=True) if is_false)
                unset = Fraction((avoided + 1) ** inside * avoided ** (hashes - inside), (prime - 1) ** hashes)
                term: Law = (pattern * unset,)
                for group, is_false in zip(groups, false, strict=True):
                    change = false_set - true_set
                    term = _times(
                        term,
                        _set_by(group, change, -change) if is_false else _set_by(group, true_set, 1 - true_set),
                    )
                law = [total + part for total, part in zip(law, term, strict=True)]
    return tuple(law)


def mean(law: Law) -> Fraction:
    """The mean score."""
    return sum((score * chance for score, chance in enumerate(law)), Fraction(0))


def variance(law: Law) -> Fraction:
    """The variance of the score."""
    return sum((score * score * chance for score, chance in enumerate(law)), Fraction(0)) - mean(law) ** 2
