"""From shares to published lines: counts without luck, intervals, the ranks that are likely, and what may be noise."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from hgldp.model.estimate import Z95, Estimate
from hgldp.stores.frontier.reading.candidates import Crowd
from hgldp.stores.frontier.reading.decoding import Decoded
from hgldp.stores.frontier.reading.luck import Judged
from hgldp.stores.standing import Usual, in_order

TINY = 1e-12
Reals = NDArray[np.float64]
Items = NDArray[np.int64]


@dataclass(frozen=True)
class Question:
    """What is counted: a weight for each retained epoch and for what was forgotten, and how many reports that is.

    `warm` if the raw items of a warm-up are counted too.
    """

    of_epochs: Reals
    of_forgotten: float
    reports: float
    warm: bool = False

    @property
    def whole(self) -> float:
        """All weights together; never 0, though with a short half-life nothing may be left of them."""
        return max(float(self.of_epochs.sum()) + self.of_forgotten, TINY)

    def shares(self, decoded: Decoded) -> tuple[Reals, Reals]:
        """Each item's share of the reports that are counted, and its standard deviation."""
        return decoded.total(self.weights(decoded))

    def weights(self, decoded: Decoded) -> Reals:
        """How much each stretch counts; 1 together."""
        return decoded.weights(self.of_epochs, self.of_forgotten) / self.whole

    def raw(self, decoded: Decoded) -> Items:
        """How many raw items of each are counted."""
        return decoded.stream.warm_up.counts_of(decoded.items) * self.warm

    def standing(self, decoded: Decoded) -> tuple[Reals, Reals, float]:
        """Each item's share of all events, raw ones too, with its standard deviation; and how many events those are."""
        shares, deviations = self.shares(decoded)
        if not self.warm:
            return shares, deviations, self.whole
        events = self.reports + decoded.stream.warm_up.size
        return (self.raw(decoded) + self.reports * shares) / events, self.reports * deviations / events, events


def best_lines(decoded: Decoded, crowd: Crowd, question: Question, k: int) -> tuple[Estimate, ...]:
    """The k items with the largest counts, best first."""
    shares, deviations = question.shares(decoded)
    size, reports, raw = decoded.stream.domain_size, question.reports, question.raw(decoded)
    judged = Judged(
        shares, deviations, decoded.clearness(question.weights(decoded)), crowd, size, decoded.stream.reports
    )
    known, own_evidence = raw / reports, decoded.has_own_evidence
    lowest, highest = judged.low, judged.high + decoded.perhaps_own(question.weights(decoded))
    if len(decoded.stream.epochs) == 1:
        lowest, highest = of_first_epoch((lowest, highest), (shares, deviations), own_evidence)
    best = np.lexsort((decoded.items, -(judged.mean + known)))[:k]
    ends = np.concatenate([(highest + known)[best], (lowest + known)[best]])
    best_ranks, worst_ranks = expected_above(judged, ends, known, warm=decoded.stream.warm_up.size > 0)
    unexplained, lows = decoded.unexplained(question.weights(decoded)), ends[best.size :]
    lifted = lifted_above(lows, judged.high + known, highest + known, int(np.count_nonzero(unexplained)))
    worst_ranks = worst_ranks + np.maximum(newcomers_above(lows, unexplained), lifted)
    stands_out = usual(decoded, question).is_below(*question.standing(decoded)[:2]) & own_evidence
    own = since_tracked(decoded, question)
    tracked, tracked_error = own.given(decoded, question, judged.mean - shares, judged.deviation)
    count, low, high = (raw + reports * each.clip(0.0, 1.0) for each in (judged.mean, lowest, highest))
    places = np.arange(1, best.size + 1)
    at_best = np.minimum(1 + (best_ranks + 0.5).astype(np.int64), places)
    at_worst = np.minimum(np.maximum((worst_ranks + 0.5).astype(np.int64), places), size)
    ranks = in_order(np.stack([at_best, at_worst], axis=1), low[best], high[best]).tolist()
    lines = []
    for i, likely in zip(best.tolist(), ranks, strict=True):
        lines.append(
            Estimate(
                item=int(decoded.items[i]),
                count=float(count[i]),
                standard_error=reports * float(judged.deviation[i]),
                tracked_count=float(tracked[i]),
                tracked_error=float(tracked_error[i]),
                since=int(own.reports[i]),
                warmup=int(raw[i]),
                bounds=(float(low[i]), float(high[i])),
                ranks=tuple(likely),
                may_be_noise=not stands_out[i],
            )
        )
    return tuple(lines)


def of_first_epoch(
    ends: tuple[Reals, Reals], measured: tuple[Reals, Reals], own_evidence: NDArray[np.bool_]
) -> tuple[Reals, Reals]:
    """Ends of intervals that hold too what was measured, with its noise: few reports hardly tell what others are like.

    An item without a cell to itself may have nothing: which item of its search cell is there, nobody knows yet.
    """
    (low, high), (shares, deviations) = ends, measured
    low = np.minimum(np.minimum(low, shares - Z95 * deviations), np.where(own_evidence, np.inf, 0.0))
    return np.maximum(low, 0.0), np.maximum(high, shares + Z95 * deviations)


def plain_lines(decoded: Decoded, others: Usual, question: Question) -> tuple[Estimate, ...]:
    """Lines of items that somebody named: luck did not pick them, so nothing is corrected."""
    shares, deviations = question.shares(decoded)
    stands_out = others.is_below(*question.standing(decoded)[:2]) & decoded.has_own_evidence
    own, raw = since_tracked(decoded, question), question.raw(decoded)
    besides = question.reports * decoded.perhaps_own(question.weights(decoded))
    lines = []
    for i, item in enumerate(decoded.items.tolist()):
        count, error = float(raw[i] + question.reports * shares[i]), question.reports * float(deviations[i])
        tracked = (float(own.counts[i]), float(own.errors[i]), int(own.reports[i]))
        line = Estimate(item, count, error, *tracked, int(raw[i]), may_be_noise=not stands_out[i])
        low, high = line.interval
        lines.append(replace(line, bounds=(low, high + float(besides[i]))) if besides[i] else line)
    return tuple(lines)


def expected_above(judged: Judged, ends: Reals, known: Reals, *, warm: bool) -> tuple[Reals, Reals]:
    """How many items are expected above the upper ends of intervals, the first half, and above the lower ends.

    A warm-up named whoever was frequent then. The search cells of all others do not know that and show too many who may
    be frequent, so nobody's best rank depends on them.
    """
    above_high, above_low = np.split(judged.named_above(ends, known), 2)
    others_above_high, others_above_low = np.split(judged.others_above(ends), 2)
    return above_high if warm else above_high + others_above_high, above_low + others_above_low


def newcomers_above(bounds: Reals, unexplained: Reals) -> Reals:
    """How many items that nobody has found yet may be above each bound: as many as the epoch with the most shows.

    >>> newcomers_above(np.array([0.1, 0.3]), np.array([[0.2, 0.0, 0.5], [0.4, 0.0, 0.0]])).tolist()
    [2.0, 1.0]
    """
    return np.array([(unexplained > max(bound, 0.0)).sum(axis=1).max() for bound in bounds.tolist()], np.float64)


def lifted_above(bounds: Reals, high: Reals, highest: Reals, bursts: int) -> Reals:
    """How many items may be above each bound if what is unexplained in their cells is theirs; each burst lifts one.

    >>> lifted_above(np.array([5.0, 9.0]), np.array([4.0, 3.0, 8.0]), np.array([7.0, 6.0, 8.0]), bursts=5).tolist()
    [2.0, 0.0]
    """
    lifted = [np.count_nonzero((high <= bound) & (highest > bound)) for bound in bounds.tolist()]
    return np.minimum(np.array(lifted, np.float64), bursts)


def unknown_lines(items: Sequence[int], reports: int) -> tuple[Estimate, ...]:
    """Where nothing was counted, each item may have been in none of the reports, or in all."""
    error, bounds = reports / (2 * Z95), (0.0, float(reports))
    return tuple(Estimate(item, 0.0, error, bounds=bounds, may_be_noise=True) for item in items)


def usual(candidates: Decoded, question: Question) -> Usual:
    """What an ordinary item has, as the candidates for the top show."""
    shares, deviations, events = question.standing(candidates)
    known = candidates.has_own_evidence
    size, beside = candidates.stream.domain_size, candidates.stream.beside
    return Usual.among(shares[known], deviations[known], size, events, beside)


@dataclass(frozen=True)
class SinceTracked:
    """Each item's count over the last epochs in a row in which it was a leaf, its error, and over how many reports."""

    weights: Reals
    counts: Reals
    errors: Reals
    reports: Reals

    def given(self, decoded: Decoded, question: Question, moved: Reals, left: Reals) -> tuple[Reals, Reals]:
        """Counts and errors, corrected like the share of the whole: by `moved`, down to the deviation `left`."""
        asked = question.weights(decoded)[:, None]
        _, whole = decoded.total(asked)
        _, both = decoded.total(asked + self.weights)
        follows = (both**2 - whole**2 - self.errors**2) / (2 * np.maximum(whole**2, TINY**2))
        variance = self.errors**2 - follows**2 * (whole**2 - left**2)
        return self.counts + follows * moved, np.sqrt(np.maximum(variance, 0.0))


def since_tracked(decoded: Decoded, question: Question) -> SinceTracked:
    """From each item's own leaves, in the epochs that are asked for."""
    asked = decoded.was_leaf & (question.of_epochs > 0)[:, None]
    run = np.logical_and.accumulate(asked[::-1], axis=0)[::-1]
    of_epochs = np.where(run, decoded.times.reports[decoded.stream.before :, None], 0.0)
    weights = np.zeros(decoded.found.share.shape)
    weights[decoded.stream.before :] = of_epochs
    return SinceTracked(weights, *decoded.total(weights), of_epochs.sum(axis=0))
