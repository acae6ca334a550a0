"""Each kind of interval is held against its own truth."""

from dataclasses import replace

import numpy as np
import pytest

from benchmarks.coverage.truth import (
    Counts,
    judge,
    judge_since,
    rank_held,
    recent_counts,
    side_of,
    whole_counts,
)
from hgldp.model.estimate import Estimate
from hgldp.simulation.truth import faded_counts

STREAM = np.array([7] * 30 + [1] * 70, np.int32)
LINE = Estimate(7, 30.0, 5.0, 0.0, 5.0, 70, 0)


def test_truth_is_counted_over_everything_and_over_the_last_reports() -> None:
    assert whole_counts(STREAM, 9)[[1, 7]].tolist() == [70, 30]
    assert recent_counts(STREAM, 9, 75)[[1, 7]].tolist() == [70, 5]
    assert recent_counts(STREAM, 9, 0).sum() == 0


def test_an_event_of_one_half_life_ago_weighs_half() -> None:
    weights = [2.0 ** -((place + 0.5) / 20) for place in range(100)][::-1]
    wanted = 100 * sum(weights[:30]) / sum(weights)
    found = faded_counts(STREAM, 9, 20)
    assert found[7] == pytest.approx(wanted)
    assert found.sum() == pytest.approx(100)
    assert faded_counts(STREAM, 9, 1e12)[7] == pytest.approx(30)


def test_a_line_is_judged_by_its_own_interval() -> None:
    counts = whole_counts(STREAM, 9)
    assert judge(LINE, counts).held
    assert judge(replace(LINE, count=41.0), counts).side == 1
    assert judge(replace(LINE, count=19.0), counts).side == -1
    assert judge(replace(LINE, count=41.0), counts).error == pytest.approx(2.2)
    assert judge(replace(LINE, count=41.0, bounds=(29.0, 42.0)), counts).held
    assert judge(replace(LINE, bounds=(31.0, 42.0)), counts).side == 1
    assert judge(replace(LINE, may_be_noise=True), counts).may_be_noise


def test_the_count_since_tracked_is_judged_by_what_came_since() -> None:
    assert judge_since(LINE, STREAM) is not None
    late = judge_since(replace(LINE, since=100), STREAM)
    assert late is not None
    assert (late.error, late.side) == (-6.0, -1)
    assert judge_since(replace(LINE, since=0), STREAM) is None


def test_a_bound_itself_is_inside() -> None:
    assert [side_of((1.0, 3.0), truth) for truth in (0.999, 1.0, 3.0, 3.001)] == [1, 0, 0, -1]


COUNTS = np.array([50.0, 20.0, 20.0, 20.0, 5.0])


@pytest.mark.parametrize(
    ("item", "ranks", "held"),
    [
        (0, (1, 1), True),
        (0, (2, 5), False),
        (1, (2, 2), True),
        (3, (2, 2), True),
        (1, (4, 5), True),
        (1, (5, 5), False),
        (1, (1, 1), False),
        (4, (5, 9), True),
        (4, (1, 4), False),
        (4, None, None),
    ],
)
def test_equal_counts_share_their_ranks(item: int, ranks: tuple[int, int] | None, held: bool | None) -> None:
    assert rank_held(Estimate(item, 0.0, 1.0, ranks=ranks), COUNTS) is held


def test_a_judge_that_ignored_ties_would_be_noticed() -> None:
    def by_order(line: Estimate, counts: Counts) -> bool:
        rank = 1 + int(np.flatnonzero(np.argsort(-counts, kind="stable") == line.item)[0])
        return line.ranks is not None and line.ranks[0] <= rank <= line.ranks[1]

    line = Estimate(3, 20.0, 1.0, ranks=(2, 2))
    assert rank_held(line, COUNTS)
    assert not by_order(line, COUNTS)
