from dataclasses import replace
from html import unescape

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markupsafe import Markup

from hgldp.collector.dashboard.regions import (
    Now,
    Where,
    card_region,
    foot_region,
    past_regions,
    task_regions,
    window_choices,
)
from hgldp.collector.dashboard.templates import region
from hgldp.collector.views import Answer, PublishedEpoch, TaskTerms, TaskView
from hgldp.model.task import Task
from hgldp.model.window import reports_within
from tests.collector.fake_collector import line, numbers_task, published, strings_task, view

LISTED = view(numbers_task())


def windows(task: TaskView, chosen: int | None) -> str:
    return region("windows", task, window_choices(task, chosen), chosen, "")


def scrubber(task: TaskView, shown: PublishedEpoch | None) -> str:
    return region("scrubber", task, shown, "")


@pytest.mark.parametrize(
    ("reports", "epoch_length", "expected"),
    [
        (900, 1000, ()),
        (48_000, 13_352, (20_000,)),
        (60_000, 13_352, (50_000, 20_000)),
        (2_000_000, 5_000, (1_000_000, 50_000, 5_000)),
    ],
)
def test_windows_lie_between_an_epoch_and_everything(
    reports: int, epoch_length: int, expected: tuple[int, ...]
) -> None:
    assert window_choices(view(numbers_task(), reports=reports, epoch_length=epoch_length)) == expected


@pytest.mark.parametrize(
    ("sizes", "epoch_length", "expected"),
    [
        ((1_100, 1_601, 5_300), 1_100, (2_000,)),
        ((8_128, 8_000, 7_873), 1_000, (20_000, 10_000)),
        ((1, 4_000, 4_000), 500, (5_000,)),
        ((4_000,), 500, ()),
    ],
)
def test_windows_that_are_offered_count_different_epochs_and_about_what_they_say(
    sizes: tuple[int, ...], epoch_length: int, expected: tuple[int, ...]
) -> None:
    """Most reports came late, so epochs are longer than they would be by themselves."""
    task = view(numbers_task(), reports=sum(sizes), epoch_length=epoch_length, epoch_sizes=sizes)
    assert window_choices(task) == expected


sizes = st.lists(st.integers(1, 20_000), min_size=1, max_size=20)


@given(sizes, st.integers(1, 5_000), st.integers(0, 9_000))
def test_every_window_that_is_offered_answers(sizes: list[int], epoch_length: int, forgotten: int) -> None:
    task = replace(LISTED, reports=sum(sizes) + forgotten, epoch_length=epoch_length, epoch_sizes=tuple(sizes))
    offered = window_choices(task)
    counts = [reports_within(sizes, each) for each in offered]
    assert all(each / 2 <= covered <= 2 * each for each, covered in zip(offered, counts, strict=True))
    assert len(set(counts)) == len(offered) <= 3
    assert max((*offered, *counts), default=0) < task.reports


def test_a_window_of_ones_own_is_shown_as_the_chosen_one() -> None:
    task = view(numbers_task(), reports=60_000, epoch_length=13_352)
    assert 'aria-current="true">Last 30k<' in windows(task, 30_000)
    assert windows(task, 30_000).count("aria-current") == 4
    assert windows(task, 20_000).count("aria-current") == windows(task, None).count("aria-current") == 3


def test_with_a_half_life_a_page_and_a_card_say_so() -> None:
    task = view(numbers_task(half_life=2_000), [line(7, 900.0)], reports=60_000, epoch_length=250, top_reports=60_000)
    assert 'title="half-life: 2,000 reports">Recent<' in windows(task, None)
    assert "All time" not in windows(task, None)
    page = task_regions(Now(task, None, (), None, None), Markup(), WHERE)
    assert "Estimated top 1 in 60,000 reports, the recent ones counting most" in page["ranking"]
    assert "one counts half after 2,000 more (half-life)" in page["ranking"]
    assert "<dt>Half-life</dt><dd>2,000 reports</dd>" in page["details"]
    assert "half-life 2,000 reports" in card_region(task, None, None, "")
    last = Answer(10, 5_000, 3, 60_000, 4_900, (line(7, 90.0),))
    assert "half-life" not in task_regions(Now(task, last, (), None, None), Markup(), WHERE)["ranking"]
    plain = view(numbers_task(), [line(7, 900.0)], reports=60_000, epoch_length=250)
    assert ">All time<" in windows(plain, None)
    shown = task_regions(Now(plain, None, (), None, None), Markup(), WHERE)
    assert "alf-life" not in "".join([*shown.values(), card_region(plain, None, None, "")])


def test_where_keys_stay_the_page_says_when_the_epoch_ends_and_not_after_how_many_reports() -> None:
    waiting = {"reports": 700, "epoch_length": 500, "in_epoch": 700}
    kept, free = (view(numbers_task(**more), **waiting) for more in ({"keys": "week"}, {}))
    shown, usual = (
        "".join(task_regions(Now(each, None, (), None, None), Markup(), WHERE).values()) for each in (kept, free)
    )
    assert "at the earliest" in shown
    assert "of 500 reports" not in shown
    assert "after 500 reports" not in shown
    assert "of 500 reports" in usual
    assert "at the earliest" not in usual


def test_a_warm_up_that_is_not_counted_is_not_said_to_be() -> None:
    """Neither in a window nor with a half-life."""
    lines, last = [line(7, 900.0)], Answer(10, 5_000, 3, 60_000, 4_900, (line(7, 90.0),))
    said = "Estimates include the warm-up of 4,000 raw items"
    for half_life, answer, counted in ((0, None, True), (2_000, None, False), (0, last, False)):
        task = view(numbers_task(half_life=half_life), lines, reports=60_000, epoch_length=250, terms=WARM)
        assert (said in task_regions(Now(task, answer, (), None, None), Markup(), WHERE)["ranking"]) is counted


def test_one_report_is_one_report() -> None:
    task = view(numbers_task(), [line(7, 1.0)], reports=1, top_reports=1)
    shown = task_regions(Now(task, None, (), None, None), Markup(), WHERE)
    assert "Estimated top 1 in 1 report<" in shown["ranking"]
    assert "1 reports" not in "".join(shown.values())


def test_legends_explain_only_what_is_shown() -> None:
    small = "The small numbers below a rank"
    for ranks, told in (((1, 1), False), ((1, 3), True)):
        lines = [replace(line(7, 900.0), rank_low=ranks[0], rank_high=ranks[1])]
        task = view(numbers_task(), lines, reports=60_000)
        assert (small in task_regions(Now(task, None, (), None, None), Markup(), WHERE)["ranking"]) is told


def test_arrows_are_explained_where_there_are_any() -> None:
    for change, told in ((0, False), (2, True), (-1, True), (None, True)):
        task = view(numbers_task(), [line(7, 900.0, change=change)], reports=60_000, epoch=3, top_epoch=3)
        shown = task_regions(Now(task, None, (), None, None), Markup(), WHERE)["ranking"]
        assert ("▲▼: change of rank since the last full epoch began" in shown) is told


def test_the_first_report_is_of_an_item_that_there_is() -> None:
    task = Task("pfr", epsilon=2.0, domain=["it's tea", "mate"], k=1)
    shown = unescape(task_regions(Now(view(task), None, (), None, None), Markup(), WHERE)["ranking"])
    code = shown.partition("<code>")[2].partition("</code>")[0]
    compile(code, "shown", "exec")
    assert 'reporter.report("it\'s tea")\nprint(reporter.status())' in code
    assert f'folder="reports-{task.id.hex()[:8]}"' in code


def test_nothing_is_new_before_there_is_an_earlier_list() -> None:
    for epoch, compared in ((0, False), (1, False), (2, True)):
        task = view(numbers_task(), [line(7, 900.0, change=None)], reports=60_000, epoch=epoch, top_epoch=epoch)
        shown = task_regions(Now(task, None, (), None, None), Markup(), WHERE)["ranking"]
        assert ("new in the list" in shown) is compared


def test_nothing_is_new_in_a_window() -> None:
    lines, last = (line(7, 900.0, change=None),), Answer(10, 5_000, 3, 60_000, 4_900, (line(7, 90.0, change=None),))
    task = view(numbers_task(), lines, reports=60_000, epoch=3, top_epoch=3)
    for answer, compared in ((None, True), (last, False)):
        shown = task_regions(Now(task, answer, (), None, None), Markup(), WHERE)["ranking"]
        assert ("new in the list" in shown) is compared


def test_a_past_epoch_has_no_trend() -> None:
    task, past = view(numbers_task(), [line(7, 900.0)], reports=60_000, epoch=3), [{7: 0.1}, {7: 0.2}]
    assert "Trend" in task_regions(Now(task, None, past, None, None), Markup(), WHERE)["ranking"]
    assert "Trend" not in past_regions(task, published(2, 9_000, [line(7, 90.0)]), "")["ranking"]


WARM = replace(TaskTerms("Drinks", "public"), warmup=4_000)
WHERE = Where("http://127.0.0.1:8080", "")


def test_the_foot_says_whether_anything_is_raw() -> None:
    private = "All numbers are estimates from reports that were randomised before they were sent."
    assert private in foot_region([view(numbers_task())])
    told = foot_region([view(numbers_task()), view(numbers_task(), terms=WARM)])
    assert private not in told
    assert "raw items are known as they are." in told


def test_before_any_report_a_page_and_a_card_show_the_warm_up_alone() -> None:
    lines = [line(7, 900.0, 0.0, change=None, warmup=900)]
    task, bare = view(numbers_task(), lines, terms=WARM), view(numbers_task(), lines)
    shown = task_regions(Now(task, None, (), None, None), Markup(), WHERE)["ranking"]
    assert "No reports yet: this is the warm-up alone, 4,000 raw items that nobody randomised." in shown
    assert ">900 <" in shown
    assert "(900 raw)" in shown
    assert "new in the list" not in shown
    assert "hgldp report" in shown
    card = card_region(task, None, None, "")
    assert ">900<" in card
    assert "No reports yet: this is the warm-up alone, 4,000 raw items." in card
    assert "Includes a warm-up of 4,000 raw items." in card_region(replace(task, reports=9), None, None, "")
    for none in (
        task_regions(Now(bare, None, (), None, None), Markup(), WHERE)["ranking"],
        card_region(bare, None, None, ""),
    ):
        assert "900" not in none


def test_a_window_without_an_epoch_names_the_smallest_that_holds_one() -> None:
    answer = Answer(10, 5, 3, 9_000, 0, (), 1_250)
    shown = task_regions(Now(view(numbers_task(), reports=9_000), answer, (), None, None), Markup(), WHERE)["ranking"]
    assert "The smallest that holds one has 1,250 reports." in shown


def test_strings_have_no_windows() -> None:
    assert window_choices(view(strings_task(), reports=10**6, epoch_length=10)) == ()


def test_the_slider_ends_in_the_present() -> None:
    task = view(numbers_task(), epoch=7)
    assert 'max="7" value="7"' in scrubber(task, None)
    assert 'max="7" value="2"' in scrubber(task, published(2, 10, [line(1, 1.0)]))
    assert scrubber(view(numbers_task()), None) == ""
    assert "The end" in scrubber(view(numbers_task(), epoch=7, closed=5.0), None)
