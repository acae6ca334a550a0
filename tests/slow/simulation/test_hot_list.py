"""The fused kernels against the step-by-step objects, and the honesty of the estimates."""

from fractions import Fraction
from functools import cache

import numpy as np
import pytest
from numpy.typing import NDArray

from hgldp.client import Randomizer
from hgldp.model.budget import Budget
from hgldp.model.domain import RangeDomain
from hgldp.model.randomness import SeededWords, derive_seed
from hgldp.model.task import Task
from hgldp.simulation.hot_list import CLIENTS, SERVER, simulate_hot_list, track
from hgldp.stores.hot_list import HotList
from hgldp.tracker import Tracker
from hgldp.tracker.hot_list import hot_list_scheme

DOMAIN = 60
scheme_of = cache(hot_list_scheme)
"""One scheme for the thousand streams of a task."""


def skewed(n: int, seed: int, domain: int = DOMAIN) -> NDArray[np.int32]:
    generator = np.random.default_rng(seed)
    return np.minimum(generator.geometric(0.15, n) - 1, domain - 1).astype(np.int32)


def task_of(
    scheme: str, *, tight: bool = True, share: Fraction | None = None, epoch: int = 100, growth: float = 0.01
) -> Task:
    domain = RangeDomain(DOMAIN)
    return Task(
        scheme, Budget(1.5), domain, 4, cells=6, light_cells=5, epoch=epoch, growth=growth, tight=tight, hot_share=share
    )


def start(task: Task, warmup: NDArray[np.int32], seed: int) -> HotList:
    always = scheme_of(task).always_nominating
    return HotList.of(task, always_nominating=always, seed=derive_seed(seed, SERVER), warmup=warmup)


@pytest.mark.parametrize("warmup", [0, 150])
@pytest.mark.parametrize(
    ("scheme", "tight", "share"),
    [
        ("bgr", True, None),
        ("dsr", True, None),
        ("bdr", True, None),
        ("bdr", False, None),
        ("bdr", False, Fraction(1, 2)),
        ("cnr", True, None),
        ("cnr", False, None),
    ],
)
def test_the_fused_kernel_equals_the_step_by_step_objects(
    scheme: str, tight: bool, share: Fraction | None, warmup: int
) -> None:
    """The same random words give the same state, byte for byte, and the same answer."""
    task, seed, stream = task_of(scheme, tight=tight, share=share), 11, skewed(3_000, 5)
    fused = start(task, stream[:warmup], seed)
    track(scheme_of(task), fused, stream[warmup:], seed)

    tracker = Tracker(task, derive_seed(seed, SERVER), warmup=stream[:warmup].tolist())
    client = Randomizer(task, max_epsilon=2.0, words=SeededWords(derive_seed(seed, CLIENTS)))
    for event in stream[warmup:].tolist():
        tracker.insert(client.report(event, tracker.bulletin))
    answer = tracker.respond()
    tracker.family.store.flush(tracker.family.scheme.reading(tracker.bulletin).coefficients)

    assert tracker.family.store.serialize() == fused.serialize()
    assert answer == fused.estimates(task.k)
    assert fused.epoch > 10


def test_pieces_of_a_stream_give_the_same_as_the_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    task, stream = task_of("cnr"), skewed(5_000, 3)
    whole = simulate_hot_list(task, stream, 50, 7)
    monkeypatch.setattr("hgldp.simulation.hot_list.CHUNK", 333)
    seen: list[int] = []
    pieces = simulate_hot_list(task, stream, 50, 7, seen.append)
    assert pieces == whole
    assert sum(seen) == 4_950


SCHEMES = [("bgr", True), ("dsr", True), ("bdr", True), ("bdr", False), ("cnr", True), ("cnr", False)]


@pytest.mark.parametrize(("scheme", "tight"), SCHEMES)
def test_estimates_are_unbiased_and_their_intervals_cover_what_they_say(scheme: str, tight: bool) -> None:
    """1,000 streams in which no cell is evicted (the list holds the whole stream's items; one long epoch).

    The mean error stays within 4.9 of its own standard errors (false alarm 1e-6), the spread of the errors is what the
    standard error says, and the 95 % intervals cover 93 … 97 %.
    """
    errors, covered, standard = [], [], []
    task = task_of(scheme, tight=tight, epoch=10**6, growth=0.0)
    for seed in range(1_000):
        stream = np.random.default_rng(seed).choice(6, 400, p=[0.3, 0.25, 0.2, 0.1, 0.1, 0.05]).astype(np.int32)
        stream[::4] = 7 + np.arange(100) % 50
        store = start(task, np.array([0, 1, 2, 3, 4, 5], np.int32), seed)
        track(scheme_of(task), store, stream, seed)
        truth = np.bincount(stream, minlength=DOMAIN)
        assert int(store.cells.counter[2]) == 0, "nobody is admitted, so nobody was evicted"
        for line in store.estimates(6)[:6]:
            errors.append(line.tracked_count - truth[line.item])
            standard.append(line.tracked_error)
            low, high = line.tracked_interval
            covered.append(low <= truth[line.item] <= high)
    mean, of_mean = np.mean(errors), np.std(errors) / np.sqrt(len(errors))
    assert abs(mean) < 4.9 * of_mean
    assert abs(mean) < np.mean(standard)
    assert 0.93 <= np.mean(covered) <= 0.97
    assert np.std(errors) == pytest.approx(np.mean(standard), rel=0.05)


@pytest.mark.parametrize("scheme", ["bdr", "cnr"])
def test_a_hot_share_set_by_hand_to_the_truth_has_honest_intervals(scheme: str) -> None:
    """The printed split at ε = 4 with 95 % of the events hot: a hot event's noise is the larger one."""
    task = Task(
        scheme,
        Budget(4.0),
        RangeDomain(DOMAIN),
        20,
        cells=20,
        light_cells=8,
        epoch=10**6,
        growth=0.0,
        tight=False,
        hot_share=Fraction(19, 20),
    )
    covered = []
    for seed in range(300):
        stream = np.random.default_rng(seed).permutation(np.repeat(np.arange(20), 95)).astype(np.int32)
        stream = np.concatenate([stream, np.full(100, 50, np.int32)])
        store = start(task, np.arange(20, dtype=np.int32), seed)
        track(scheme_of(task), store, stream, seed)
        for line in store.estimates(20):
            low, high = line.tracked_interval
            covered.append(low <= 95 <= high)
    assert 0.93 <= np.mean(covered) <= 0.97


def test_a_biased_reading_would_be_noticed() -> None:
    """The planted bug: the noise of cold events read as that of hot ones, which is what a wrong hot share does."""
    task = task_of("bdr", tight=False, share=Fraction(1), epoch=10**6, growth=0.0)
    errors = []
    for seed in range(300):
        stream = np.full(400, 50, np.int32)
        store = start(task, np.array([0, 1, 2, 3, 4, 5], np.int32), seed)
        track(scheme_of(task), store, stream, seed)
        errors += [line.tracked_count for line in store.estimates(6)]
    assert abs(np.mean(errors)) > 4.9 * np.std(errors) / np.sqrt(len(errors))
