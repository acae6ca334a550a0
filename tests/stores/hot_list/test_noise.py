"""What stands out: never by the luck of few reports, and always by raw counts that no report can undo."""

from math import erfc, sqrt

import numpy as np
import pytest

from hgldp import Randomizer, SeededWords, Task, Tracker
from hgldp.experiments.measuring.streams import Library
from hgldp.kernels import hot_list as kernels
from hgldp.kernels.hot_list import Cells, empty_cells
from hgldp.simulation.run import Plan, run
from hgldp.stores.hot_list import noise
from hgldp.stores.hot_list.answer import publish
from hgldp.stores.hot_list.noise import at_least, chance_of

SCHEMES = ("bgr", "dsr", "bdr", "cnr")
FEW = (1, 2, 5, 10, 30, 100, 1000)
SEEDS, MOST = 30, 18


def clear_tops(scheme: str, warmup: float = 0.0) -> int:
    """In how many of 210 answers about flat streams of few reports a line stands out."""
    found = 0
    for size in FEW:
        for seed in range(SEEDS):
            drawn = Library().draw(f"uniform:n={size},d=20", seed)
            plan, raw = Plan(scheme, (2.0, 4.0)[seed % 2], 5), int(warmup * size)
            lines = run(plan, drawn.items, drawn.domain_size, raw, seed).estimates
            found += any(not line.may_be_noise for line in lines)
    return found


@pytest.mark.parametrize("scheme", SCHEMES)
def test_a_flat_stream_of_few_reports_has_no_clear_top(scheme: str) -> None:
    """One answer in fifty may have one: 18 or more of 210 are an accident of less than one in a million."""
    assert clear_tops(scheme) < MOST


@pytest.mark.parametrize("warmup", [0.1, 0.5])
def test_a_flat_stream_of_few_reports_has_no_clear_top_after_a_warm_up(warmup: float) -> None:
    """With the same false-alarm rate."""
    assert clear_tops("dsr", warmup) < MOST


@pytest.mark.parametrize("scheme", SCHEMES)
def test_a_normal_law_for_few_reports_would_be_noticed(scheme: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The planted bug is the rule that was: errors are normal however few reports there are, whatever the interval."""
    honest = noise.stands_out

    def normal(excess: float, variance: float, jump: float) -> float:
        del jump
        return 0.5 * erfc(excess / sqrt(2 * variance))

    monkeypatch.setattr(noise, "chance_of", normal)
    monkeypatch.setattr("hgldp.stores.hot_list.answer.stands_out", lambda *given: honest(*given[:-1], float("inf")))
    assert clear_tops(scheme) > 2 * MOST


@pytest.mark.parametrize("mean", [0.05, 1.0, 30.0, 4000.0])
def test_the_bound_on_a_poisson_tail_holds_and_is_close(mean: float) -> None:
    """Against the sum of its terms, from the count on."""
    for count in range(int(mean + 2 * sqrt(mean)) + 2, int(mean + 7 * sqrt(mean)) + 6):
        steps = mean / np.arange(count + 1, count + 2000)
        first = np.exp(count * np.log(mean) - mean - np.log(np.arange(1, count + 1)).sum())
        exact = first * (1 + np.cumprod(steps).sum())
        assert exact * (1 - 1e-9) <= at_least(count, mean) <= 1.35 * exact


def test_many_jumps_are_normal_on_both_sides_of_the_limit() -> None:
    for deviations in (2.0, 3.0, 5.0):
        many, few = (chance_of(deviations * sqrt(v), v, 1.0) for v in (1.01e6, 0.99e6))
        assert few == pytest.approx(many, rel=0.3)
        assert many == pytest.approx(0.5 * erfc(deviations / sqrt(2)), rel=1e-9)


def warmed(priors: list[int], scores: list[float], reports: int, variance: float) -> Cells:
    cells = empty_cells(len(priors), seed=1)
    cells.item[:], cells.prior[:], cells.score[:] = np.arange(len(priors)), priors, scores
    cells.seen[:], cells.noise[:] = reports, variance * reports
    cells.counter[kernels.WARMUP], cells.counter[kernels.REPORTS] = sum(priors), reports
    return cells


def test_raw_counts_are_no_noise_before_and_after_the_first_report() -> None:
    """99, 75, 11, 8 and 7 of 200 among nine items: one report of a variance of 3 cannot make one of them ordinary."""
    raw = [99, 75, 11, 8, 7]
    for scores, reports in (([0.0] * 5, 0), ([2.0, -0.5, -0.5, -0.5, -0.5], 1)):
        lines = publish(warmed(raw, scores, reports, 3.0), 9, 5, 2.5)
        assert [line.may_be_noise for line in lines] == [False] * 5
        assert [line.ranks for line in lines[:4]] == [(1, 1), (2, 2), (3, 3), (4, 4)]


def test_items_that_are_raw_and_alike_do_not_stand_out() -> None:
    lines = publish(warmed([10] * 5, [0.0] * 5, 0, 3.0), 5, 5, 2.5)
    assert all(line.may_be_noise and line.ranks == (1, 5) for line in lines)


def test_a_line_whose_interval_begins_at_nothing_may_be_noise() -> None:
    """An interval that begins at 0 says itself that there may have been none."""
    for scheme in SCHEMES:
        for seed in range(20):
            drawn = Library().draw(f"zipf:n={(5, 10, 40)[seed % 3]},d=20,s=1", seed)
            for line in run(Plan(scheme, 4.0, 5), drawn.items, 20, 0, seed).estimates:
                assert line.may_be_noise or line.interval[0] > 0


def test_nobody_has_fewer_than_were_raw_or_more_than_all_reports() -> None:
    """At ε = 0.01 an unbiased count of 300 reports is off by thousands."""
    for scheme in SCHEMES:
        task = Task(scheme, epsilon=0.01, domain=range(12), k=5)
        tracker = Tracker(task, seed=1, warmup=[1, 1, 1, 2, 2, 3])
        client = Randomizer(task, max_epsilon=1.0, words=SeededWords(1))
        for event in range(300):
            tracker.insert(client.report(event % 3, tracker.bulletin))
        for _, line in tracker.top(5):
            low, high = line.interval
            assert line.warmup <= low <= line.count <= high <= line.warmup + 300
