"""The rules of the client in a real browser: limits, levels, one answer a bulletin, keys that stay, opting out."""

import re
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from hgldp.wire.upload import Upload
from tests.collector.browser import require_browser
from tests.collector.live_service import Made
from tests.patience import until
from tests.sdk.recorder import Answered, Asked
from tests.sdk.visit import Tab, Visit

require_browser()

DAY = 86_400
DRINKS = ["tea", "coffee", "mate", "juice", "milk", "water"]
WORDS = {
    "name": "Drinks",
    "scheme": "pfr",
    "epsilon": 2.0,
    "k": 2,
    "cells": 12,
    "epoch": 40,
    "domain": {"words": DRINKS},
}
EVENT = {**WORDS, "level": "event"}
BOTH = pytest.mark.parametrize("script", ["hgldp.js", "hgldp-all.js"], indirect=True)


def started(visit: Visit, made: Made, **more: Any) -> Tab:
    tab = visit.open("/")
    tab.start(**visit.options(made, **more))
    tab.flush()
    return tab


def sent(visit: Visit) -> int:
    """How many reports left, each upload once."""
    return sum(Upload.decode(body).count for body in {each.body for each in visit.recorder.uploads})


@BOTH
def test_the_limit_of_a_day_holds_over_tabs_and_reloads_and_has_a_name(visit: Visit) -> None:
    made = visit.create(**EVENT)
    first, second = started(visit, made, reportsPerDay=5), started(visit, made, reportsPerDay=5)
    first.report(*["tea"] * 3)
    second.report(*["tea"] * 9)
    second.here().refresh()
    second.start(**visit.options(made, reportsPerDay=5))
    second.flush()
    second.report(*["tea"] * 9)
    found = second.until_sent()
    assert (found["reports"], found["left"], found["limit"], found["state"]) == (5, 0, "reportsPerDay", "spent")
    assert sent(visit) == visit.counted(made) == 5
    second.later(26 * 3600)
    second.flush()
    second.report("tea")
    assert second.until_sent()["reports"] == 6


def test_a_date_that_was_once_too_late_stops_neither_time_nor_the_limit(visit: Visit) -> None:
    """The ledger believes no earlier date, but time goes on while the page is open."""
    made, tab = visit.create(**EVENT), visit.open("/")
    for late in (365 * DAY, 0):
        tab.set_date(late)
        tab.here().refresh()
        tab.start(**visit.options(made, reportsPerDay=3))
        tab.flush()
        tab.report(*["tea"] * 5)
        assert tab.until_sent()["reports"] == 3
    tab.later(26 * 3600)
    tab.flush()
    tab.report("tea")
    assert tab.until_sent()["reports"] == visit.counted(made) == 4


def test_a_visit_of_many_pages_asks_no_more_often_than_one_page(visit: Visit) -> None:
    """Else the collector would see every page that a visitor opens."""

    def an_hour(asked: Asked, really: Callable[[], Answered]) -> Answered:
        answer = really()
        return replace(answer, body=re.sub(rb'"max_age": ?\d+', b'"max_age":3600', answer.body))

    made, tab = visit.create(**EVENT), visit.open("/")
    visit.recorder.meddle = an_hour
    for _ in range(4):
        tab.start(**visit.options(made))
        tab.flush()
        tab.report("tea")
        tab.until_sent()
        tab.here().refresh()
    asked = [each.path.split("/")[2] for each in visit.recorder.asked if each.method == "GET"]
    assert asked == ["tasks", "tasks", "bulletins"]


@pytest.mark.parametrize(
    ("task", "options", "most", "limit"),
    [
        ({"daily_reports": 3}, {}, 3, "daily_reports"),
        ({}, {"maxTotalEpsilon": 7}, 3, "maxTotalEpsilon"),
        ({"level": "user", "events": 4, "division": "budget"}, {}, 4, "events"),
        ({"level": "user", "events": 4}, {}, 1, "events"),
    ],
)
def test_every_limit_holds_and_has_a_name(
    visit: Visit, task: dict[str, Any], options: dict[str, Any], most: int, limit: str
) -> None:
    made = visit.create(**EVENT | task)
    tab = started(visit, made, **options)
    tab.report(*["tea"] * 9)
    found = tab.until_sent()
    assert (found["reports"], found["limit"], found["left"]) == (most, limit, 0)
    assert sent(visit) == visit.counted(made) == most


def test_a_window_reports_one_of_its_events(visit: Visit) -> None:
    made = visit.create(**EVENT | {"level": "window", "events": 5})
    tab = started(visit, made)
    for _ in range(7):
        tab.report(*["tea"] * 5)
    found = tab.until_sent()
    assert found["reports"] == sent(visit) == 7


@BOTH
@pytest.mark.parametrize("events", [0, 1, 40])
def test_a_period_makes_one_report_whatever_happened_in_it(visit: Visit, events: int) -> None:
    made = visit.create(**WORDS, level="period", nothing=True)
    tab = started(visit, made)
    for _ in range(events):
        tab.report("tea")
    time.sleep(0.5)
    assert tab.flush()
    assert sent(visit) == 0
    for day in (1, 2, 3):
        tab.later(DAY)
        tab.flush()  # the new bulletin, then the period
        assert tab.until_sent()["reports"] == sent(visit) == day
        tab.here().refresh()
        tab.start(**visit.options(made))
        assert tab.until_sent()["reports"] == day
    assert {len(each.body) for each in visit.recorder.uploads} == {64}
    assert visit.counted(made) == 3


def test_without_nothing_an_empty_period_is_silent(visit: Visit) -> None:
    made = visit.create(**WORDS, level="period")
    tab = started(visit, made)
    tab.later(DAY)
    tab.flush()
    tab.report("tea")
    tab.flush()
    assert sent(visit) == 0
    tab.later(DAY)
    tab.flush()
    assert tab.until_sent()["reports"] == 1


def test_an_event_never_triggers_the_report_of_a_period(visit: Visit) -> None:
    """Else its time would tell that there was an event: only rounds, which the clock starts, make the report."""
    made = visit.create(**WORDS, level="period", nothing=True)
    tab = started(visit, made, gather=3600)
    tab.report("tea")
    tab.awaited("new Promise((done) => setTimeout(done, 300))")
    tab.here().execute_script("for (let n = setTimeout(() => 0); n; n--) clearTimeout(n); setTimeout = () => 0")
    tab.later(DAY)
    tab.report("milk")
    time.sleep(0.5)
    assert tab.explain()["reports"] == 0


def test_each_bulletin_is_answered_once(visit: Visit) -> None:
    made = visit.create(**EVENT, one_answer=True, epoch_seconds=3600)
    first, second = started(visit, made), started(visit, made)
    for tab in (first, second, first):
        tab.report(*["tea", "milk"] * 5)
        tab.until_sent()
    assert sent(visit) == visit.counted(made) == 1
    visit.service.upload(made, ["tea"] * 40)
    assert visit.service.http.post(f"{made.path}/seal", headers=visit.service.admin).status_code == 200
    first.later(DAY)
    first.flush()
    first.report(*["tea"] * 5)
    assert first.until_sent()["reports"] == 2


def test_keys_that_stay_are_exchanged_no_sooner(visit: Visit) -> None:
    """The very first bulletin may go at once; the next one stays for its time, whatever the server shows."""
    made = visit.create(**EVENT, one_answer=True, keys="week")
    tab = started(visit, made)
    versions = []
    for epoch in range(3):
        tab.report("tea")
        tab.until_sent()
        versions.append({each.body[20:52] for each in visit.recorder.uploads})
        visit.show_epoch(made, epoch + 1)
        tab.later(2 * DAY)
        tab.flush()
    assert [len(each) for each in versions] == [1, 2, 2]
    assert tab.explain()["reports"] == 2


def test_global_privacy_control_is_honoured(visit: Visit) -> None:
    made = visit.create(**EVENT)
    tab = started(visit, made)
    tab.report("tea")
    tab.until_sent()
    tab.flush()
    source = "Object.defineProperty(navigator, 'globalPrivacyControl', {value: true})"
    tab.here().execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": source})
    tab.here().refresh()
    asked = len(visit.recorder.asked)
    tab.start(**visit.options(made))
    assert tab.report("tea") == ["gpc"]
    time.sleep(1)
    found = tab.explain()
    assert (found["state"], found["uploads"]) == ("gpc", [])
    assert len(visit.recorder.asked) == asked
    tab.here().refresh()
    tab.start(**visit.options(made, gpc=False))
    tab.flush()
    tab.report("tea")
    assert tab.until_sent()["reports"] == 2


@pytest.mark.parametrize(("days", "most"), [(1.2, 6), (-1.2, 3)])
def test_a_date_that_is_set_back_and_forth_makes_no_days(visit: Visit, days: float, most: int) -> None:
    """Ahead, it grants one day more, once; back, none."""
    made = visit.create(**EVENT)
    tab = started(visit, made, reportsPerDay=3)
    tab.flush()
    for shift in (0, days, 0, days, 0, days):
        tab.set_date(shift * DAY)
        tab.flush()
        tab.report(*["tea"] * 5)
        tab.flush()
    assert tab.until_sent()["reports"] == most


@pytest.mark.parametrize(
    "blocked",
    [
        "indexedDB.open = () => { throw new DOMException('no', 'SecurityError') }",
        "Object.defineProperty(window, 'indexedDB', {value: undefined})",
        "IDBObjectStore.prototype.put = () => { throw new DOMException('full', 'QuotaExceededError') }",
        "Object.defineProperty(navigator, 'locks', {value: undefined})",
    ],
)
def test_where_storage_is_blocked_nothing_is_sent(visit: Visit, blocked: str) -> None:
    made = visit.create(**EVENT)
    tab = visit.open("/")
    tab.here().execute_script(blocked)
    tab.start(**visit.options(made))
    tab.report(*["tea"] * 5)
    time.sleep(1)
    assert visit.recorder.uploads == []
    expected = "taken" if "Quota" in blocked else "no storage"
    assert tab.here().execute_script("return hot.report('tea')") == expected


def test_what_waits_leaves_when_the_page_is_hidden(visit: Visit) -> None:
    made = visit.create(**EVENT)
    tab = started(visit, made, gather=3600)
    tab.report("tea")
    tab.report("milk")
    time.sleep(0.5)
    assert visit.recorder.uploads == []
    tab.here().get("about:blank")
    until(lambda: visit.counted(made) >= 2)
    assert visit.counted(made) == 2
    assert {len(each.body) for each in visit.recorder.uploads} == {64}
