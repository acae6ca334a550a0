"""Joint decoding: every candidate's share in every stretch of the stream, from its leaves and its search cells.

A share may drift, so neighbouring epochs support each other and distant ones do not. Candidates that share a search
cell compete for it. What was not measured is part of the stream too, and has its own, larger variance.
"""

from dataclasses import dataclass, replace
from functools import cached_property
from math import log
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hgldp.kernels.joint import (
    ALONE,
    BY_CELL,
    BY_LEAF,
    Found,
    Seen,
    Terms,
    Times,
    add_up,
    first_odds,
    noise_of_sums,
    recentre,
    sweep,
)
from hgldp.stores.frontier.reading.seen import Stream, doubt_warm_up, look

SWEEPS, MOST_ODDS, REACH = 3, 7.0, 4.0
DRIFTS, USUAL_DRIFT, FEWEST_PAIRS, CLEARLY = (0.3, 1.0, 3.0, 10.0), 1.0, 20, 4.0
NOT_THERE, MOST_SUSPECTS, SURELY_THERE = -1e9, 40, 2.33
FAR = 1.0
"""Between the forgotten reports and what follows, a share may drift as far as over a whole stream."""
Reals = NDArray[np.float64]
Items = NDArray[np.int64]


@dataclass(frozen=True)
class Decoded:
    """What was found about each item, stretch by stretch; `cells` is what the candidates leave in the search cells.

    `candidates` are those who took their part of the cells, if these items are others.
    """

    stream: Stream
    items: Items
    times: Times
    seen: Seen
    found: Found
    cells: Reals
    terms: Terms
    candidates: "Decoded | None" = None

    def total(self, weights: Reals) -> tuple[Reals, Reals]:
        """For each item Σ weight · share over the stretches, and its standard deviation.

        One weight for each stretch, or one for each stretch and item.
        """
        total, variance = np.empty(self.items.size), np.empty(self.items.size)
        add_up(self.times, self.found, self._for_items(weights), total, variance)
        return total, np.sqrt(np.maximum(variance, 0.0))

    def weights(self, of_epochs: Reals, of_forgotten: float) -> Reals:
        """Weights of the epochs as weights of all stretches; a warm-up is no part of the stream."""
        before = [of_forgotten] * (self.stream.forgotten > 0) + [0.0] * (self.stream.warm_up.size > 0)
        return np.concatenate([before, of_epochs])

    @property
    def newest(self) -> tuple[Reals, Reals]:
        """Each item's share in the last epoch, and its standard deviation."""
        return self.found.share[-1], np.sqrt(self.found.variance[-1])

    def clearness(self, weights: Reals) -> Reals:
        """How many standard deviations of noise each item is above 0: on average over all that was seen, or in `total`.

        Whichever is more: an item that was surely there once is no luck, nor is one that is surely there now. Where
        reports and warm-up contradict each other, an item must stand out from noise and possible drift together.
        """
        total, deviation = self.total(weights)
        variance, noise, warm_up = np.empty(self.items.size), self.found.noise, self.stream.warm_up
        noise_of_sums(self.found, self._for_items(weights), variance)
        if warm_up.size:
            noise = noise.copy(order="F")
            noise[self.stream.warm_row] = warm_up.by_luck(self.items, self.stream.domain_size)
        on_average = (self.found.value / noise).sum(axis=0) / np.sqrt((1.0 / noise).sum(axis=0))
        noisy = variance > 0.0  # of some 2^53 reports, rounding may leave none
        clear = np.maximum(on_average, np.divide(total, np.sqrt(variance), out=np.zeros_like(total), where=noisy))
        if warm_up.size:
            doubted = self.seen.variance[self.stream.warm_row] > warm_up.of_items(self.items)[1]
            clear = np.where(doubted, total / deviation, clear)
        return np.asarray(clear)

    def unexplained(self, weights: Reals) -> Reals:
        """For each stretch and search cell, what no candidate and no noise explains in it; weighed.

        A newcomer is there before anybody can tell which item of the cell it is.
        """
        noise = self.terms.reach * np.sqrt(self.times.crowd)[:, None]
        return np.where(self.cells > noise, self.cells, 0.0) * weights[:, None]

    def perhaps_own(self, weights: Reals) -> Reals:
        """How much each item has besides, if all is its own that is unexplained in its search cells or only guessed.

        Nothing in a domain so large that it is hardly ever this item of all that share the cell.
        """
        perhaps, guessed, own = np.zeros(self.items.size), self.guessed, self._taken_by_guess
        noise, free = self.terms.reach * np.sqrt(self.times.crowd), self.unexplained(weights)
        for row, epoch in enumerate(self.stream.epochs, start=self.stream.before):
            if self.stream.domain_size <= MOST_SUSPECTS * epoch.width:
                shared = self.seen.how[row] == BY_CELL
                cell = self.seen.cell[row, shared]
                others = guessed[row, cell] - own[row, shared]
                perhaps[shared] += free[row, cell] + np.where(others > noise[row], others, 0.0) * weights[row]
        return perhaps

    @property
    def guessed(self) -> Reals:
        """What candidates took of each search cell without evidence of their own: it may belong to another item."""
        decoded = self.candidates or self
        guessed, taken = np.zeros(decoded.cells.shape), decoded._taken_by_guess
        for row in range(decoded.stream.before, len(guessed)):
            shared = decoded.seen.how[row] == BY_CELL
            cell = decoded.seen.cell[row, shared]
            guessed[row] = np.bincount(cell, weights=taken[row, shared], minlength=guessed[row].size)
        return guessed

    @property
    def _taken_by_guess(self) -> Reals:
        return np.where(self.has_own_evidence, 0.0, self.found.taken)

    @cached_property
    def has_own_evidence(self) -> NDArray[np.bool_]:
        """Whether an item was surely there where it had a cell to itself: elsewhere it may owe everything to others."""
        if self.stream.warm_up.size:
            return np.ones(self.items.size, np.bool_)
        before = self.stream.before
        precision = np.where(self.was_alone, 1.0 / self.found.noise[before:], 0.0)
        seen = (precision * self.found.value[before:]).sum(axis=0)
        return np.asarray(seen > SURELY_THERE * np.sqrt(precision.sum(axis=0)))

    def _for_items(self, weights: Reals) -> Reals:
        shape = self.found.share.shape
        return np.asfortranarray(np.broadcast_to(weights.reshape(weights.shape[0], -1), shape))

    @property
    def was_leaf(self) -> NDArray[np.bool_]:
        """In which of the epochs each item was a leaf."""
        return np.asarray(self.seen.how[self.stream.before :] == BY_LEAF)

    @property
    def was_alone(self) -> NDArray[np.bool_]:
        """In which of the epochs each item had a cell to itself: as a leaf, or by chance in a small domain."""
        return np.asarray(self.was_leaf | (self.seen.how[self.stream.before :] == ALONE))


def decode(stream: Stream, items: Items, expected: int) -> Decoded:
    """Measure the items in every stretch, all together. `expected` is about how many of the domain stand out."""
    times, cells = _stretches(stream)
    seen, found = look(stream, items), _nothing_yet(items.size, times.reports.size)
    doubt_warm_up(stream, times, seen, cells)
    terms = Terms(_drift(stream, times, seen), log(max(1, expected) / stream.domain_size), MOST_ODDS, REACH)
    sweep(_first_order(times, seen, cells), times, seen, cells, terms, found)
    for _ in range(SWEEPS - 1):
        _recentre(stream, times, cells)
        sweep(np.argsort(-found.odds, kind="stable"), times, seen, cells, terms, found)
    return Decoded(stream, items, times, seen, found, cells, terms)


def about(decoded: Decoded, items: Items) -> Decoded:
    """Any items: candidates as they were decoded, any other by itself, by what candidates leave in its search cells.

    So no answer depends on what else is asked. All shares of a stretch add up to 1, so the mean of all others is known.
    """
    places = np.searchsorted(decoded.items, items).clip(max=decoded.items.size - 1)
    known = decoded.items[places] == items
    others = items[~known]
    seen, found = look(decoded.stream, others), _nothing_yet(others.size, decoded.times.reports.size)
    alone = decoded.terms._replace(odds=NOT_THERE)
    doubt_warm_up(decoded.stream, decoded.times, seen, decoded.cells)
    _recentre(decoded.stream, decoded.times, decoded.cells)
    cells = decoded.cells - _too_much_for_others(decoded)[:, None]
    for _ in range(SWEEPS):
        sweep(np.arange(others.size), decoded.times, seen, cells, alone, found)

    def joined(candidates: Any, named: Any) -> Any:
        both = np.empty((*candidates.shape[:-1], items.size), candidates.dtype, order="F")
        both[..., known], both[..., ~known] = candidates[..., places[known]], named
        return both

    all_seen = Seen(*(joined(getattr(decoded.seen, name), getattr(seen, name)) for name in Seen._fields))
    all_found = Found(*(joined(getattr(decoded.found, name), getattr(found, name)) for name in Found._fields))
    return replace(decoded, items=items, seen=all_seen, found=all_found, candidates=decoded)


def _too_much_for_others(decoded: Decoded) -> Reals:
    """For each stretch, how far the mean search cell of all other items is above what the candidates leave them."""
    above, stream = np.zeros(decoded.times.reports.size), decoded.stream
    for row, epoch in enumerate(stream.epochs, start=stream.before):
        tracked = ~np.isin(epoch.leaves, decoded.items)
        named = np.concatenate([decoded.items, epoch.leaves[tracked]])
        others = epoch.untracked(stream.domain_size, named)
        left = 1.0 - float(decoded.found.share[row].sum()) - float(epoch.shares[tracked].sum())
        above[row] = (others @ decoded.cells[row, : epoch.width] - left) / max(1, others.sum())
    return above


def _nothing_yet(items: int, rows: int) -> Found:
    """All stretches of an item lie side by side in memory, as the kernels read them."""
    share, variance, follows, value, noise, scale, taken = (np.zeros((rows, items), order="F") for _ in range(7))
    return Found(share, variance, follows, value, noise, scale, taken, np.full(items, np.inf))


def _stretches(stream: Stream) -> tuple[Times, Reals]:
    """Forgotten reports and a warm-up, if any, and the epochs; and the search cells of each.

    The warm-up comes later than what is forgotten, though it was earlier: it says more about the first epoch.
    """
    epochs, before = stream.epochs, stream.before
    early = [(float(stream.forgotten), stream.forgotten / 2)] * (stream.forgotten > 0)
    early += [(np.inf, 0.0)] * (stream.warm_up.size > 0)
    rows = [*early, *((epoch.reports, epoch.middle) for epoch in epochs)]
    reports, middles = (np.array(column, np.float64) for column in zip(*rows, strict=True))
    gap = np.maximum(np.diff(middles, prepend=middles[0]), 0.0) / stream.span
    if stream.forgotten:
        gap[1] = FAR
    noises = [epoch.noise for epoch in epochs]
    rare = np.array([0.0] * before + [noise.variance for noise in noises])
    slope = np.array([0.0] * before + [noise.slope for noise in noises])
    crowd = np.array([1.0] * before + [epoch.spread for epoch in epochs])
    cells = np.zeros((len(rows), max(epoch.width for epoch in epochs)))
    for row, epoch in zip(cells[before:], epochs, strict=True):
        row[: epoch.width] = epoch.cell_shares
    return Times(reports, gap, rare, slope, crowd), cells


def _recentre(stream: Stream, times: Times, cells: Reals) -> None:
    before, widths = stream.before, np.array([epoch.width for epoch in stream.epochs])
    least = times.rare[before:] / times.reports[before:]
    times.crowd[before:] = without_background(cells[before:], widths, least, REACH)


def without_background(cells: Reals, widths: Items, least: Reals, reach: float) -> Reals:
    """Take their background off the first cells of each row, as many as it is wide; returns the variance of each."""
    absent, crowd = np.arange(cells.shape[1]) >= widths[:, None], np.empty(widths.size)
    recentre(cells, np.sort(np.where(absent, np.inf, cells), axis=1), widths, least, reach, crowd)
    return crowd


def _first_order(times: Times, seen: Seen, cells: Reals) -> NDArray[np.int64]:
    """Which items take their part of a crowded cell first: those that are high in several epochs."""
    odds = np.empty(seen.how.shape[1])
    first_odds(times, seen, cells, MOST_ODDS, odds)
    return np.argsort(-odds, kind="stable")


def _drift(stream: Stream, times: Times, seen: Seen) -> float:
    """How fast shares change, from items that were leaves in two epochs in a row: the likeliest of a few rates.

    A share changes by a random walk whose variance grows by drift · share² over the whole stream.
    """
    if len(stream.epochs) < 2:
        return USUAL_DRIFT
    was_leaf = seen.how[stream.before :] == BY_LEAF
    often = np.count_nonzero(was_leaf, axis=0) > 1
    was_leaf, share = was_leaf[:, often], seen.share[stream.before :, often]
    reports, rare, slope = (each[stream.before :, None] for each in (times.reports, times.rare, times.slope))
    variance = (rare + (slope + 1) * np.maximum(share, 0.0)) / reports
    weight = np.where(was_leaf, reports, 0.0)
    clear = (weight * share).sum(axis=0) > CLEARLY * np.sqrt((weight**2 * variance).sum(axis=0))
    pairs = was_leaf[1:] & was_leaf[:-1] & clear
    if np.count_nonzero(pairs) < FEWEST_PAIRS:
        return USUAL_DRIFT
    changed = (share[1:] - share[:-1])[pairs] ** 2
    noise = (variance[1:] + variance[:-1])[pairs]
    higher = np.maximum(np.maximum(share[1:], share[:-1])[pairs], 0.0)
    walked = np.broadcast_to(times.gap[stream.before + 1 :, None], pairs.shape)[pairs] * higher**2
    spread = noise + np.array(DRIFTS)[:, None] * walked
    likely = -0.5 * (np.log(spread) + np.minimum(changed / spread, 25.0)).sum(axis=1)
    return float(DRIFTS[int(np.argmax(likely - np.log(DRIFTS) ** 2 / 8))])
