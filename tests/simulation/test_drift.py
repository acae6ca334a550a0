"""Drifting streams: each kind drifts as it says, and is drawn from its rates step by step."""

import tracemalloc
from collections.abc import Callable

import numpy as np
import pytest
from scipy import stats

from hgldp.errors import InvalidField
from hgldp.simulation.drift import DRIFTS, MAX_DRIFT_SIZE, STEPS, Rates, fill_drifting, steps_of, zipf_weights
from hgldp.simulation.generators import BLOCK, Synthetic, parse_generator
from tests.naive.drift import naive_stream

FALSE_ALARM = 1e-6
SIGMAS = 5.0  # of a normal law: false alarm 6e-7
TENTHS = 10
every_kind = pytest.mark.parametrize("kind", DRIFTS)


def law(kind: str, d: int, seed: int = 1) -> Rates:
    return DRIFTS[kind].law(d, DRIFTS[kind].shape, np.random.default_rng(seed))


def draw(kind: str, n: int, d: int, seed: int = 1) -> np.ndarray:
    return Synthetic(kind, n, d, DRIFTS[kind].shape).draw(np.random.default_rng(seed))


def top(items: np.ndarray, k: int) -> set[int]:
    return set(np.argsort(-np.bincount(items), kind="stable")[:k].tolist())


def follows(stream: np.ndarray, rates: Rates, d: int) -> bool:
    """χ² in each tenth of the stream against the mean of its steps' rates. False alarm 1e-6 in all."""
    shares = np.array([rates(step / STEPS) / rates(step / STEPS).sum() for step in range(STEPS)])
    for part, chances in zip(
        np.split(stream, TENTHS), shares.reshape(TENTHS, STEPS // TENTHS, d).mean(axis=1), strict=True
    ):
        counts, expected = np.bincount(part, minlength=d), chances * part.size
        big = expected >= 5
        observed, wanted = np.append(counts[big], counts[~big].sum()), np.append(expected[big], expected[~big].sum())
        if wanted[-1] < 5:
            observed, wanted = observed[:-1], wanted[:-1]
        if stats.chisquare(observed, wanted * observed.sum() / wanted.sum()).pvalue < FALSE_ALARM / TENTHS:
            return False
    return True


@every_kind
def test_a_stream_follows_the_rates_of_its_law(kind: str) -> None:
    """False alarm 1e-6."""
    assert follows(draw(kind, 400_000, 300), law(kind, 300), 300)


@every_kind
@pytest.mark.parametrize(
    "wrong", [lambda time: 0.0, lambda time: 1 - time, lambda time: time**1.2], ids=["never", "backwards", "late"]
)
def test_rates_of_the_wrong_time_would_be_noticed(kind: str, wrong: Callable[[float], float]) -> None:
    rates, stream, rng = law(kind, 300), np.empty(400_000, np.int32), np.random.default_rng(2)
    fill_drifting(stream, lambda time: rates(wrong(time)), rng, BLOCK)
    assert not follows(stream, rates, 300)


@every_kind
@pytest.mark.parametrize("n", [57, 601])
def test_a_naive_twin_draws_the_same_items(kind: str, n: int) -> None:
    found = Synthetic(kind, n, 12, DRIFTS[kind].shape).draw(np.random.default_rng(n))
    assert found.tolist() == naive_stream(kind, n, 12, DRIFTS[kind].shape, np.random.default_rng(n))


@every_kind
def test_blocks_do_not_matter(kind: str) -> None:
    whole, pieces = np.empty(30_000, np.int32), np.empty(30_000, np.int32)
    for stream, block in ((whole, BLOCK), (pieces, 7)):
        rng = np.random.default_rng(3)
        fill_drifting(stream, DRIFTS[kind].law(50, DRIFTS[kind].shape, rng), rng, block)
    assert np.array_equal(whole, pieces)


@pytest.mark.parametrize("n", [1, 199, 200, 12_345])
def test_the_steps_are_the_whole_stream_in_order(n: int) -> None:
    stream = np.arange(n, dtype=np.int32)
    times, parts = zip(*steps_of(stream), strict=True)
    assert np.array_equal(np.concatenate(parts), stream)
    assert list(times) == sorted(set(times))
    assert max(part.size for part in parts) - min(part.size for part in parts) <= 1


def test_in_a_turnover_each_item_moves_once_within_half_of_the_stream() -> None:
    rates, weights = law("turnover", 2_000), np.sort(zipf_weights(2_000, 1.1))
    times = np.linspace(-0.5, 1.5, 401)
    walks = np.log([rates(time) for time in times])
    assert np.allclose(np.sort(rates(-0.126)), weights)
    assert np.allclose(np.sort(rates(1.126)), weights)
    steps = np.diff(walks, axis=0)
    one_way = (steps >= -1e-9).all(axis=0) | (steps <= 1e-9).all(axis=0)
    assert one_way.all()
    moving = (np.abs(steps) > 1e-9).sum(axis=0) * 0.005
    assert moving.max() <= 0.505 + 1e-9
    assert np.median(moving) >= 0.495


def test_a_turnover_leaves_nothing_of_the_ranking_but_changes_slowly() -> None:
    """The correlation of 20,000 independent pairs is below 5/√20,000, false alarm 6e-7."""
    rates, other = law("turnover", 20_000), law("sudden", 20_000)
    first, soon, last = (np.log(rates(time)) for time in (-0.2, 0.05, 1.2))
    assert abs(np.corrcoef(first, last)[0, 1]) < SIGMAS / 20_000**0.5
    assert np.corrcoef(first, soon)[0, 1] > 0.9
    assert not np.corrcoef(np.log(other(0.45)), np.log(other(0.5)))[0, 1] > 0.9


def test_the_top_of_a_turnover_goes_and_that_of_a_steady_stream_stays() -> None:
    """Each of the 20 stays with a chance below 3 % (0 of 100 did), so more than 8 with one below 1e-8."""
    first, *_, last = np.split(draw("turnover", 500_000, 20_000), TENTHS)
    assert len(top(first, 20) & top(last, 20)) <= 8
    steady, *_, still = np.split(parse_generator("zipf:n=500000,d=20000,s=1.1").draw(np.random.default_rng(1)), TENTHS)
    assert len(top(steady, 20) & top(still, 20)) >= 15


def test_seasons_swing_three_times_by_e_to_the_two_with_phases_of_their_own() -> None:
    """Kolmogorov–Smirnov, false alarm 1e-6."""
    rates = law("seasons", 1_000)
    swings = np.log([rates(time) for time in np.arange(0, 1, 0.001)])
    assert np.allclose(swings.max(axis=0) - swings.min(axis=0), 4.0, atol=0.001)
    assert np.allclose(rates(0.1), rates(0.1 + 1 / 3))
    assert not np.allclose(rates(0.1), rates(0.1 + 1 / 6))
    assert np.allclose(np.sort(np.sqrt(rates(0.2) * rates(0.2 + 1 / 6))), np.sort(zipf_weights(1_000, 1.1)))
    phases = swings.argmax(axis=0) / 1_000 % (1 / 3) * 3
    assert stats.kstest(phases, "uniform").pvalue > FALSE_ALARM


def test_a_season_comes_again_in_the_stream() -> None:
    """Counts of the same season one cycle later agree (χ², false alarm 1e-6), half a cycle later they do not."""
    stream, d = draw("seasons", 600_000, 100), 100
    now, later, opposite = (
        np.bincount(stream[int(start * 600_000) : int(start * 600_000) + 10_000], minlength=d)
        for start in (0.1, 0.1 + 1 / 3, 0.1 + 1 / 6)
    )
    assert stats.chi2_contingency(np.array([now, later]) + 1).pvalue > FALSE_ALARM
    assert stats.chi2_contingency(np.array([now, opposite]) + 1).pvalue < FALSE_ALARM


def test_sixty_bursts_of_three_per_cent_last_three_per_cent_each() -> None:
    d, times = 20_000, np.arange(0, 1, 0.0005)
    rates = law("bursts", d)
    background = np.min([rates(time) for time in (0.0, 0.2, 0.5, 0.8)], axis=0)
    assert np.isclose(background.sum(), 1.0)
    assert np.allclose(np.sort(background / background.max()), np.sort(zipf_weights(d, 1.05)))
    extra = np.array([rates(time) - background for time in times])
    on = extra > 1e-6
    assert np.allclose(extra[on] % 0.03, 0.0, atol=1e-9)
    lengths = on.sum(axis=0)[on.any(axis=0)] * 0.0005
    assert 55 <= lengths.size <= 60
    assert np.median(lengths) == pytest.approx(0.03, abs=0.001)


def test_a_burst_is_hot_for_a_while_and_cold_before_and_after() -> None:
    """In a hundredth of 5,000 events 3 % are 150 ± 12; a background item of rank 20 has 20 ± 4."""
    stream = draw("bursts", 500_000, 20_000)
    counts = np.array([np.bincount(part, minlength=20_000) for part in np.split(stream, 100)])
    hot = counts > 90
    brief = np.flatnonzero(hot.any(axis=0) & (np.median(counts, axis=0) < 20))
    assert 45 <= brief.size <= 60
    assert hot[:, brief].sum(axis=0).max() <= 8


def test_a_sudden_change_replaces_every_rank_half_way_and_nothing_else() -> None:
    rates = law("sudden", 5_000)
    assert np.array_equal(rates(0.0), rates(0.499))
    assert np.array_equal(rates(0.5), rates(1.0))
    assert np.allclose(np.sort(rates(0.0)), np.sort(rates(0.5)))
    assert abs(np.corrcoef(np.log(rates(0.0)), np.log(rates(0.5)))[0, 1]) < SIGMAS / 5_000**0.5


def test_the_halves_of_a_sudden_change_are_steady() -> None:
    quarters = [top(part, 10) for part in np.split(draw("sudden", 400_000, 20_000), 4)]
    assert len(quarters[0] & quarters[1]) >= 9
    assert len(quarters[2] & quarters[3]) >= 9
    assert len(quarters[1] & quarters[2]) <= 1


def test_a_third_of_the_items_are_older_than_the_stream_and_the_rest_are_born_evenly() -> None:
    """Binomial and Kolmogorov–Smirnov, false alarm 1e-6 each."""
    d, times = 6_000, np.arange(0, 1.001, 0.001)
    alive = np.array([law("births", d)(time) > 1e-8 for time in times])
    born = np.where(alive.any(axis=0), alive.argmax(axis=0), -1)
    assert not (born == -1).all()
    early, late = born == 0, born > 0
    dead = stats.binomtest(int(early.sum()), d, 1 / 3, "greater").pvalue
    assert dead > FALSE_ALARM
    assert stats.kstest(born[late] / 1000, "uniform").pvalue > FALSE_ALARM
    assert stats.binomtest(int(late.sum()), d, 2 / 3).pvalue > FALSE_ALARM


def test_lives_are_exponential_and_weights_have_a_heavy_tail() -> None:
    """The share of lives above a bound, and of weights above one at birth, within 5 standard errors: 6e-7 each."""
    d = 20_000
    rates = law("births", d)
    now, soon = rates(0.0), rates(0.01)
    old = now > 1e-8
    lives = 0.01 / np.log(np.maximum(now[old] / soon[old], 1 + 1e-12))
    everyone = d / 3
    for bound in (0.1, 0.25, 0.5, 1.0):
        share, wanted = (lives > bound).sum() / everyone, np.exp(-bound / 0.25)
        assert abs(share - wanted) < SIGMAS * (wanted / everyone) ** 0.5
    newest = (rates(0.505) > 1e-8) & (rates(0.5) <= 1e-8)
    weights, slow = rates(0.505)[newest], newest.sum()
    for bound in (5.0, 20.0):
        assert abs((weights > bound).sum() - slow / bound) < SIGMAS * (slow / bound) ** 0.5 + 0.1 * slow / bound
    assert not abs((weights > 5.0).sum() - slow / 25) < SIGMAS * (slow / 25) ** 0.5


def test_what_is_hot_at_the_end_of_births_was_not_there_at_the_beginning() -> None:
    first, *_, last = np.split(draw("births", 500_000, 20_000), TENTHS)
    hot = top(last, 20)
    assert sum(np.count_nonzero(first == item) < 50 for item in hot) >= 10


@every_kind
def test_a_large_domain_takes_64_bytes_an_item_and_a_long_stream_four(kind: str) -> None:
    generator = Synthetic(kind, 3_000_000, 1 << 16, DRIFTS[kind].shape)
    tracemalloc.start()
    generator.draw(np.random.default_rng(1))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 4 * generator.n + 64 * generator.d + 1_000_000


@every_kind
@pytest.mark.parametrize("shape", ["least", "most"])
def test_the_extremes_of_the_parameter_draw_items_of_the_domain(kind: str, shape: str) -> None:
    stream = Synthetic(kind, 2_000, 5_000, getattr(DRIFTS[kind], shape)).draw(np.random.default_rng(1))
    assert stream.dtype == np.int32
    assert 0 <= stream.min() <= stream.max() < 5_000


@pytest.mark.parametrize("kind", [kind for kind, drift in DRIFTS.items() if drift.parameter == "s"])
def test_no_rate_vanishes_however_steep_the_ranking(kind: str) -> None:
    rates = DRIFTS[kind].law(50_000, DRIFTS[kind].most, np.random.default_rng(1))
    assert all(np.isfinite(rates(time)).all() and (rates(time) > 0).all() for time in (0.0, 0.3, 0.5, 0.9))
    assert MAX_DRIFT_SIZE ** -float(DRIFTS[kind].most) > 1e-300


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("turnover:s=-1", "s must lie in 0 … 10, got -1"),
        ("seasons:s=10.5", "s must lie in 0 … 10, got 10.5"),
        ("sudden:s=inf", "s must be a finite number, got inf"),
        ("births:life=0", "life must lie in 0.001 … 1000, got 0"),
        ("births:life=-1", "life must lie in 0.001 … 1000, got -1"),
        ("births:s=1", "births takes n, d and life, got s=1"),
        ("bursts:share=0.1", "bursts takes n, d and s, got share=0.1"),
        ("turnover:n=0", "n must be a whole number in 1 …"),
        ("turnover:n=0.5", "n must be a whole number, got 0.5"),
        ("turnover:d=1", f"d must be a whole number in 2 … {MAX_DRIFT_SIZE}, got 1"),
        (f"turnover:d={MAX_DRIFT_SIZE + 1}", f"d must be a whole number in 2 … {MAX_DRIFT_SIZE}"),
        ("turnover:n=10,n=10", "n must be given once"),
    ],
)
def test_a_bad_description_names_the_parameter(text: str, complaint: str) -> None:
    with pytest.raises(InvalidField) as refusal:
        parse_generator(text)
    assert str(refusal.value).startswith(complaint)


def test_what_a_description_leaves_out_is_the_default() -> None:
    assert parse_generator("turnover:") == Synthetic("turnover", 500_000, 20_000, 1.1)
    assert parse_generator("bursts:n=1e3") == Synthetic("bursts", 1_000, 20_000, 1.05)
    assert parse_generator("births:life=0.1,d=50") == Synthetic("births", 500_000, 50, 0.1)
