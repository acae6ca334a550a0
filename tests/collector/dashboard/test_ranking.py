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
    """The collector has judged, and nobody judges again: the numbers here would say the opposite."""
    sure, noise = line("tea", 1.0, 50.0), line("mate", 999.0, 1.0, may_be_noise=True)
    both, alone = ranking([sure, noise], [], "", ""), ranking([sure], [], "", "")
    assert (both.count('class="noise"'), both.count('class="sure"')) == (2, 2), "a row in each of the two tables"
    assert both.index('class="noise"') > both.index(">tea<")
    assert both.count(", may be noise<") == 1
    assert "A grey item may be noise: it does not stand out from an ordinary item." in both
    assert "noise" not in alone


def test_what_may_be_noise_has_not_moved() -> None:
    for change in (None, 4, -2):
        assert 'class="change"></td>' in ranking([line("tea", 9.0, change=change, may_be_noise=True)], [], "", "")
        assert 'class="change"></td>' not in ranking([line("tea", 9.0, change=change)], [], "", "")


def test_a_row_writes_all_its_numbers_in_full() -> None:
    shown = ranking([line("tea", 3750.0, 90.0)], [], "", "")
    assert ">3,750<" in shown
    assert ">3,574 … 3,926<" in shown


def test_without_a_clear_top_the_page_says_so_above_rows_that_stay() -> None:
    noise, sure = line("tea", 9.0, may_be_noise=True), line("mate", 9.0)
    flat = ranking([noise, noise], [], "", "")
    assert flat.index("No clear top: none of these items stands out from chance.") < flat.index(">tea<")
    assert "No clear top" not in ranking([noise, sure], [], "", "")


def test_what_was_published_without_a_judgement_is_not_judged_now() -> None:
    old = ranking([line("tea", 9.0, may_be_noise=None)], [], "", "")
    assert ('class="sure"' in old, 'class="noise"' in old, "No clear top" in old) == (True, False, False)
    assert "An earlier version published this, and did not say what may be noise." in old
    assert "An earlier version" not in ranking([line("tea", 9.0)], [], "", "")


def test_likely_ranks_stand_below_a_rank_if_there_are_several() -> None:
    lines = [line("tea", 9.0, rank_low=1, rank_high=1), line("mate", 8.0, rank_low=1, rank_high=4), line("milk", 7.0)]
    shown = ranking(lines, [], "", "")
    assert '>2<span class="likely" title="likely rank 1–4"><span class="unseen">, likely </span>1–4</span><' in shown
    assert shown.count('class="likely"') == 1
    assert "The small numbers below a rank are its likely ranks." in shown
    assert "small numbers" not in ranking(lines[2:], [], "", "")
    assert shown.count('class="rank">3</td>') == 1


def test_what_was_counted_since_an_item_was_tracked_can_be_had() -> None:
    tracked = replace(line("tea", 9000.0), since=43_210, tracked_count=1234.4, tracked_error=50.0)
    shown = ranking([tracked, replace(line("mate", 9.0), since=0)], [], "", "")
    assert "<td>43,210</td><td>1,234</td><td>1,136 … 1,332</td>" in shown
    assert shown.count("not counted by itself yet") == 1


def test_intervals_are_whole_numbers_and_a_long_item_can_be_read_in_full() -> None:
    shown = ranking([line("tea" * 40, 200.0, 50.3), line("mate", 30.0, 20.0)], [], "", "")
    assert ">101 … 299<" in shown
    assert ">−9 … 69<" in shown
    assert f'title="{"tea" * 40}"' in shown


def test_a_column_of_trends_stands_and_is_explained_only_where_there_is_one() -> None:
    tea, past = line("tea", 900.0), [{"tea": 0.1}, {"mate": 0.1}, {"tea": 0.2}, {"tea": 0.3}]
    shown = ranking([tea, line("milk", 9.0)], past, "", "")
    assert (shown.count('class="spark"'), shown.count('<td role="cell" class="trend">')) == (1, 2)
    assert "Trend: an item’s share of all reports so far, at the end of each of the last 4 epochs." in shown
    assert "a gap where the item was not in the top." in shown
    raw = ranking([line("tea", 900.0, warmup=9)], past, "", "")
    assert "Trend: an item’s share of all reports and raw items so far" in raw
    for none in ((), past[:1], past[:2]):
        assert "rend" not in ranking([tea], none, "", "")


def test_rows_stand_in_order_on_one_scale() -> None:
    shown = ranking([line("tea", 200.0, 0.0), line("mate", 100.0, 0.0)], [], "The best 2", "By luck.")
    assert shown.index(">tea<") < shown.index(">mate<")
    assert shown.count('width="100.0%"') == 1
    assert shown.count('width="50.0%"') == 1
    assert "The best 2" in shown
    assert "By luck.</p>" in shown
