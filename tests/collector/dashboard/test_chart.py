from itertools import pairwise

from hypothesis import example, given
from hypothesis import strategies as st

from hgldp.collector.dashboard.chart import Scale, axis, interval_bar, sparkline

NUMBERS = st.floats(-1e12, 1e12)


@given(st.lists(st.floats(), max_size=20))
def test_any_numbers_have_a_scale_with_zero_on_it(numbers: list[float]) -> None:
    scale = Scale.over(numbers)
    assert scale.low <= 0 <= scale.high
    assert scale.low < scale.high


@given(st.lists(NUMBERS, min_size=1, max_size=20), NUMBERS)
def test_everything_stands_inside(numbers: list[float], other: float) -> None:
    scale = Scale.over(numbers)
    assert all(0 <= scale.at(number) <= 100 for number in [*numbers, other])
    places = [scale.at(number) for number in sorted(numbers)]
    assert places == sorted(places)


@given(st.lists(NUMBERS, min_size=1, max_size=20))
@example([5e-324])
def test_ticks_are_few_rising_and_inside(numbers: list[float]) -> None:
    scale = Scale.over(numbers)
    assert 1 <= len(scale.ticks) <= 6
    assert all(before < after for before, after in pairwise(scale.ticks))
    slack = 1e-9 * (scale.high - scale.low)
    assert all(scale.low - slack <= tick <= scale.high + slack for tick in scale.ticks)


def test_whiskers_and_bar_stand_where_the_numbers_are() -> None:
    bar = interval_bar(Scale(0.0, 200.0), 100.0, 80.0, 120.0)
    assert 'class="mass" x="0.0%" width="50.0%"' in bar
    assert 'class="whisker" x="40.0%" width="20.0%"' in bar
    assert 'class="point" cx="50.0%"' in bar


def test_a_negative_estimate_draws_to_the_left_of_zero() -> None:
    bar = interval_bar(Scale(-100.0, 100.0), -50.0, -100.0, 0.0)
    assert 'class="mass" x="25.0%" width="25.0%"' in bar


def test_the_axis_names_round_numbers() -> None:
    assert [number in axis(Scale(0.0, 45_000.0)) for number in (">0<", ">20k<", ">40k<")] == [True] * 3


def test_a_line_needs_two_points_and_breaks_where_the_item_was_away() -> None:
    assert sparkline(()) == sparkline((0.1,)) == sparkline((None, 0.1)) == sparkline((0.1, None, 0.1)) == ""
    whole, broken = sparkline((0.1, 0.2, 0.3, 0.2)), sparkline((0.1, 0.2, None, 0.2))
    assert whole.count("M") == 2
    assert broken.count("M") == 4
    assert "<title>from 10 % to 20 % of the reports over 4 epochs</title>" in whole
    assert "from 10 % to 20 % of the reports over 4 epochs, not in the top in 1 of them<" in broken


def test_a_line_of_noise_below_zero_stays_in_its_box() -> None:
    drawn = sparkline((-0.1, 0.0, -0.2))
    assert "M3.0 21.0L48.0 21.0L93.0 21.0" in drawn
