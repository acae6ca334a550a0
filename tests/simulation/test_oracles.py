"""Whole streams through every mechanism: equal to the client's own draws, and honest about its errors."""

from math import sqrt
from typing import Any

import numpy as np
import pytest

from hgldp.errors import InvalidField
from hgldp.mechanisms.hadamard import HadamardResponse
from hgldp.mechanisms.registry import MECHANISMS
from hgldp.model.randomness import SeededWords
from hgldp.simulation.oracles import score_counts, score_reports, score_stream, simulate_exhaustive
from tests.naive import oracles

CASES: list[tuple[str, dict[str, Any]]] = [
    ("grr", {}),
    ("olh", {}),
    ("olh", {"buckets": 2}),
    ("hr", {}),
    ("hr", {"blocks": 1}),
    ("hr", {"blocks": 2}),
    ("oue", {}),
    ("sue", {}),
    ("rappor", {"bits": 7, "hashes": 3}),
    ("rappor", {"bits": 64, "hashes": 1}),
    ("subset", {}),
    ("subset", {"chosen": 1}),
    ("cyclic", {}),
]
COUNTED = ["olh", "oue", "sue", "rappor", "subset"]


@pytest.mark.parametrize("size", [2, 3, 20, 300])
@pytest.mark.parametrize(("name", "fields"), CASES, ids=str)
def test_a_kernel_gives_exactly_the_scores_of_the_clients_reports(name: str, fields: dict[str, Any], size: int) -> None:
    for seed, epsilon in enumerate((0.5, 1.0, 3.0)):
        mechanism = MECHANISMS[name](size, epsilon, **fields)
        stream = np.random.default_rng(seed).integers(0, size, 60)
        words = SeededWords(seed)
        assert score_stream(mechanism, stream, seed).tolist() == oracles.scores(mechanism, stream, words)


@pytest.mark.parametrize("name", MECHANISMS)
def test_the_same_seed_gives_the_same_scores_and_another_seed_gives_others(name: str) -> None:
    mechanism, stream = MECHANISMS[name](30, 1.0), np.arange(3000, dtype=np.int32) % 30
    scores = score_stream(mechanism, stream, 11)
    assert np.array_equal(scores, score_stream(mechanism, stream.astype(np.int64), 11))
    assert not np.array_equal(scores, score_stream(mechanism, stream, 12))


@pytest.mark.parametrize("name", COUNTED)
def test_drawn_counts_have_the_exact_mean_and_variance_of_summed_reports(name: str) -> None:
    """400 draws of 40 independent values: one of 80 deviates beyond 7 is a false alarm below 1e-6."""
    size, draws = 40, 400
    mechanism = MECHANISMS[name](size, 1.0)
    counts = np.arange(size) * 50
    others = counts.sum() - counts
    generator = np.random.default_rng(5)
    scores = np.array([score_counts(mechanism, counts, generator) for _ in range(draws)])
    mean = counts * float(mechanism.p) + others * float(mechanism.q)
    variance = counts * float(mechanism.own_variance) + others * float(mechanism.noise_variance)
    assert np.abs((scores.mean(axis=0) - mean) / np.sqrt(variance / draws)).max() < 7
    assert np.abs((scores.var(axis=0) / variance - 1) / sqrt(2 / draws)).max() < 7


@pytest.mark.parametrize("blocks", [1, 2, 4, 16, 32])
def test_the_squares_are_those_of_the_clients_scores_where_noise_is_uneven(blocks: int) -> None:
    mechanism = HadamardResponse(20, 2.0, blocks=blocks)
    stream = np.random.default_rng(3).integers(0, 20, 200).astype(np.int32)
    words = SeededWords(5)
    reports = [mechanism.randomize(int(item), words) for item in stream]
    squares = score_reports(mechanism, stream, 5)[1]
    if mechanism.even_noise:
        assert blocks in (1, 32)
        assert squares is None
    else:
        expected = [sum(mechanism.support(report, value) ** 2 for report in reports) for value in range(20)]
        assert squares is not None
        assert squares.tolist() == expected


def test_an_outcome_names_the_heaviest_first_with_all_its_bytes() -> None:
    stream = np.repeat([5, 2, 0], [6000, 4000, 2000])
    outcome = simulate_exhaustive(MECHANISMS["hr"](600, 4.0), stream, 3, seed=1)
    assert [line.item for line in outcome.estimates] == [5, 2, 0]
    assert outcome.estimates[0].tracked_count == outcome.estimates[0].count
    assert (outcome.reports, outcome.upload_bytes, outcome.download_bytes) == (12_000, 24_000, 0)
    columns = MECHANISMS["hr"](600, 4.0).columns  # type: ignore[attr-defined]
    assert outcome.state_bytes == 20 + 4 * columns
    assert outcome.resident_bytes == 8 * columns


@pytest.mark.parametrize(
    "stream",
    [np.array([], np.int64), np.array([0, 31_415]), np.array([-31_415]), np.zeros((2, 2), np.int64), np.array([0.5])],
    ids=["empty", "above", "below", "two rows", "fractions"],
)
def test_a_bad_stream_is_refused_and_its_items_are_not_repeated(stream: Any) -> None:
    for simulate in (score_stream, lambda *args: simulate_exhaustive(args[0], args[1], 1, args[2])):
        with pytest.raises(InvalidField, match="stream") as refused:
            simulate(MECHANISMS["grr"](20, 1.0), stream, 1)
        assert "31415" not in str(refused.value)


def test_what_a_kernel_cannot_do_is_refused_by_name() -> None:
    with pytest.raises(InvalidField, match="scale"):
        score_stream(MECHANISMS["grr"](20, 1.0, scale=3), np.array([1]), 1)
    with pytest.raises(InvalidField, match="mechanism"):
        score_counts(MECHANISMS["hr"](20, 1.0), np.ones(20, np.int64), np.random.default_rng(1))
    with pytest.raises(InvalidField, match="true_counts"):
        score_counts(MECHANISMS["oue"](20, 1.0), np.ones(19, np.int64), np.random.default_rng(1))
    with pytest.raises(InvalidField, match="k must"):
        simulate_exhaustive(MECHANISMS["grr"](20, 1.0), np.array([1]), 21, 1)
