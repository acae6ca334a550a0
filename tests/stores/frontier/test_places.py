"""Where epochs lie in the stream, and what a window takes of them, however many reports came late."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hgldp.errors import MalformedState
from hgldp.model.budget import Budget
from hgldp.model.domain import RangeDomain
from hgldp.model.randomness import SeededWords
from hgldp.model.task import Task
from hgldp.model.window import epochs_within, reports_within
from hgldp.schemes.pfr import PFR
from hgldp.stores.frontier import Frontier
from hgldp.stores.frontier.epoch import check_reports
from hgldp.tracker import Tracker
from hgldp.tracker.frontier import FrontierFamily

SCHEME = PFR(domain_size=60, cells=16, epsilon=4.0)
TASK = Task("pfr", Budget(4.0), RangeDomain(60), k=2, cells=16, memory=4096, epoch=500)
late = st.lists(st.tuples(st.integers(1, 6), st.integers(1, 5_000)), max_size=3)
epochs = st.lists(st.tuples(st.integers(1, 3_000), late), min_size=1, max_size=12)
Epochs = list[tuple[int, list[tuple[int, int]]]]


def lived(epochs: Epochs, memory: int = 4096, half_life: int | None = None, *, ends: bool = True) -> Frontier:
    """Each epoch has so many reports in time; meanwhile so many come late for the bulletin so many epochs ago."""
    store, bulletins = Frontier(SCHEME, memory=memory, seed=1, epoch=500, half_life=half_life), []
    for number, (reports, late) in enumerate(epochs):
        bulletins.append(store.bulletin)
        store.insert(np.arange(reports) % SCHEME.mechanism.modulus)
        for ago, more in late:
            if ago <= number:
                store.insert_late(bulletins[number - ago], [3] * more)
        if ends or number + 1 < len(epochs):
            store.seal()
    return store


@pytest.mark.parametrize("memory", [600, 4096])
@settings(deadline=None, max_examples=40)
@given(epochs=epochs, window=st.integers(1, 60_000), more=st.integers(0, 9_000), ends=st.booleans())
def test_a_window_counts_about_as_many_reports_as_it_says(
    memory: int, epochs: Epochs, window: int, more: int, ends: bool
) -> None:
    store = lived(epochs, memory, ends=ends).absorbed()
    sizes = [epoch.reports for epoch in store.epochs]
    covered, held = store.covered(window), sum(sizes)
    assert covered <= held <= store.reports
    assert covered <= store.covered(window + more)
    assert abs(covered - min(window, held)) <= max(sizes) / 2
    assert store.covered(store.reports) == held


@settings(deadline=None, max_examples=40)
@given(epochs=epochs, ends=st.booleans())
def test_the_least_window_counts_something_and_a_smaller_one_nothing(epochs: Epochs, ends: bool) -> None:
    family = FrontierFamily(TASK, lived(epochs, ends=ends))
    least = family.least_window
    assert least == (family.store.absorbed().epochs[-1].reports + 1) // 2
    assert family.covered(least) == family.store.absorbed().epochs[-1].reports
    assert least == 1 or not family.covered(least - 1)


@settings(deadline=None, max_examples=40)
@given(epochs=epochs, ends=st.booleans())
def test_epochs_lie_side_by_side_up_to_the_last_report(epochs: Epochs, ends: bool) -> None:
    store = lived(epochs, 600, ends=ends).absorbed()
    assert store.epochs[-1].end == store.reports
    assert all(one.end == two.end - two.reports for one, two in pairwise(store.epochs))
    assert all(epoch.middle == epoch.end - epoch.reports / 2 for epoch in store.epochs)


@settings(deadline=None, max_examples=40)
@given(epochs=epochs, ends=st.booleans(), window=st.integers(1, 60_000))
def test_the_sizes_of_epochs_are_told_without_reading_them(epochs: Epochs, ends: bool, window: int) -> None:
    family = FrontierFamily(TASK, lived(epochs, ends=ends))
    held = tuple(epoch.reports for epoch in reversed(family.store.absorbed().epochs))
    assert family.epoch_sizes == held
    assert reports_within(held, window) == family.covered(window)


def test_a_newer_epoch_weighs_more_though_many_of_its_reports_came_late() -> None:
    weights = lived([(500, []), (500, []), (1, [(1, 9_000)])], half_life=4_000).weights()
    assert list(weights) == sorted(weights)
    assert weights[-1] == pytest.approx(2 ** (-0.5 / 4_000))
    assert weights[-2] == pytest.approx(2 ** (-(1 + 9_500 / 2) / 4_000))


def test_a_window_reaches_an_epoch_whose_reports_nearly_all_came_late() -> None:
    """A client renews its bulletin every 4,000 reports, and an epoch takes 500."""
    tracker, words = Tracker(TASK, seed=1), SeededWords(2)
    for _ in range(3):
        bulletin = tracker.bulletin
        for _ in range(8):
            tracker.insert_many(bulletin.version, [words.below(16) for _ in range(500)])
    assert (tracker.reports, tracker.least_window) == (12_000, 2_000)
    assert [tracker.covered(window) for window in (1_999, 4_000, 6_000, 12_000)] == [0, 4_000, 8_000, 12_000]


def test_a_state_that_was_written_with_other_places_is_read_with_these() -> None:
    store = lived([(500, []), (700, [(1, 900)]), (600, [])])
    right = store.serialize()
    for place, end in enumerate((500, 1_200, 2_700)):
        object.__setattr__(store.epochs[place], "end", end)
    assert store.serialize() != right
    assert Frontier.deserialize(store.serialize(), SCHEME).serialize() == right


def test_epochs_with_more_reports_than_there_were_are_refused() -> None:
    store = lived([(500, []), (700, [])])
    check_reports(store.epochs, 1_200)
    object.__setattr__(store.epochs[0], "reports", 501)
    with pytest.raises(MalformedState, match="must not hold more reports than it counted"):
        Frontier.deserialize(store.serialize(), SCHEME)


def test_an_epoch_is_in_a_window_from_its_middle_on() -> None:
    assert [epochs_within([3, 10], window) for window in (1, 2, 7, 8)] == [0, 1, 1, 2]
    assert epochs_within([], 5) == 0
