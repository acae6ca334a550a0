"""Asking along the way must not change what is asked, and a replaced top must be followed by those who can."""

import numpy as np
import pytest

from hgldp.experiments.measurement import Measurement, Setting
from hgldp.experiments.measuring.measure import measure
from hgldp.experiments.measuring.over_time import UntilFull, at_step, replace_top
from hgldp.experiments.measuring.streams import Drawn, Library
from hgldp.schemes.pfr import PFR
from hgldp.simulation.frontier import follow
from hgldp.simulation.metrics import exact_top
from hgldp.stores.frontier import Frontier

STREAM, STEPS = "zipf:n=80000,d=400,s=1.3", 10
REPLACED: tuple[tuple[str, Setting], ...] = (("steps", STEPS), ("replaced", "half-way"))


@pytest.fixture(scope="module")
def drawn() -> Drawn:
    return Library().draw(STREAM, 1)


def curve(drawn: Drawn, scheme: str, warmup: str, *settings: tuple[str, Setting]) -> list[float]:
    one = Measurement(STREAM, scheme, 4.0, 1, 10, warmup, (*REPLACED, *settings))
    values = measure(one, drawn)
    return [values[at_step(step)] for step in range(1, STEPS + 1)]


def test_the_whole_top_is_replaced_and_nothing_else_is_lost(drawn: Drawn) -> None:
    changed, half = replace_top(drawn.items, 10), drawn.items.size // 2
    assert (changed[:half] == drawn.items[:half]).all()
    before, after = (set(exact_top(np.bincount(part, minlength=400), 10)) for part in (changed[:half], changed[half:]))
    assert not before & after
    assert sorted(np.bincount(changed[half:], minlength=400)) == sorted(np.bincount(drawn.items[half:], minlength=400))


def test_a_half_life_and_a_window_follow_and_a_hot_list_does_not(drawn: Drawn) -> None:
    followers = (
        curve(drawn, "pfr", "0", ("half_life", "1/12")),
        curve(drawn, "pfr", "0", ("half_life", "1/4"), ("window", "1/8")),
        curve(drawn, "olh", "0", ("window", "1/10")),
    )
    for found in followers:
        assert found[STEPS // 2 - 1] >= 0.8
        assert found[-1] >= 0.8
    stuck = curve(drawn, "cnr", "1%")
    assert stuck[STEPS // 2 - 1] >= 0.8
    assert stuck[-1] <= 0.5


def test_an_oracle_that_remembers_everything_is_late(drawn: Drawn) -> None:
    assert curve(drawn, "olh", "0")[6] < curve(drawn, "olh", "0", ("window", "1/10"))[6]


@pytest.mark.parametrize(("store", "alike"), [(UntilFull, True), (Frontier, False)])
def test_being_asked_does_not_end_an_epoch(store: type[Frontier], alike: bool, drawn: Drawn) -> None:
    """A plain frontier, fed in pieces, seals at the end of each: that is the planted bug."""
    scheme = PFR(400, 64, 4.0)
    whole, pieces = (store(scheme, memory=4096, seed=1) for _ in range(2))
    follow(scheme, whole, drawn.items, 1)
    for number, part in enumerate(np.array_split(drawn.items, 37)):
        follow(scheme, pieces, part, number)
        pieces.absorbed().estimates(5)
    assert ([epoch.end for epoch in whole.epochs] == [epoch.end for epoch in pieces.epochs]) is alike
    assert pieces.reports + pieces.in_epoch == drawn.items.size
