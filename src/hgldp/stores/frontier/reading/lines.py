"""From shares to published lines: counts without luck, intervals, the ranks that are likely, and what may be noise."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hgldp.model.estimate import Z95, Estimate
from hgldp.stores.frontier.reading.candidates import Crowd
from hgldp.stores.frontier.reading.decoding import Decoded
from hgldp.stores.frontier.reading.luck import Judged
from hgldp.stores.standing import Usual

TINY = 1e-12
Reals = NDArray[np.float64]


@dataclass(frozen=True)
class Question:
    """What is counted: a weight for each retained epoch and for what was forgotten, and how many reports that is."""

    of_epochs: Reals
    of_forgotten: float
    reports: float

    @property
    def whole(self) -> float:
        """All weights together; never 0, though with a short half-life nothing may be left of them."""
        return max(float(self.of_epochs.sum()) + self.of_forgotten, TINY)

    def shares(self, decoded: Decoded) -> tuple[Reals, Reals]:
        """Each item's share of what is counted, and its standard deviation."""
        return decoded.total(self.weights(decoded))

    def weights(self, decoded: Decoded) -> Reals:
        """How much each stretch counts; 1 together."""
        return decoded.weights(self.of_epochs, self.of_forgotten) / self.whole


def best_lines(decoded: Decoded, crowd: Crowd, question: Question, k: int, *, warm: bool) -> tuple[Estimate, ...]:
    """The k items with the largest counts, best first."""
    shares, deviations = question.shares(decoded)
    size = decoded.stream.domain_size
    judged = Judged(
        shares, deviations, decoded.clearness(question.weights(decoded)), crowd, size, decoded.stream.reports
    )
    best = np.lexsort((decoded.items, -judged.mean))[:k]
    best_ranks, worst_ranks = np.split(judged.above(np.concatenate([judged.high[best], judged.low[best]])), 2)
    stands_out = usual(decoded, question).is_below(shares, deviations) & has_own_evidence(decoded)
    own = since_tracked(decoded)
    tracked, tracked_error = own.given(decoded, question, judged.mean - shares, judged.deviation)
    lines = []
    for place, i in enumerate(best.tolist()):
        item, reports = int(decoded.items[i]), question.reports
        raw = decoded.stream.warm_up.count(item) if warm else 0
        at_best = min(1 + int(best_ranks[place] + 0.5), place + 1)
        at_worst = max(int(worst_ranks[place] + 0.5), place + 1)
        lines.append(
            Estimate(
                item=item,
                count=raw + reports * float(judged.mean[i]),
                standard_error=reports * float(judged.deviation[i]),
                tracked_count=float(tracked[i]),
                tracked_error=float(tracked_error[i]),
                since=int(own.reports[i]),
                warmup=raw,
                bounds=(raw + reports * float(judged.low[i]), raw + reports * float(judged.high[i])),
                ranks=(at_best, min(size, at_worst)),
                may_be_noise=not stands_out[i],
            )
        )
    return tuple(lines)


def plain_lines(decoded: Decoded, others: Usual, question: Question, *, warm: bool) -> tuple[Estimate, ...]:
    """Lines of items that somebody named: luck did not pick them, so nothing is corrected."""
    shares, deviations = question.shares(decoded)
    stands_out = others.is_below(shares, deviations) & has_own_evidence(decoded)
    own = since_tracked(decoded)
    lines = []
    for i, item in enumerate(decoded.items.tolist()):
        raw = decoded.stream.warm_up.count(item) if warm else 0
        count, error = raw + question.reports * float(shares[i]), question.reports * float(deviations[i])
        tracked = (float(own.counts[i]), float(own.errors[i]), int(own.reports[i]))
        lines.append(Estimate(item, count, error, *tracked, raw, may_be_noise=not stands_out[i]))
    return tuple(lines)


def unknown_lines(items: Sequence[int], reports: int) -> tuple[Estimate, ...]:
    """Where nothing was counted, each item may have been in none of the reports, or in all."""
    error, bounds = reports / (2 * Z95), (0.0, float(reports))
    return tuple(Estimate(item, 0.0, error, bounds=bounds, may_be_noise=True) for item in items)


def usual(candidates: Decoded, question: Question) -> Usual:
    """What an ordinary item has, as the candidates for the top show."""
    shares, deviations = question.shares(candidates)
    known = has_own_evidence(candidates)
    return Usual.among(shares[known], deviations[known], candidates.stream.domain_size, question.whole)


def has_own_evidence(decoded: Decoded) -> NDArray[np.bool_]:
    """An item without a leaf of its own in any epoch may owe everything to others in its search cells."""
    return np.asarray(decoded.was_leaf.any(axis=0) | (decoded.stream.warm_up.size > 0))


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


def since_tracked(decoded: Decoded) -> SinceTracked:
    """From each item's own leaves."""
    run = np.logical_and.accumulate(decoded.was_leaf[::-1], axis=0)[::-1]
    of_epochs = np.where(run, decoded.times.reports[decoded.stream.before :, None], 0.0)
    weights = np.zeros(decoded.found.share.shape)
    weights[decoded.stream.before :] = of_epochs
    return SinceTracked(weights, *decoded.total(weights), of_epochs.sum(axis=0))
