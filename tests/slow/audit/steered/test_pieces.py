"""The piece finder against brute force, for any step function on a range small enough to look at every value."""

from bisect import bisect_right
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hgldp.audit.steered.follow import GRIDS, Runs, exact_law
from hgldp.audit.steered.pieces import EVERY_VALUE, NotFollowed, starts_of_pieces
from hgldp.model.randomness import Words

BOUND = 20_000


@st.composite
def cuts(draw: st.DrawFn, least_width: int = 1) -> list[int]:
    """Where pieces start, none thinner than told."""
    slots = st.integers(1, BOUND // least_width - 1)
    return [0, *(least_width * slot for slot in sorted(draw(st.sets(slots, max_size=30))))]


def labelled(starts: list[int], labels: list[int]) -> list[int]:
    return [labels[bisect_right(starts, value) - 1] for value in range(BOUND)]


def changes(values: list[int]) -> list[int]:
    return [0, *(at for at in range(1, len(values)) if values[at] != values[at - 1])]


@given(cuts())
def test_rising_steps_are_found_exactly_however_thin(starts: list[int]) -> None:
    values = labelled(starts, list(range(len(starts))))
    assert starts_of_pieces(lambda draw: values[draw], BOUND) == starts


@given(cuts(), st.randoms(use_true_random=False))
def test_steps_in_any_order_are_found_exactly_if_none_comes_back(starts: list[int], mixed: object) -> None:
    labels = list(range(len(starts)))
    mixed.shuffle(labels)  # type: ignore[attr-defined]
    values = labelled(starts, labels)
    assert starts_of_pieces(lambda draw: values[draw], BOUND) == starts


@given(cuts(least_width=BOUND // 100), st.lists(st.integers(0, 2), min_size=31, max_size=31))
def test_steps_that_come_back_are_found_if_a_look_falls_into_each(starts: list[int], labels: list[int]) -> None:
    values = labelled(starts, labels)
    assert starts_of_pieces(lambda draw: values[draw], BOUND, grid=GRIDS[1]) == changes(values)


@given(cuts(least_width=BOUND // 100), st.lists(st.integers(0, 2), min_size=31, max_size=31))
def test_the_law_is_that_of_brute_force(starts: list[int], labels: list[int]) -> None:
    """A first grid that is too coarse is noticed by the check: a piece of a hundredth is missed in (99/100)^10000."""
    values = labelled(starts, labels)
    law = exact_law(lambda words: values[words.below(BOUND)], Runs(1_000_000))
    assert {label: chance * BOUND for label, chance in law.items()} == Counter(values)


def test_equal_steps_cost_three_looks_each() -> None:
    looks = []
    wide = 1 << 32
    starts_of_pieces(lambda draw: looks.append(draw) or draw // wide, 1_000 * wide)
    assert len(looks) < 3_300


def test_every_value_of_a_small_bound_is_looked_at_by_itself() -> None:
    assert starts_of_pieces(lambda draw: 0, EVERY_VALUE) == list(range(EVERY_VALUE))
    assert starts_of_pieces(lambda draw: 0, EVERY_VALUE + 1) == [0]


@pytest.mark.parametrize("bound", [1 << 32, (1 << 64) - 1])
def test_draws_that_are_not_simple_are_refused(bound: int) -> None:
    def remainder(words: Words) -> int:
        return words.below(bound) % 7

    with pytest.raises(NotFollowed, match="not simple enough to be followed"):
        exact_law(remainder, Runs(1_000_000))
    with pytest.raises(NotFollowed, match="cannot be followed with the 2,000 runs that are left"):
        exact_law(remainder, Runs(2_000))


def test_a_remainder_of_a_small_draw_is_followed() -> None:
    law = exact_law(lambda words: words.below(1_000) % 7, Runs(100_000))
    assert [law[rest] * 1_000 for rest in range(7)] == [143] * 6 + [142]
