"""A frontier follows a change, and its errors are honest: each rule with its planted bug."""

from collections.abc import Callable

import numpy as np
import pytest

from hgldp.kernels.joint import Found, Times, add_up
from hgldp.model.domain import RangeDomain
from hgldp.model.task import Task
from hgldp.schemes.pfr import PFR
from hgldp.simulation.frontier import follow
from hgldp.simulation.generators import parse_generator
from hgldp.stores.frontier import Frontier
from hgldp.stores.frontier import store as store_module
from hgldp.stores.frontier.archive import Archive
from hgldp.stores.frontier.reading import decoding, seen
from hgldp.tracker import Tracker
from tests.stores.frontier.made import followed, zipf

BEFORE, AFTER = np.arange(20), np.arange(100, 120)
ALLOWED = 4.9 * (0.95 * 0.05 / 600) ** 0.5


def extrapolated(*_: object) -> None:
    """Planted: nothing is archived, so what came before the oldest epoch is taken to be like it."""


def never(*_: object) -> float:
    """Planted: a share never changes, so what was measured long ago counts as much as what is measured now."""
    return 0.0


def found_after_a_change(reports: int, k: int, half_life: int = 0, seeds: int = 4) -> float:
    """What part of twenty items is in the answer that took the place of twenty others so many reports ago."""
    shares, found = np.linspace(2, 1, 20) / np.linspace(2, 1, 20).sum(), 0
    for seed in range(seeds):
        generator = np.random.default_rng(seed)
        events = [generator.choice(items, n, p=shares) for items, n in ((BEFORE, 60_000), (AFTER, reports))]
        stream = np.concatenate(events).astype(np.int32)
        store = followed(PFR(1_000, 256, 5.0), stream, seed, memory=16_384, half_life=half_life)
        assert min(epoch.symbols for epoch in store.epochs) < 256
        found += len({line.item for line in store.estimates(k)} & set(AFTER.tolist()))
    return found / (20 * seeds)


def test_what_came_after_a_change_stands_beside_what_was_before(monkeypatch: pytest.MonkeyPatch) -> None:
    assert found_after_a_change(20_000, k=40) > 0.95
    monkeypatch.setattr(decoding, "_drift", never)
    assert found_after_a_change(20_000, k=40, seeds=2) < 0.5


def test_two_half_lives_after_a_change_the_past_is_gone(monkeypatch: pytest.MonkeyPatch) -> None:
    assert found_after_a_change(24_000, k=20, half_life=12_000) > 0.95
    monkeypatch.setattr(decoding, "_drift", never)
    assert found_after_a_change(24_000, k=20, half_life=12_000, seeds=2) < 0.85


def covered(
    seeds: int, n: int = 15_000, *, cells: int = 1_024, memory: int = 16_384, half_life: int = 0, epsilon: float = 8.0
) -> float:
    """How often the whole-stream interval of twenty items holds the truth; at ε = 8, few reports cost little."""
    chances, held = np.linspace(3, 0.3, 20), []
    for seed in range(seeds):
        stream = np.random.default_rng(seed).choice(20, n, p=chances / chances.sum()).astype(np.int32)
        store = followed(PFR(20, cells, epsilon), stream, seed, memory=memory, half_life=half_life)
        weights = np.concatenate(
            [np.full(epoch.reports, weight) for epoch, weight in zip(store.epochs, store.weights(), strict=True)]
        )
        weights = np.concatenate([np.ones(n - weights.size), weights])
        truth = np.bincount(stream, weights, minlength=20) * n / weights.sum()
        held += [low <= truth[line.item] <= high for line in store.estimates(20) for low, high in [line.interval]]
    return float(np.mean(held))


def summed_alone(times: Times, found: Found, *rest: np.ndarray) -> None:
    """Planted: the errors of two stretches have nothing to do with each other."""
    add_up(times, found._replace(follows=np.zeros_like(found.follows)), *rest)


def rates_only(times: Times, found: Found, *rest: np.ndarray) -> None:
    """Planted: what occurred is only known as far as its rate is."""
    add_up(times, found._replace(scale=np.zeros_like(found.scale)), *rest)


@pytest.mark.parametrize("half_life", [0, 8_000])
@pytest.mark.parametrize(("epsilon", "planted"), [(8.0, rates_only), (3.0, summed_alone)])
def test_an_interval_of_a_sum_over_epochs_holds_what_it_says(
    half_life: int, epsilon: float, planted: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    """600 intervals of 95 %: within 4.9 standard errors, 1e-6."""
    assert abs(covered(30, half_life=half_life, epsilon=epsilon) - 0.95) < ALLOWED
    monkeypatch.setattr(decoding, "add_up", planted)
    assert abs(covered(20, half_life=half_life, epsilon=epsilon) - 0.95) > ALLOWED


def test_an_interval_knows_the_reports_that_were_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    """400 intervals of 95 % in a memory of nine epochs. Planted: an item did not occur in what was forgotten."""
    small = {"n": 60_000, "cells": 256, "memory": 4_096}
    assert covered(20, **small) > 0.95 - 4.9 * (0.95 * 0.05 / 400) ** 0.5
    monkeypatch.setattr(Archive, "seen", lambda archive, *_: np.zeros((2, archive.items.size)))
    assert covered(4, **small) < 0.5


def faded(half_life: int, seed: int) -> tuple[float, float]:
    """By how many standard errors an item is off that stopped three half-lives ago, and its true part of the answer."""
    generator, size = np.random.default_rng(seed), 9
    lively, gone = np.array([8.0, 30, 20, 2, 2, 1, 1, 1, 5]), np.array([8.0, 0, 20, 2, 2, 1, 1, 31, 5])
    events = [
        generator.choice(size, n, p=law / law.sum()) for law, n in ((lively, 4), (gone, 3)) for n in [n * half_life]
    ]
    stream = np.concatenate(events).astype(np.int32)
    store = followed(PFR(size, 1_024, 4.0), stream, seed, memory=16_384, half_life=half_life)
    weights = np.exp2(-np.arange(stream.size, 0, -1) / half_life)
    truth = stream.size * weights[stream == 1].sum() / weights.sum()
    (line,) = store.absorbed().ask([1])
    return (line.count - truth) / line.standard_error, truth / stream.size


def test_an_item_that_stopped_fades_with_the_half_life(monkeypatch: pytest.MonkeyPatch) -> None:
    """Six errors: 1e-8 for four runs. Planted: epochs too short to reach back to it, and nothing archived."""
    off = [faded(2_000, seed) for seed in range(4)]
    assert all(share > 0.04 for _, share in off)
    assert all(abs(error) < 6 for error, _ in off)
    monkeypatch.setattr(store_module, "EPOCHS_PER_HALF_LIFE", 8)
    monkeypatch.setattr(seen, "_recall", extrapolated)
    assert all(abs(error) > 6 for error, _ in [faded(2_000, seed) for seed in range(4)])


LEAST = 0.95 - 4.9 * (0.95 * 0.05 / 80) ** 0.5
"""Of 80 lines. Half as many are enough to see a planted bug."""


def held_with_early_seals(share: float, before: int = 30_000, epsilon: float = 4.0, seeds: int = 4) -> float:
    """The part of 20 lines a seed that hold, if a timer ends epochs at a share of their length and the top changes."""
    held = []
    for seed in range(seeds):
        after = zipf(60_000 - before, 1_000, 1.2, seed + 100)
        stream = np.concatenate([zipf(before, 1_000, 1.2, seed), 999 - after])
        scheme, truth, begin = PFR(1_000, 1_024, epsilon), np.bincount(stream, minlength=1_000), 0
        store = Frontier(scheme, memory=16_384, seed=seed)
        while begin < stream.size:
            end = begin + max(1, int(share * store.epoch_length))
            follow(scheme, store, stream[begin:end], 1_000 * seed + begin)
            begin = end
        lines = store.estimates(20)
        held += [line.interval[0] <= truth[line.item] <= line.interval[1] for line in lines]
    return float(np.mean(held))


def test_a_timer_does_not_displace_the_past(monkeypatch: pytest.MonkeyPatch) -> None:
    """95 % less 4.9 standard errors: 1e-6. Planted: a timer that ends an epoch at an eighth, as it was.

    Then most of the stream is forgotten, and intervals hold only because they say so.
    """
    family = Tracker(Task("pfr", epsilon=4.0, domain=RangeDomain(1_000), k=20), seed=1).family
    share = family.least_reports(1_000, looks=0) / 1_000
    assert held_with_early_seals(share) > LEAST
    monkeypatch.setattr(decoding, "FAR", 0.1)
    assert held_with_early_seals(share) > LEAST
    assert held_with_early_seals(1 / 8, seeds=2) < LEAST


def test_a_change_while_the_forgotten_reports_came_is_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    """The oldest of half-long epochs begins about where the top changed. 95 % less 4.9 standard errors: 1e-6.

    If forgotten reports were as near as any epoch, they would hold by the archive, and by it alone.
    """
    assert held_with_early_seals(0.5, before=10_000) > LEAST
    monkeypatch.setattr(decoding, "FAR", 0.1)
    assert held_with_early_seals(0.5, before=10_000) > LEAST
    monkeypatch.setattr(seen, "_recall", extrapolated)
    assert held_with_early_seals(0.5, before=10_000, seeds=2) < LEAST


def test_a_change_as_the_forgotten_reports_ended_is_not_smoothed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nearly all of the old top is forgotten. As above. Planted: forgotten reports are as near as any epoch."""
    assert held_with_early_seals(0.5, before=13_000, epsilon=8.0) > LEAST
    monkeypatch.setattr(decoding, "FAR", 0.1)
    assert held_with_early_seals(0.5, before=13_000, epsilon=8.0, seeds=2) < LEAST


def steady_with_a_half_life() -> float:
    """The part of 160 asked intervals that hold, of items that were leaves at some time."""
    held, half_life = [], 6_000
    for seed in range(8):
        stream = zipf(120_000, 1_000, 1.1, seed)
        store = followed(PFR(1_000, 1_024, 2.0), stream, seed, memory=16_384, half_life=half_life)
        weights = np.exp2(-np.arange(stream.size, 0, -1) / half_life)
        truth = np.bincount(stream, weights, minlength=1_000) * stream.size / weights.sum()
        held += [line.interval[0] <= truth[line.item] <= line.interval[1] for line in store.absorbed().ask(range(20))]
    return float(np.mean(held))


def test_leaves_that_were_measured_below_zero_may_have_been_there_before(monkeypatch: pytest.MonkeyPatch) -> None:
    """95 % less 4.9 standard errors: 1e-6. Planted: nobody ever has bad luck."""
    least = 0.95 - 4.9 * (0.95 * 0.05 / 160) ** 0.5
    assert steady_with_a_half_life() > least
    monkeypatch.setattr(seen, "_bad_luck", lambda weight, _: np.zeros(weight.shape[1]))
    assert steady_with_a_half_life() < least


def found_of_a_new_top() -> float:
    """What part of the true top 20 is found at ε = 8, if another top came halfway, over 20,000 items."""
    made, parts = parse_generator("sudden:n=500000,d=20000,s=1.1"), []
    for seed in range(1, 5):
        stream = made.draw(np.random.default_rng(seed))
        top = np.argsort(-np.bincount(stream, minlength=20_000), kind="stable")[:20]
        store = followed(PFR(20_000, 1_024, 8.0), stream, seed, memory=16_384)
        parts.append(len({line.item for line in store.absorbed().estimates(20)} & set(top.tolist())) / 20)
    return float(np.mean(parts))


def test_newcomers_are_found_though_the_last_epochs_are_long(monkeypatch: pytest.MonkeyPatch) -> None:
    """Some searches reach back over the few epochs since they came. Planted: over the last epoch, and over all."""
    assert found_of_a_new_top() > 0.95
    monkeypatch.setattr(store_module, "REACHES", (1, 1 << 16))
    assert found_of_a_new_top() < 0.95
