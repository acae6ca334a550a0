"""The measure of `make sdk-cost` sees what blocks a page, and its rows add up. No speed is judged here."""

from collections.abc import Iterator
from typing import Any

import pytest
from selenium import webdriver

from tests.collector.browser import require_browser
from tests.sdk.cost.devtools import DevTools, Windows, Work, between_marks, devtools
from tests.sdk.cost.measure import ALONE, GARBAGE, IDLE, PLANTED, START, TEN, Page, Row, rows_of
from tests.sdk.cost.tasks import KINDS, create, full_hot_list, long_prefixes
from tests.sdk.visit import Visit

require_browser()

MAIN, OTHER = {"pid": 1, "tid": 1}, {"pid": 1, "tid": 2}


@pytest.fixture(scope="module")
def tools(driver: webdriver.Chrome) -> Iterator[DevTools]:
    with devtools(driver) as found:
        yield found


def traced(visit: Visit, tools: DevTools, planted: str = "") -> tuple[Windows, int]:
    """A few reports in a page, and how many of them the collector has."""
    made, _ = create(visit, KINDS[0])
    page = Page(visit, tools, KINDS[0].items, planted)
    page.load()
    with tools.tracing() as found:
        assert page.does("start", START, visit.options(made)) == 1
        assert page.does("idle", IDLE, 3, 20) == 3
        assert page.does("reports", ALONE, 3, 20, 1) == 3
        assert page.does("reports", TEN, 2, 20, 10) == 2
    return found, visit.counted(made)


def test_a_block_of_twenty_milliseconds_in_every_draw_is_seen(visit: Visit, tools: DevTools) -> None:
    """The block counts only time in which the page ran, so half of it is a bound that other load does not break."""
    found, _ = traced(visit, tools, PLANTED)
    rows = {row.name: row for row in rows_of(found)}
    for name in (ALONE, TEN):
        assert all(max(work.thread for work in window) > 10 for window in rows[name].windows)
        assert rows[name].misses
    assert not rows[IDLE].misses


def test_the_rows_of_a_plain_page_add_up(visit: Visit, tools: DevTools) -> None:
    found, counted = traced(visit, tools)
    rows = {row.name: row for row in rows_of(found)}
    assert {name: row.times for name, row in rows.items() if name != GARBAGE} == {START: 1, IDLE: 3, ALONE: 3, TEN: 2}
    assert sum(row.reports for row in rows.values()) == counted == 23
    assert all(found[ALONE]), "every report is worth a task"
    assert (
        0 < rows[ALONE].longest(0.5) <= rows[ALONE].longest(0.99) <= rows[ALONE].longest() <= 3 * rows[ALONE].each_time
    )


def event(name: str, at: float, more: dict[str, Any] | None = None, thread: dict[str, int] = MAIN) -> dict[str, Any]:
    return {"name": name, "ts": 1000 * at, "ph": "X", "args": {}, **thread, **(more or {})}


def task(at: float, wall: float, thread: float | None = None, **more: Any) -> dict[str, Any]:
    times = {"dur": 1000 * wall} | ({} if thread is None else {"tdur": 1000 * thread})
    return event("ThreadControllerImpl::RunTask", at, times | more)


def test_tasks_belong_to_the_mark_that_they_hold_or_follow() -> None:
    marks = [event("cost a", 10), event("cost end", 20), event("cost a", 30), event("cost end", 40)]
    before, holds, follows, between, again = task(1, 8, 8), task(9, 3, 2), task(13, 2), task(22, 5, 5), task(39, 9, 7)
    elsewhere = task(12, 5, 5) | OTHER
    nested = event("SimpleWatcher::OnHandleReady", 9, {"dur": 2000})
    found = between_marks([again, *marks, before, holds, follows, between, elsewhere, nested])
    assert found == {"a": [[Work(2, 3), Work(2, 2)], [Work(7, 9)]]}


def test_a_task_blocks_for_no_longer_than_it_lasts_whatever_the_trace_says() -> None:
    assert (Work(5.0, 1.8).thread, Work(5.0, 1.8).is_doubtful) == (1.8, True)
    assert (Work(1.8, 5.0).thread, Work(1.8, 5.0).is_doubtful) == (1.8, False)


def test_a_mark_without_its_end_is_refused() -> None:
    with pytest.raises(AssertionError, match="cost a, then cost b"):
        between_marks([event("cost a", 1), event("cost b", 2)])


def test_the_browsers_own_removal_of_garbage_has_a_row_of_its_own() -> None:
    heap = {"args": {"src_file": "v8/src/heap/minor-gc-job.cc"}}
    found = between_marks([event(f"cost {ALONE}", 1), task(2, 9, 9, **heap), task(12, 3, 1), event("cost end", 20)])
    assert rows_of(found) == [Row(ALONE, [[Work(1, 3)]]), Row(GARBAGE, [[Work(9, 9, is_garbage=True)]])]


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind.largest], ids=lambda kind: kind.name)
def test_a_made_up_bulletin_is_as_large_as_its_task_allows(visit: Visit, kind: Any) -> None:
    _, shown = create(visit, kind)
    assert shown
    first = shown.bulletin
    shown.next()
    assert shown.bulletin.epoch == first.epoch + 1
    if kind.largest is full_hot_list:
        assert first.cell_count == kind.fields["cells"]
    elif kind.largest is long_prefixes:
        assert len(first.cells) == kind.fields["cells"] - 1
        assert {len(cell.prefix) for cell in first.cells} == {196}
    else:
        assert len(first.leaves) == kind.fields["cells"] - 8
