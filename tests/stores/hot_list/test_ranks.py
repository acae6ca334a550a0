"""Likely ranks agree with the counts and the intervals beside them."""

from itertools import combinations

import numpy as np
import pytest

from hgldp.experiments.measuring.streams import Library
from hgldp.model.estimate import Estimate
from hgldp.simulation.run import Plan, run
from hgldp.stores.hot_list import ranks
from hgldp.stores.hot_list.ranks import Floats, Ranks, Unlisted, with_ranks

SURVEY = "zipf:n=400,d=9,s=1.6"


def contradictions(lines: tuple[Estimate, ...]) -> int:
    """Pairs of which one surely has more, and yet an end of its ranks is worse."""
    found = 0
    for first, second in combinations(lines, 2):
        assert first.ranks
        assert second.ranks
        if first.interval[0] > second.interval[1]:
            found += first.ranks[0] > second.ranks[0] or first.ranks[1] > second.ranks[1]
    return found


def over_many_answers() -> int:
    found = 0
    for seed in range(20):
        drawn = Library().draw(SURVEY, seed)
        for scheme in ("bgr", "dsr"):
            for raw in (0, 200, 399):
                found += contradictions(run(Plan(scheme, 4.0, 4), drawn.items, 9, raw, seed).estimates)
    return found


def test_whoever_surely_has_more_has_no_worse_rank() -> None:
    assert over_many_answers() == 0


def test_ranks_that_ignore_the_intervals_would_be_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The planted bug is the rule that was: what may be noise may have the last rank, whatever its interval says."""
    lines = [Estimate(0, 99.0, 0.5, bounds=(99, 100), may_be_noise=True), Estimate(1, 75.0, 0.5, bounds=(75, 76))]
    given = np.array([99.0, 75.0, 11.0]), np.full(3, 0.5), 8, Unlisted(1, 0.0)
    assert contradictions(with_ranks(lines, *given)) == 0

    def as_they_are(found: Ranks, lows: Floats, highs: Floats, domain_size: int = 0) -> Ranks:
        del lows, highs, domain_size
        return found

    monkeypatch.setattr(ranks, "agreeing", as_they_are)
    monkeypatch.setattr(ranks, "in_order", as_they_are)
    assert contradictions(with_ranks(lines, *given)) == 1


def test_noise_is_above_nobody() -> None:
    """The luckiest of a flat stream is two deviations above some, and a little less above others: both may be first."""
    counts = np.array([740.0, 684.0, 681.0, 680.0])
    flat = [Estimate(item, count, 25.0, may_be_noise=True) for item, count in enumerate(counts.tolist())]
    assert [line.ranks for line in with_ranks(flat, counts, np.full(4, 25.0), 4, Unlisted(26, 0.0))] == [(1, 30)] * 4
    top = [Estimate(0, 740.0, 25.0), *flat[1:]]
    assert [line.ranks for line in with_ranks(top, counts, np.full(4, 25.0), 4, Unlisted(26, 0.0))][2:] == [(2, 30)] * 2


def test_an_answer_without_lines_has_no_ranks() -> None:
    assert with_ranks([], np.empty(0), np.empty(0), 4, Unlisted(5, 0.0)) == ()


def ranks_held() -> float:
    """After a warm-up of the first percent, the top of a stream that changes half-way; 20 answers of 20 lines."""
    held = 0
    for seed in range(20):
        drawn = Library().draw("sudden:n=100000,d=1000,s=1.2", seed)
        counts = np.bincount(drawn.items, minlength=1_000)
        for line in run(Plan("dsr", 4.0, 20), drawn.items, 1_000, 1_000, seed).estimates:
            assert line.ranks
            best, worst = line.ranks
            first, last = (
                1 + np.count_nonzero(counts > counts[line.item]),
                np.count_nonzero(counts >= counts[line.item]),
            )
            held += bool(first <= worst and best <= last)
    return held / 400


def test_a_rank_allows_for_items_that_never_came_onto_the_list(monkeypatch: pytest.MonkeyPatch) -> None:
    """At 95 % a line, at most 350 of 400 have a chance below 1e-6 if independent; planted: nobody else is there."""
    assert ranks_held() > 0.875
    monkeypatch.setattr(Unlisted, "above", lambda unlisted, rank: 0)
    assert ranks_held() < 0.8
