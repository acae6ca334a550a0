"""The answer of the box that asks for any item, in words."""

from dataclasses import replace

from hgldp.collector.dashboard.ask_box import AskBox
from hgldp.collector.dashboard.templates import ENVIRONMENT
from hgldp.collector.views import AskedAnswer, AskedItem

MACROS = ENVIRONMENT.get_template("macros.html").module
LINE = AskedItem("tea", 900.0, 50.0, 802.0, 998.0, 900.0, 50.0, 100, may_be_noise=False)
NOISE = AskedItem("mate", 9.0, 50.0, 0.0, 107.0, 0.0, 0.0, 0, may_be_noise=True)


def box(line: AskedItem, reports: int = 9_000, raw: int = 0) -> str:
    return MACROS.ask_box(AskBox("/tasks/0#ask", answer=AskedAnswer(None, 3, reports, reports, (line,)), raw=raw))


def test_it_says_what_does_not_stand_out() -> None:
    assert "It does not stand out from an ordinary item." in box(NOISE)
    assert "ordinary item" not in box(LINE)


def test_what_may_be_none_or_all_is_unknown() -> None:
    nothing = AskedItem("tea", 0.0, 4_000.0, 0.0, 8_001.0, 0.0, 0.0, 0, may_be_noise=True)
    assert "Nothing is known about it yet." in box(nothing, reports=8_001)
    assert "ordinary item" not in box(nothing, reports=8_001)
    assert "It does not stand out from an ordinary item." in box(nothing, reports=8_002)


def test_with_a_half_life_it_says_what_the_count_means() -> None:
    answer = AskedAnswer(None, 3, 24_001, 24_001, (LINE,))
    told = MACROS.ask_box(AskBox("/tasks/0#ask", answer=answer, half_life=2_000))
    assert "of 24,001 reports, if all were like the recent ones (half-life: 2,000 reports)<" in told
    assert "recent" not in box(LINE)


def test_small_numbers_do_not_look_certain() -> None:
    told = box(AskedItem("tea", 0.27, 0.31, -0.34, 0.88, 0.0, 0.0, 0, may_be_noise=True), reports=1)
    assert ">0.3</strong>" in told
    assert "of 1 report<" in told
    assert "−0.3 … 0.9" in told


def test_it_says_how_much_is_raw() -> None:
    told = box(replace(LINE, warmup=120), raw=4_000)
    assert "of 9,000 reports and 4,000 raw items<" in told
    assert "120 of them raw, from the warm-up, which nobody randomised." in told
    assert "raw" not in box(LINE)


def test_before_any_report_the_warm_up_answers_alone() -> None:
    assert "of 0 reports and 4,000 raw items<" in box(replace(LINE, warmup=900), reports=0, raw=4_000)
    assert "No reports yet." in box(LINE, reports=0)


def test_a_window_without_an_epoch_names_the_smallest_that_holds_one() -> None:
    answer = AskedAnswer(5, 3, 9_000, 0, (NOISE,), least_window=1_250)
    told = MACROS.ask_box(AskBox("/tasks/0#ask", answer=answer))
    assert "No epoch fits into the last 5 reports. The smallest window that holds one has 1,250." in told
