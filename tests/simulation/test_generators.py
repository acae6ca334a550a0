"""Synthetic streams: the right distribution, the right range, and a clear word about a bad description."""

import doctest
import tracemalloc
from math import erf, sqrt

import numpy as np
import pytest
from scipy import stats

from hgldp.errors import InvalidField
from hgldp.simulation import generators
from hgldp.simulation.generators import EXAMPLES, Synthetic, is_generator, parse_generator

FALSE_ALARM = 1e-6


def draw(text: str, seed: int = 1) -> np.ndarray:
    return parse_generator(text).draw(np.random.default_rng(seed))


def fits(stream: np.ndarray, probabilities: np.ndarray) -> bool:
    """χ² over the cells that expect at least five; the rest is one cell. False alarm 1e-6."""
    counts, expected = np.bincount(stream, minlength=probabilities.size), probabilities * stream.size
    big = expected >= 5
    observed, wanted = np.append(counts[big], counts[~big].sum()), np.append(expected[big], expected[~big].sum())
    if wanted[-1] < 5:
        observed, wanted = observed[:-1], wanted[:-1]
    return bool(stats.chisquare(observed, wanted * observed.sum() / wanted.sum()).pvalue > FALSE_ALARM)


def normal_probabilities(d: int, sigma: float) -> np.ndarray:
    edges = (np.arange(d + 1) - 0.5 - d / 2) / (sigma * sqrt(2))
    steps = np.diff([erf(edge) for edge in edges])
    return steps / steps.sum()


def exponential_probabilities(d: int, scale: float) -> np.ndarray:
    steps = -np.diff(np.exp(-np.arange(d + 1) / scale))
    return steps / steps.sum()


@pytest.mark.parametrize(("d", "sigma"), [(1000, 5), (30, 40)])
def test_normal_has_its_distribution_even_where_it_must_redraw(d: int, sigma: int) -> None:
    assert fits(draw(f"normal:n=300000,d={d},sigma={sigma}"), normal_probabilities(d, sigma))


@pytest.mark.parametrize(("d", "scale"), [(1000, 10), (20, 30)])
def test_exponential_has_its_distribution_even_where_it_must_redraw(d: int, scale: int) -> None:
    assert fits(draw(f"exponential:n=300000,d={d},scale={scale}"), exponential_probabilities(d, scale))


def test_clamping_instead_of_redrawing_would_be_noticed() -> None:
    clamped = np.clip(np.rint(np.random.default_rng(1).normal(15, 40, 300_000)), 0, 29).astype(np.int32)
    assert not fits(clamped, normal_probabilities(30, 40))


def test_uniform_is_uniform() -> None:
    assert fits(draw("uniform:n=300000,d=100"), np.full(100, 0.01))


def test_fading_is_a_bell_and_then_flat() -> None:
    early, late = np.split(draw("fading:n=600000,d=100,sigma=5"), 2)
    assert fits(early, normal_probabilities(100, 5))
    assert fits(late, np.full(100, 0.01))


def test_zipf_has_its_distribution_under_shuffled_names() -> None:
    stream = draw("zipf:n=300000,d=500,s=1.1")
    names = np.random.default_rng(1).permutation(np.arange(500, dtype=np.int32))
    rank_of = np.argsort(names)
    weights = np.arange(1, 501) ** -1.1
    assert fits(rank_of[stream], weights / weights.sum())
    assert not np.array_equal(names, np.arange(500))


@pytest.mark.parametrize("text", EXAMPLES)
def test_every_example_draws_int32_items_of_its_domain(text: str) -> None:
    generator = parse_generator(text.replace("n=8000000", "n=300000"))
    stream = generator.draw(np.random.default_rng(3))
    assert stream.dtype == np.int32
    assert stream.size == generator.n
    assert 0 <= stream.min() <= stream.max() < generator.d


@pytest.mark.parametrize("text", EXAMPLES)
def test_a_seed_fixes_the_stream(text: str) -> None:
    text = text.replace("n=8000000", "n=1000").replace("n=100000", "n=1000").replace("n=500000", "n=1000")
    assert np.array_equal(draw(text, 5), draw(text, 5))
    assert not np.array_equal(draw(text, 5), draw(text, 6))


@pytest.mark.parametrize("text", [text.replace("n=8000000", "n=4000000") for text in EXAMPLES])
def test_a_long_stream_takes_little_more_than_four_bytes_an_item(text: str) -> None:
    generator = parse_generator(text.replace("n=100000", "n=4000000").replace("n=500000", "n=4000000"))
    tracemalloc.start()
    generator.draw(np.random.default_rng(1))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 4 * generator.n + 12_000_000


def test_a_length_may_be_written_with_an_exponent() -> None:
    assert parse_generator("uniform:n=1e3,d=10") == Synthetic("uniform", 1000, 10)


@pytest.mark.parametrize(
    ("text", "field"),
    [
        ("normal:d=10,sigma=1", "n must be given for normal"),
        ("normal:n=10,sigma=1", "d must be given for normal"),
        ("normal:n=10,d=10", "sigma must be given for normal"),
        ("normal:", "n must be given for normal"),
        ("normal", "n must be given for normal"),
        ("normal:n=0,d=10,sigma=1", "n must be a whole number in 1 …"),
        ("normal:n=2.5,d=10,sigma=1", "n must be a whole number"),
        ("normal:n=ten,d=10,sigma=1", "n must be a finite number, got ten"),
        ("normal:n=10,d=1,sigma=1", "d must be a whole number in 2 …"),
        ("normal:n=10,d=10,sigma=0", "sigma must be above 0"),
        ("normal:n=10,d=10,sigma=nan", "sigma must be a finite number"),
        ("normal:n=10,d=10,sigma=", "sigma must be a finite number, got nothing"),
        ("normal:n=10,d=10,sigma=1e9", "sigma must be above 0 and at most 10·d"),
        ("exponential:n=10,d=10,scale=-1", "scale must be above 0"),
        ("exponential:n=10,d=10,sigma=1", "exponential takes n, d and scale, got sigma=1"),
        ("zipf:n=10,d=10,s=-1", "s must lie in 0 … 100"),
        ("zipf:n=10,d=2e9,s=1", "d must be a whole number in 2 …"),
        ("uniform:n=10,d=10,s=1", "uniform takes n and d, got s=1"),
        ("uniform:n=10,n=10,d=10", "n must be given once"),
        ("uniform:n=10,,d=10", "uniform takes n and d, got nothing between commas"),
        (
            "cauchy:n=10,d=10",
            "generator must be one of normal, exponential, zipf, uniform, fading, turnover, "
            "seasons, bursts, sudden, births, got cauchy",
        ),
    ],
)
def test_a_bad_description_names_the_parameter(text: str, field: str) -> None:
    with pytest.raises(InvalidField) as refusal:
        parse_generator(text)
    assert str(refusal.value).startswith(field)


def test_a_kind_that_does_not_exist_cannot_be_built() -> None:
    with pytest.raises(InvalidField, match="generator must be one of"):
        Synthetic("cauchy", 10, 10)


def test_a_path_is_no_generator() -> None:
    assert [is_generator(text) for text in (*EXAMPLES, "retail.dat.gz", "-", "norml:n=1")] == [True] * 10 + [False] * 3


def test_the_examples_in_the_docstrings_run() -> None:
    assert doctest.testmod(generators).failed == 0
