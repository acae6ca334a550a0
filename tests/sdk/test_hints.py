"""A task over strings that names a public list, in a real browser: fetched once, believed by its hash."""

import time
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from selenium import webdriver

from hgldp import Task
from hgldp.model.domain import StringDomain
from hgldp.model.hints import Hints
from tests.collector.browser import require_browser
from tests.collector.live_service import Service
from tests.patience import until
from tests.sdk.node import build, require_node
from tests.sdk.recorder import Answered, Asked
from tests.sdk.visit import Visit, visiting

require_browser()
require_node()

LIST = ["tea", "mate", "coffee", "water", "cocoa", "日本茶"]
DRINKS: dict[str, Any] = {
    "name": "Drinks", "scheme": "pfr", "epsilon": 2.0, "level": "event", "k": 2, "epoch": 4000, "cells": 96,
    "domain": {"strings": 16}, "hints": LIST,
}  # fmt: skip
OPEN = {"access-control-allow-origin": "*"}
NO_ROOM = """
const put = IDBObjectStore.prototype.put;
IDBObjectStore.prototype.put = function (value, key) {
  const request = put.call(this, value, key);
  if (key != "site" && value.length < 100) this.transaction.abort();
  return request;
};
"""
WITH_LISTS = pytest.mark.parametrize("script", ["hgldp-hints.js"], indirect=True)
WITHOUT = pytest.mark.parametrize("script", ["hgldp.js", "hgldp-all.js"], indirect=True)


def lists_asked(visit: Visit) -> list[str]:
    return [each.path for each in visit.recorder.asked if each.method == "GET" and "/hints/" in each.path]


def instead_of_the_list(body: bytes) -> Callable[[Asked, Callable[[], Answered]], Answered]:
    return lambda asked, really: (
        Answered(200, OPEN, body) if asked.method == "GET" and "/hints/" in asked.path else really()
    )


@WITH_LISTS
def test_what_is_on_the_list_and_what_is_not_is_sent_and_the_list_is_fetched_once(visit: Visit) -> None:
    """The list is asked for before anything is reported, and no later page asks for it again."""
    made, tab = visit.create(**DRINKS), visit.open("/")
    tab.start(**visit.options(made))
    until(lambda: tab.explain()["state"] == "ready")
    name = Hints.of(LIST).digest
    assert lists_asked(visit) == [f"/v1/hints/{name}"]
    assert tab.report(*LIST, "gin", "malt whisky", "a string that is too long", "") == ["taken"] * 8 + [
        "other",
        "taken",
    ]
    assert tab.until_sent()["reports"] == visit.counted(made) == 10
    assert set(tab.kept()[:3]) == {"site", made.id, name}
    tab.here().refresh()
    tab.start(**visit.options(made))
    tab.report("mate", "rum")
    assert tab.until_sent()["reports"] == visit.counted(made) == 12
    assert len(lists_asked(visit)) == 1
    for asked in visit.recorder.asked:
        assert not any(each.encode() in asked.everything for each in ("coffee", "日本茶", "whisky", "too long"))


@WITH_LISTS
def test_nothing_that_is_reported_changes_what_is_asked(visit: Visit) -> None:
    asked = []
    for items in ([], ["tea"], ["gin"] * 3):
        made, tab = visit.create(**DRINKS), visit.open("/")
        visit.recorder.asked.clear()
        tab.start(**visit.options(made))
        tab.report(*items)
        until(lambda page=tab: page.explain()["state"] == "ready")
        paths = [each.path.replace(made.id, "…") for each in visit.recorder.asked if each.method == "GET"]
        asked.append([path for path in paths if "…" in path or "/hints/" in path][:3])
        tab.until_sent()
        tab.here().execute_cdp_cmd("Storage.clearDataForOrigin", {"origin": visit.shop, "storageTypes": "all"})
    path = f"/v1/hints/{Hints.of(LIST).digest}"
    assert asked == [["/v1/tasks/…/document", path, "/v1/tasks/…/bulletin"]] * 3


@WITH_LISTS
@pytest.mark.parametrize(
    "body",
    [
        Hints.of([*LIST[:-1], "日本酒"]).data,
        Hints.of(LIST).data[:-1],
        Hints.of(LIST[1:] + LIST[:1]).data,
        Hints.of(LIST).data + b"x" * (1 << 24),
        b"",
    ],
    ids=["another string", "no last line feed", "another order", "too long", "nothing"],
)
def test_not_one_report_leaves_while_the_list_is_a_lie(visit: Visit, body: bytes) -> None:
    """And the same page, with an honest collector, sends."""
    made, tab = visit.create(**DRINKS), visit.open("/")
    visit.recorder.meddle = instead_of_the_list(body)
    tab.start(**visit.options(made))
    tab.report("tea", "gin")
    until(lambda: tab.explain()["reason"])
    assert not tab.flush()
    said = tab.explain()
    assert (said["state"], said["reports"], visit.recorder.uploads) == ("starting", 0, [])
    assert said["reason"] == ("Error: refused" if len(body) > 1 << 24 else "Error: list")
    visit.recorder.meddle = None
    tab.later(400)
    assert tab.until_sent()["reports"] == visit.counted(made) == 2


@WITH_LISTS
@pytest.mark.parametrize("body", [b"tea\nmate\ntea\n", b"tea\n\nmate\n", b"tea\nmate\ngin", b"tea\nmate\n"])
def test_a_list_with_the_right_hash_that_is_none_is_refused_and_fetched_once(visit: Visit, body: bytes) -> None:
    """No honest collector takes such a task. Twice a string, an empty one, no end, one too few."""
    task, tab = (
        Task("pfr", epsilon=2.0, domain=StringDomain(16, Hints(sha256(body).hexdigest(), 3)), k=2),
        visit.open("/"),
    )
    documents = {"/document": task.canonical, sha256(body).hexdigest(): body}

    def meddle(asked: Asked, really: Callable[[], Answered]) -> Answered:
        found = next((each for end, each in documents.items() if asked.path.endswith(end)), None)
        return really() if asked.method == "OPTIONS" else Answered(404 if found is None else 200, OPEN, found or b"")

    visit.recorder.meddle = meddle
    tab.start(url=visit.recorder.url, task=task.id.hex(), key="key", maxEpsilon=4)
    tab.report("tea")
    until(lambda: tab.explain()["reason"] == "Error: list")
    tab.later(400)
    assert not tab.flush()
    assert tab.explain()["reason"] == "Error: list"
    assert (len(lists_asked(visit)), visit.recorder.uploads) == (1, [])


@WITH_LISTS
def test_a_task_above_the_ceiling_costs_no_list(visit: Visit) -> None:
    made, tab = visit.create(**DRINKS), visit.open("/")
    tab.start(**visit.options(made, maxEpsilon=1.9))
    until(lambda: tab.explain()["state"] == "refused")
    tab.flush()
    assert (tab.explain()["reason"], lists_asked(visit)) == ("maxEpsilon", [])


@WITH_LISTS
def test_events_wait_for_a_slow_list_and_opting_out_deletes_it(visit: Visit) -> None:
    made, tab = visit.create(**DRINKS), visit.open("/")

    def slow(asked: Asked, really: Callable[[], Answered]) -> Answered:
        if asked.method == "GET" and "/hints/" in asked.path:
            time.sleep(1)
        return really()

    visit.recorder.meddle = slow
    tab.start(**visit.options(made))
    assert tab.report("tea", "gin") == ["taken", "taken"]
    assert tab.explain()["waiting"] == 2
    assert tab.until_sent()["reports"] == visit.counted(made) == 2
    tab.opt_out()
    assert tab.kept() == ["site"]
    tab.opt_in()
    tab.report("mate")
    assert tab.until_sent()["reports"] == visit.counted(made) == 3
    assert len(lists_asked(visit)) == 2


@WITH_LISTS
def test_a_list_that_the_browser_has_no_room_for_is_used_and_not_fetched_again_in_this_page(visit: Visit) -> None:
    made, tab = visit.create(**DRINKS), visit.open("/")
    tab.here().execute_script(NO_ROOM)
    tab.start(**visit.options(made))
    tab.report("tea", "gin")
    assert tab.until_sent()["reports"] == visit.counted(made) == 2
    assert {each for each in tab.kept() if isinstance(each, str)} == {"site", made.id}
    tab.later(400)
    tab.flush()
    assert len(lists_asked(visit)) == 1


@WITH_LISTS
def test_a_period_reports_its_one_event_in_a_later_page(visit: Visit) -> None:
    """What was drawn waits as a string, not as a number on the list."""
    made = visit.create(**DRINKS | {"level": "period"})
    tab = visit.open("/")
    tab.start(**visit.options(made))
    until(lambda: tab.explain()["state"] == "ready")
    tab.report("mate")
    until(lambda: tab.explain()["waiting"] == 0)
    tab.later(2 * 86_400)
    tab.here().refresh()
    tab.start(**visit.options(made))
    until(lambda: tab.explain()["reports"] == 1)
    assert tab.until_sent()["reports"] == visit.counted(made) == 1


@WITH_LISTS
def test_tasks_that_name_no_list_work_as_before(visit: Visit) -> None:
    plain = {name: value for name, value in DRINKS.items() if name != "hints"}
    words = plain | {"domain": {"words": LIST}, "cells": 12}
    for fields in (plain, words):
        made, tab = visit.create(**fields), visit.open("/")
        tab.start(**visit.options(made))
        tab.report("tea", "gin")
        assert tab.until_sent()["reports"] == visit.counted(made) == 2
    assert lists_asked(visit) == []


@WITHOUT
def test_a_script_that_knows_no_lists_says_which_tasks_it_lacks(visit: Visit) -> None:
    made, tab = visit.create(**DRINKS), visit.open("/")
    tab.start(**visit.options(made))
    tab.report("tea")
    until(lambda: tab.explain()["reason"])
    assert not tab.flush()
    assert (tab.explain()["state"], tab.explain()["reason"]) == ("starting", "Error: pfr-hints")
    assert (lists_asked(visit), visit.recorder.uploads) == ([], [])


PLANTED = {
    "any list is believed": ("must((await sha256(mark, found)) == name, what);", "await sha256(mark, found);"),
    "no list is kept": (
        "site.optedOut || records.put(found, name)",
        "site.optedOut || !mark || records.put(found, name)",
    ),
}


@pytest.mark.parametrize("mistake", PLANTED)
def test_a_build_with_a_mistake_would_be_found(
    driver: webdriver.Chrome, service: Service, tmp_path: Path, mistake: str
) -> None:
    before, after = PLANTED[mistake]
    script = build(tmp_path, {"file": "renewal.ts", "from": before, "to": after}) / "hgldp-hints.js"
    with visiting(driver, service, script.read_bytes()) as visit:
        made, tab = visit.create(**DRINKS), visit.open("/")
        if mistake == "any list is believed":
            visit.recorder.meddle = instead_of_the_list(Hints.of(LIST[1:] + LIST[:1]).data)
        for reports in (1, 2):
            tab.start(**visit.options(made))
            tab.report("tea")
            assert tab.until_sent()["reports"] == reports
            tab.here().refresh()
        assert len(lists_asked(visit)) == (1 if mistake == "any list is believed" else 2)
