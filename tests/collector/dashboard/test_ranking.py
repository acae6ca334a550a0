from dataclasses import replace

import pytest

from hgldp.collector.dashboard.ranking import ranking as table
from hgldp.collector.dashboard.ranking import row_key
from hgldp.collector.dashboard.templates import ENVIRONMENT, region
from tests.collector.fake_collector import line

MACROS = ENVIRONMENT.get_template("macros.html").module


def ranking(*given: object) -> str:
    return region("ranking", table(*given))


@pytest.mark.parametrize(
    ("change", "sign", "said"),
    [(2, "▲2", "up 2 places"), (-1, "▼1", "down 1 place"), (None, "new", "new in the list")],
)
def test_a_move_is_shown_and_said(change: int | None, sign: str, said: str) -> None:
    label = MACROS.change(change)
    assert f'aria-hidden="true">{sign}<' in label
    assert f'class="unseen">{said}<' in label


def test_what_stays_says_nothing() -> None:
    assert MACROS.change(0) == ""


def test_the_empty_string_has_a_name() -> None:
    assert "empty string" in MACROS.item("")
    assert "empty string" not in MACROS.item("empty")


def test_items_that_look_alike_have_rows_of_their_own() -> None:
    """A number and its digits, and letters that are shown as codes and those codes."""
    assert len({row_key(item) for item in (7, "7", "a\u202eb", "a⟨202E⟩b")}) == 4


def test_what_may_be_noise_looks_so_and_says_so() -> None:
    sure, noise = line("tea", 200.1, 50.0), line("mate", 200.0, 50.0)
    both, alone = ranking([sure, noise], [], "", ""), ranking([sure], [], "", "")
    assert (both.count('class="noise"'), both.count('class="sure"')) == (1, 1)
    assert both.index('class="noise"') > both.index(">tea<")
    assert both.count(", may be noise<") == 1
    assert "A grey item may be noise" in both
    assert "noise" not in alone
    assert "or without a cell of its own" in ranking([replace(sure, since=0)], [], "", "")


def test_intervals_are_whole_numbers_and_a_long_item_can_be_read_in_full() -> None:
    shown = ranking([line("tea" * 40, 200.0, 50.3), line("mate", 30.0, 20.0)], [], "", "")
    assert ">101 … 299<" in shown
    assert ">−9 … 69<" in shown
    assert f'title="{"tea" * 40}"' in shown


def test_rows_stand_in_order_on_one_scale() -> None:
    shown = ranking([line("tea", 200.0, 0.0), line("mate", 100.0, 0.0)], [], "The best 2", "By luck.")
    assert shown.index(">tea<") < shown.index(">mate<")
    assert shown.count('width="100.0%"') == 1
    assert shown.count('width="50.0%"') == 1
    assert "The best 2" in shown
    assert "By luck.</p>" in shown
