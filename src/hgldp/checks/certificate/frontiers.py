"""The laws of pfr: cyclic response, one law for each difference set that some number of cells takes."""

from bisect import bisect_left
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from hgldp.checks.certificate.law import Law, weights
from hgldp.mechanisms.cyclic import CyclicResponse
from hgldp.mechanisms.difference_sets import sets_between
from hgldp.schemes.hinted_pfr import HintedPFR
from hgldp.schemes.open_pfr import OpenPFR
from hgldp.schemes.pfr import LEAST_CELLS, PFR

FRONTIER, RESIDUE, CELL = "frontier", "residue", "cell"


@dataclass(frozen=True)
class CyclicLaw(Law):
    """For bulletins with `cells` = (fewest, most) cells. As many residues as the set has have the larger weight.

    Which ones they are differs from cell to cell, and does not matter: it is the same pair of weights for all.
    """

    cells: tuple[int, int]

    @property
    def more(self) -> Mapping[str, object]:
        """The cells that it is for."""
        return {"cells": self.cells}

    def covers(self, cells: int) -> bool:
        """Whether it is the law of bulletins with so many cells."""
        return self.cells[0] <= cells <= self.cells[1]


@lru_cache(maxsize=64)
def laws_of_pfr(scheme: PFR) -> tuple[CyclicLaw, ...]:
    """Every number of cells that a client answers. Which items are leaves, and how many, does not matter.

    The set {0} has as many residues as there are cells: such a law is that of the largest number, and for fewer cells
    each row loses as many weights S.

    >>> [law.cells for law in laws_of_pfr(PFR(1000, 64, 2.0))]
    [(8, 21), (22, 57), (58, 64)]
    """
    return tuple(_cyclic(mechanism, first) for first, mechanism in _by_set(scheme))


def laws_of_strings(scheme: OpenPFR | HintedPFR) -> tuple[CyclicLaw, ...]:
    """The bulletin always has the same number of symbols, those of a list among them."""
    return (_cyclic(scheme.mechanism, scheme.symbols),)


def _by_set(scheme: PFR) -> Iterator[tuple[int, CyclicResponse]]:
    """For each set, the fewest cells that take it, and the mechanism over the most."""
    first = LEAST_CELLS
    while first <= scheme.cells:
        last = _last_alike(scheme, first)
        yield first, scheme.mechanism_over(last)
        first = last + 1


def _last_alike(scheme: PFR, first: int) -> int:
    """Up to how many cells the set stays the same. Asking each number of cells would take seconds.

    A set stays until it is too small for the cells, or until a larger and better one comes within reach, which then
    stays at least as long: so the end is found by bisection. {0} gets worse with each cell, and sets are lost to it one
    by one: if it is the best where a set is just large enough, it is the best from the set before on.
    """
    chosen = scheme.mechanism_over(first).difference_set
    marks = [min(chosen.modulus, scheme.cells)]
    if chosen.family == "one":
        marks = [*(each.modulus for each in sets_between(first + 1, scheme.cells - 1)), scheme.cells]
    alike, last = _set_of(scheme, first), first

    def differs(cells: int) -> bool:
        return _set_of(scheme, cells) != alike

    for mark in marks:
        if differs(mark):
            return last + bisect_left(range(last + 1, mark), 1, key=differs)
        last = mark
    return last


def _set_of(scheme: PFR, cells: int) -> tuple[str | int, int]:
    chosen = scheme.mechanism_over(cells).difference_set
    return chosen.family, 0 if chosen.family == "one" else chosen.modulus


def _cyclic(mechanism: CyclicResponse, first: int) -> CyclicLaw:
    chosen = mechanism.difference_set
    row = weights((mechanism.truth, chosen.size), (mechanism.scale, chosen.modulus - chosen.size))
    return CyclicLaw(FRONTIER, mechanism.total, {CELL: {RESIDUE: row}}, (first, mechanism.size))
