"""The event that tells two inputs apart best: some codes of one column, chosen on draws that are not used again.

A quarter of all draws puts the codes in the order of their likelihood ratio, another quarter says how many of the
first ones to take, from which column, and which of the two inputs is the likelier one. The other half of the draws
then gives the bounds. Choosing on one half costs no confidence on the other, however many events were looked at.

If the task says in which order an honest client would put the codes, that order is tried too: with few draws it is
the better one.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from hgldp.audit.sampled.bounds import Floats, likely_high, likely_low
from hgldp.audit.sampled.tally import Counts, Tally
from hgldp.audit.views import REPORT, TIME, Codes

RARE = 8
LONGEST_TIMES = 200
MOST_COLUMNS = 8
Column = tuple[str, int]
Two = tuple[Tally, Tally]
SYMBOL: Column = (REPORT, 0)


@dataclass(frozen=True)
class Event:
    """The code in this column is one of these, or one that is not listed at all if `unlisted` says so."""

    column: Column
    codes: Codes
    listed: Codes
    unlisted: bool
    swapped: bool

    def hits(self, tally: Tally) -> int:
        """In how many draws it happened."""
        seen = tally.counts(self.column)
        found = int(seen.of(self.codes).sum())
        return found + (tally.draws - int(seen.of(self.listed).sum()) if self.unlisted else 0)


@dataclass(frozen=True)
class Ordered:
    """Codes of a column, the most telling ones for the first input first; the place after the last one is all others.

    Codes with the same `rank` are taken together or not at all.
    """

    column: Column
    listed: Codes
    order: NDArray[np.intp]
    rank: Floats
    swapped: bool = False

    def turned(self) -> "Ordered":
        """The same for the other input: its telling codes are the last ones."""
        return replace(self, order=self.order[::-1], rank=-self.rank[::-1], swapped=True)


def best_event(
    ordering: Two, choosing: Two, views: Iterable[str], deviations: float, expected: Floats | None = None
) -> Event:
    """The event with the largest likely lower bound on the log ratio, among all columns of these views.

    `expected` holds the log ratio of every symbol as the task has it.
    """
    allowed = set(views)
    columns = _most_different([column for column in ordering[0].columns if column[0] in allowed], ordering)
    orders = [_by_draws(column, ordering) for column in columns]
    orders += [_by_size(column) for column in columns if column[0] == TIME]
    if expected is not None and SYMBOL[0] in allowed:
        orders.append(_by_claim(expected))
    found = [_scored(each, choosing, deviations) for one in orders for each in (one, one.turned())]
    return max(found, key=lambda scored: scored[0])[1]


def _most_different(columns: list[Column], ordering: Two) -> list[Column]:
    """Of many columns, such as the bits of an id, those whose counts differ most; the others are not worth the time."""
    if len(columns) <= MOST_COLUMNS:
        return columns

    def distance(column: Column) -> float:
        one, other = (tally.counts(column) for tally in ordering)
        codes, both = _codes(one, other), (one, other)
        first, second = (each.of(codes) / tally.draws for each, tally in zip(both, ordering, strict=True))
        return float(np.abs(first - second).sum())

    return sorted(columns, key=distance, reverse=True)[:MOST_COLUMNS]


def _codes(one: Counts, other: Counts) -> Codes:
    return one.codes if np.array_equal(one.codes, other.codes) else np.union1d(one.codes, other.codes)


def _by_draws(column: Column, ordering: Two) -> Ordered:
    """By the ratio in the draws; codes that came too rarely to say something about them count as others."""
    one, other = (tally.counts(column) for tally in ordering)
    codes = _codes(one, other)
    first, second = one.of(codes), other.of(codes)
    often = first + second >= RARE
    ahead, behind = (np.append(each[often], each[~often].sum()) for each in (first, second))
    ratio = np.log((ahead + 0.5) / (ordering[0].draws + 1)) - np.log((behind + 0.5) / (ordering[1].draws + 1))
    order = np.argsort(-ratio, kind="stable")
    return Ordered(column, codes[often], order, np.arange(order.size, dtype=np.float64))


def _by_size(column: Column) -> Ordered:
    """The earlier, the more telling: with few draws, "sooner than that" says more than any set of times."""
    order = np.arange(LONGEST_TIMES + 1)
    return Ordered(column, np.arange(-1, LONGEST_TIMES - 1, dtype=np.int64), order, order.astype(np.float64))


def _by_claim(expected: Floats) -> Ordered:
    """By the ratio that the task has; what no honest client sends says nothing."""
    ratio = np.append(expected, 0.0)
    order = np.argsort(-ratio, kind="stable")
    return Ordered(SYMBOL, np.arange(expected.size, dtype=np.int64), order, -ratio[order])


def _scored(ordered: Ordered, choosing: Two, deviations: float) -> tuple[float, Event]:
    """The best number of codes to take."""
    ours, theirs = choosing[ordered.swapped], choosing[1 - ordered.swapped]
    ahead, behind = (_running(tally, ordered) for tally in (ours, theirs))
    low, high = likely_low(ahead, ours.draws, deviations), likely_high(behind, theirs.draws, deviations)
    scores = np.log(np.maximum(low, 1e-300) / high)
    scores[:-1][np.diff(ordered.rank) == 0] = -np.inf
    best = int(np.argmax(scores))
    taken = ordered.order[: best + 1]
    inside, last = taken[taken < ordered.listed.size], ordered.listed.size
    codes = np.sort(ordered.listed[inside])
    event = Event(ordered.column, codes, ordered.listed, bool((taken == last).any()), ordered.swapped)
    return float(scores[best]), event


def _running(tally: Tally, ordered: Ordered) -> Floats:
    """How many draws have one of the first codes, for one code, two codes and so on."""
    counts = tally.counts(ordered.column).of(ordered.listed)
    whole = np.append(counts, tally.draws - counts.sum())
    return np.cumsum(whole[ordered.order]).astype(np.float64)
