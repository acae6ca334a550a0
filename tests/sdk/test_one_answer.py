"""Where a task wants one answer, a device gives it in its own time, however fast bulletins come and the date jumps."""

from itertools import count
from typing import Any

import pytest

from tests.collector.browser import require_browser
from tests.sdk.visit import DRINKS, Tab, Visit

require_browser()

MINUTE, HOUR, DAY = 60, 3_600, 86_400
LOOKS = 12


def hurried(visit: Visit, **task: Any) -> tuple[Tab, dict[str, Any]]:
    """A page with a server that has another bulletin at every look, and wants a look each minute."""
    made, tab, epochs = visit.create(**DRINKS, one_answer=True, **task), visit.open("/"), count(1)
    visit.show_epochs(made, lambda: next(epochs), max_age=MINUTE)
    options = visit.options(made, gather=60)
    tab.start(**options)
    tab.flush()
    return tab, options


def looks(tab: Tab, seconds: float, jump: float) -> int:
    """Reports of the ledger after some looks at new bulletins and as many events, while the date jumps."""
    for number in range(1, LOOKS + 1):
        tab.later(seconds)
        tab.set_date(number * jump)
        tab.flush()
        tab.report("tea")
        tab.awaited("hot.flush()")
    return int(tab.explain()["reports"])


@pytest.mark.parametrize("jump", [0, HOUR, -HOUR])
def test_a_hasty_server_gets_no_second_answer_within_an_epoch_whatever_the_date(visit: Visit, jump: float) -> None:
    tab, _ = hurried(visit, epoch_seconds=HOUR)
    assert looks(tab, MINUTE, jump) == 1


def test_answers_are_an_epoch_apart(visit: Visit) -> None:
    tab, _ = hurried(visit, epoch_seconds=HOUR)
    assert looks(tab, HOUR / 2 + 1, 0) == LOOKS / 2


def test_a_date_that_jumps_exchanges_no_key_that_stays(visit: Visit) -> None:
    """The first may go at once, the second stays."""
    tab, _ = hurried(visit, keys="week")
    tab.report("tea")
    tab.flush()
    assert looks(tab, MINUTE, 8 * DAY) == 2


def test_a_date_set_forward_gives_one_answer_to_a_page_that_opens_and_set_back_none(visit: Visit) -> None:
    """Nothing tells such a page from one after a long sleep. Two tabs share what they know."""
    tab, options = hurried(visit, epoch_seconds=HOUR)
    assert looks(tab, MINUTE, HOUR) == 1
    reports = []
    for late in (100 * HOUR, 0, -DAY, 101 * HOUR + 600, 200 * HOUR):
        tab.set_date(late)
        tab.here().refresh()
        tab.start(**options)
        tab.flush()
        tab.report("tea")
        tab.flush()
        reports.append(tab.explain()["reports"])
    assert reports == [2, 2, 2, 3, 4]


@pytest.mark.parametrize(("task", "rest"), [({"epoch_seconds": HOUR}, HOUR), ({"keys": "week"}, 7 * DAY)])
def test_a_page_opened_after_a_device_slept_gives_no_second_answer(
    visit: Visit, task: dict[str, Any], rest: float
) -> None:
    """While it sleeps, the date goes on and the other clock of an open page does not. So that page answers late."""
    tab, options = hurried(visit, **task)
    assert looks(tab, MINUTE, 0) == 1
    tab.set_date(8 * rest)
    reports = []
    for passed, opened in ((rest + 1, False), (2 * MINUTE, True), (rest / 2, True), (rest / 2, True)):
        tab.later(passed)
        if opened:
            tab.here().refresh()
            tab.start(**options)
        tab.flush()
        tab.report("tea")
        tab.flush()
        reports.append(tab.explain()["reports"])
    assert reports == [2, 2, 2, 3]
