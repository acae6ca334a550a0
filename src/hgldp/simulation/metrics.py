"""How good an answer is: precision, NDCG and AAE as the paper defines them, with recall, F1 and relative error.

An answer is a ranked list of estimates, best first; only its first k count. The truth is one exact count per item of
the domain. An item that never occurred is no heavy hitter, so there may be fewer than k true ones.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import log2

import numpy as np
from numpy.typing import NDArray

from hgldp.errors import InvalidField
from hgldp.model.estimate import Estimate

Counts = NDArray[np.int64] | NDArray[np.float64]


@dataclass(frozen=True)
class Scores:
    """Every metric of one answer.

    >>> truth = np.array([50, 30, 20, 0])
    >>> answer = [Estimate(item=0, count=45.0, standard_error=1.0), Estimate(item=2, count=21.0, standard_error=1.0)]
    >>> score(answer, truth, k=2)
    Scores(precision=0.5, recall=0.5, f1=0.5, ndcg=0.5, aae=17.5, relative_error=0.55)
    """

    precision: float
    recall: float
    f1: float
    ndcg: float
    aae: float
    relative_error: float


def exact_top(truth: Counts, k: int) -> list[int]:
    """The k most frequent items, by count and, where counts are equal, by index. Items that never occurred stay out.

    >>> exact_top(np.array([1, 7, 0, 7]), k=5)
    [1, 3, 0]
    """
    if k < 1:
        raise InvalidField("k", "must be at least 1", k)
    candidates = np.flatnonzero(truth)
    if k < candidates.size:
        bar = np.partition(truth[candidates], candidates.size - k)[candidates.size - k]
        candidates = candidates[truth[candidates] >= bar]
    order = np.argsort(-truth[candidates].astype(np.float64), kind="stable")
    return [int(item) for item in candidates[order[:k]]]


def precision(answer: Sequence[Estimate], truth: Counts, k: int) -> float:
    """Hits over heavy hitters, the paper's formula; an answer longer than the truth is held to its own length.

    So a short answer cannot score by leaving out what it is unsure of, nor a long one by guessing on.
    """
    top = exact_top(truth, k)
    room = max(len(answer[:k]), len(top))
    return _hits(answer[:k], top) / room if room else 0.0


def recall(answer: Sequence[Estimate], truth: Counts, k: int) -> float:
    """The share of the true top-k that the answer holds."""
    top = exact_top(truth, k)
    return _hits(answer[:k], top) / len(top) if top else 0.0


def f1(answer: Sequence[Estimate], truth: Counts, k: int) -> float:
    """The harmonic mean of precision and recall."""
    found, complete = precision(answer, truth, k), recall(answer, truth, k)
    return 2 * found * complete / (found + complete) if found + complete else 0.0


def ndcg(answer: Sequence[Estimate], truth: Counts, k: int) -> float:
    """The quality of the order (the paper's appendix on NDCG).

    A true item has relevance |k − |its true rank − its rank here||, any other 0. Rank 1 counts fully, rank i ≥ 2 by
    1/log2(i). The ideal is the true list itself, where every relevance is k.
    """
    rank = {item: place for place, item in enumerate(exact_top(truth, k), start=1)}
    gain = sum(
        abs(k - abs(rank[line.item] - place)) / _discount(place)
        for place, line in enumerate(answer[:k], start=1)
        if line.item in rank
    )
    ideal = sum(k / _discount(place) for place in rank.values())
    return gain / ideal if ideal else 0.0


def aae(answer: Sequence[Estimate], truth: Counts, k: int) -> float:
    """The average absolute error of the counts of the true top-k: missing items and negative estimates count as 0."""
    errors = _errors(answer[:k], truth, k)
    return sum(error for error, _ in errors) / len(errors) if errors else 0.0


def relative_error(answer: Sequence[Estimate], truth: Counts, k: int) -> float:
    """The average over the true top-k of the absolute error divided by the true count."""
    errors = _errors(answer[:k], truth, k)
    return sum(error / count for error, count in errors) / len(errors) if errors else 0.0


def score(answer: Sequence[Estimate], truth: Counts, k: int) -> Scores:
    """All of them."""
    return Scores(
        precision=precision(answer, truth, k),
        recall=recall(answer, truth, k),
        f1=f1(answer, truth, k),
        ndcg=ndcg(answer, truth, k),
        aae=aae(answer, truth, k),
        relative_error=relative_error(answer, truth, k),
    )


def sample_answer(sample: Counts, k: int, reports: int) -> list[Estimate]:
    """The answer that a raw sample gives by itself: its exact top-k, scaled up to the whole stream.

    >>> [(line.item, line.count) for line in sample_answer(np.array([0, 3, 1]), k=2, reports=400)]
    [(1, 300.0), (2, 100.0)]
    """
    size = int(sample.sum())
    answer = []
    for item in exact_top(sample, k):
        share = int(sample[item]) / size
        error = reports * (share * (1 - share) / size) ** 0.5
        answer.append(Estimate(item=item, count=reports * share, standard_error=error, warmup=int(sample[item])))
    return answer


def _hits(answer: Sequence[Estimate], top: list[int]) -> int:
    return len({line.item for line in answer} & set(top))


def _discount(place: int) -> float:
    return 1.0 if place == 1 else log2(place)


def _errors(answer: Sequence[Estimate], truth: Counts, k: int) -> list[tuple[float, float]]:
    estimated = {line.item: max(line.count, 0.0) for line in answer}
    return [(abs(float(truth[item]) - estimated.get(item, 0.0)), float(truth[item])) for item in exact_top(truth, k)]
