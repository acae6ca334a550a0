"""Every estimate has a standard error, and an interval made of it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import norm

from hgldp.model.estimate import Z95, Answer, Estimate

numbers = st.floats(-1e9, 1e9)
errors = st.floats(0, 1e9)


def test_the_interval_is_the_normal_one_at_95_percent() -> None:
    assert pytest.approx(norm.ppf(0.975), rel=1e-12) == Z95


@given(count=numbers, error=errors, tracked=st.floats(0, 1e9), tracked_error=errors)
def test_the_two_intervals_are_centred_on_their_own_numbers_and_end_at_none_and_all(
    count: float, error: float, tracked: float, tracked_error: float
) -> None:
    estimate, reach = Estimate(3, count, error, tracked, tracked_error, since=10**9), Z95 * tracked_error
    assert estimate.interval == (count - Z95 * error, count + Z95 * error)
    assert estimate.tracked_interval == (max(0.0, tracked - reach), min(1e9, tracked + reach))


def estimate(ranks: tuple[int, int] | None = None, *, noise: bool = False) -> Estimate:
    return Estimate(0, 1200.0, 10.0, ranks=ranks, may_be_noise=noise)


def test_an_answer_tells_likely_ranks_and_what_may_be_noise() -> None:
    answer = Answer([("tea", estimate((1, 1))), ("mate", estimate((2, 12), noise=True)), ("milk", estimate())])
    assert repr(answer).splitlines() == [
        "rank  likely  item  estimate   ±  95 % interval",
        "   1       1  tea      1,200  10  1,180 … 1,220",
        "   2    2–12  mate     1,200  10  1,180 … 1,220  may be noise",
        "   3          milk     1,200  10  1,180 … 1,220",
    ]
    shown = answer._repr_html_()
    assert shown.startswith("<table>")
    assert "<th>likely</th>" in shown
    assert '<tr style="opacity:.6"><td>2</td><td>2–12</td><td>mate</td>' in shown
    assert shown.count("opacity") == shown.count("<td>may be noise</td>") == 1


def test_an_answer_without_a_clear_top_says_so_first_and_keeps_its_lines() -> None:
    flat = Answer([("tea", estimate(noise=True)), ("mate", estimate(noise=True))])
    assert not flat.has_clear_top
    assert repr(flat).startswith("No clear top: none of these items stands out from chance.\nrank  item ")
    assert flat._repr_html_().startswith("<p>No clear top: none of these items stands out from chance.</p><table>")
    assert repr(flat).count("may be noise") == flat._repr_html_().count("may be noise") == 2
    clear = Answer([*flat, ("milk", estimate())])
    assert clear.has_clear_top
    assert "No clear top" not in repr(clear) + clear._repr_html_()


def test_bounds_of_ones_own_are_the_interval() -> None:
    assert Estimate(0, 5.0, 1.0, bounds=(4.5, 9.0)).interval == (4.5, 9.0)
    assert "4 … 9" in repr(Answer([("tea", Estimate(0, 5.0, 1.0, bounds=(4.4, 9.0)))]))


def test_small_counts_with_small_errors_have_a_decimal() -> None:
    """Rounded, 0.3 ± 0.4 would be 0 ± 0, which looks certain. What is certain stays whole."""
    told = repr(
        Answer([("tea", Estimate(0, 0.31, 0.42)), ("mate", Estimate(1, 9.0, 2.0)), ("cocoa", Estimate(2, 4, 0))])
    )
    assert [line.split()[2:] for line in told.splitlines()[1:]] == [
        ["0.3", "0.4", "-0.5", "…", "1.1"],
        ["9", "2", "5", "…", "13"],
        ["4", "0", "4", "…", "4"],
    ]
