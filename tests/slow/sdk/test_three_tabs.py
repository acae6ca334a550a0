"""A visit in a real browser: three tabs, no network for a while, a reload, a crash, opting out. Nothing raw leaves."""

import base64
from contextlib import suppress
from urllib.parse import quote

import pytest
from selenium.common.exceptions import WebDriverException

from hgldp.wire.upload import Upload
from tests.collector.browser import complaints, require_browser
from tests.patience import until
from tests.sdk.recorder import Asked, Recorder
from tests.sdk.visit import Visit

require_browser()

STRINGS = {
    "name": "Dishes", "scheme": "pfr", "epsilon": 4.0, "level": "event", "k": 3, "cells": 64, "domain": {"strings": 40},
    "epoch": 100_000, "results": "public", "origins": ["*"],
}  # fmt: skip
NUMBERS = {
    "name": "Numbers", "scheme": "pfr", "epsilon": 2.0, "level": "event", "k": 3, "cells": 64, "epoch": 100_000,
    "domain": {"range": [1_980_000_000, 10_000_000]}, "results": "public", "origins": ["*"],
}  # fmt: skip
DISH, NUMBER, CODE = "margherita with anchovies", 1_987_654_321, 7_654_321
BOTH = pytest.mark.parametrize("script", ["hgldp.js", "hgldp-all.js", "hgldp-hints.js"], indirect=True)


def spellings(item: str) -> list[bytes]:
    """An item in the ways in which a careless client would let it out."""
    raw = item.encode()
    plain = [raw, quote(item).encode(), raw.hex().encode(), raw[::-1]]
    encoded = [base64.b64encode(bytes(shift) + raw)[4 * (shift > 0) + 1 : -4] for shift in range(3)]
    return [*plain, *encoded, item.encode("utf-16-le")]


def number_spellings(number: int) -> list[bytes]:
    """The code of an item is its number: in digits and in bytes, from either end."""
    return [str(number).encode(), f"{number:x}".encode(), number.to_bytes(4, "big"), number.to_bytes(4, "little")]


def found_raw(recorder: Recorder, patterns: list[bytes]) -> list[bytes]:
    """Which of the patterns any request held, in whatever case."""
    everything = b"\n".join(each.everything for each in recorder.asked)
    return [pattern for pattern in patterns if pattern in everything or pattern in everything.lower()]


@BOTH
def test_the_collector_counts_exactly_what_the_ledger_says(visit: Visit) -> None:
    made = visit.create(**STRINGS)
    tabs = [visit.open(f"/pizza/{quote(DISH)}") for _ in range(3)]
    for tab in tabs:
        tab.start(**visit.options(made))
    handed_over = 0
    for turn in range(20):  # 180 events in small bursts
        assert set(tabs[turn % 3].report(*[DISH] * 9)) == {"taken"}
        handed_over += 9
    for tab in tabs:
        tab.offline(on=True)
    for tab in tabs:  # 180 events without a network
        tab.report(*[DISH, "lasagne", "x" * 41] * 20)
        handed_over += 60
    assert not tabs[0].flush()
    for tab in tabs:
        tab.offline(on=False)
    tabs[1].here().execute_script("for (let n = 0; n < 70; n++) hot.report(arguments[0]); location.reload()", DISH)
    tabs[1].start(**visit.options(made))
    tabs[2].report(*[DISH] * 70)
    with suppress(WebDriverException):
        tabs[2].here().execute_cdp_cmd("Page.crash", {})
    found = tabs[0].until_sent()
    assert found["reports"] == visit.counted(made) == sum(one["bytes"][55] for one in found["uploads"])
    assert {one["status"] for one in found["uploads"]} == {200}
    assert handed_over <= found["reports"] <= handed_over + 140 == 500
    sent = {each.body for each in visit.recorder.uploads}
    assert found["reports"] == sum(Upload.decode(body).count for body in sent)
    assert sorted(sent) == sorted(bytes(one["bytes"]) for one in found["uploads"])
    assert found_raw(visit.recorder, spellings(DISH)) == []
    assert {each.path for each in visit.recorder.uploads} == {f"/v1/in/{made.key}"}
    marks = {"referer", "cookie", "if-none-match"}
    assert not [name for each in visit.recorder.asked for name in marks & set(each.headers)]


@BOTH
def test_opting_out_deletes_all_but_the_ledger_and_silences_every_tab(visit: Visit) -> None:
    made = visit.create(**STRINGS)
    tabs = [visit.open("/") for _ in range(2)]
    for tab in tabs:
        tab.start(**visit.options(made))
    tabs[0].report(*[DISH] * 9)
    assert tabs[0].until_sent()["reports"] == 9
    tabs[1].offline(on=True)
    tabs[1].report(*[DISH] * 9)
    tabs[1].flush()
    tabs[0].opt_out()
    before, asked = visit.counted(made), len(visit.recorder.asked)
    tabs[1].offline(on=False)
    assert set(tabs[0].report(DISH)) == {"opted out"}
    until(lambda: tabs[1].explain()["state"] == "opted out")
    tabs[1].flush()
    assert set(tabs[1].report(DISH)) == {"opted out"}
    assert not tabs[1].explain()["uploads"]
    tabs[1].here().refresh()
    tabs[1].start(**visit.options(made))
    until(lambda: tabs[1].explain()["state"] == "opted out")
    tabs[1].flush()
    assert (visit.counted(made), len(visit.recorder.asked)) == (before, asked)
    assert tabs[1].databases() == ["hgldp"]
    assert tabs[1].kept() == ["site"]
    tabs[1].opt_in()
    tabs[1].report(DISH)
    assert tabs[1].until_sent()["reports"] == 19


def test_a_number_does_not_leave_either(visit: Visit) -> None:
    """Uploads hold random ids. That one holds four bytes of the number by chance: at most 10^−6, with 90 ids."""
    made = visit.create(**NUMBERS)
    tab = visit.open("/")
    tab.start(**visit.options(made))
    for _ in range(90):
        tab.report(NUMBER)
    assert tab.until_sent()["reports"] == 90
    assert found_raw(visit.recorder, [*number_spellings(NUMBER), *number_spellings(CODE)]) == []


@pytest.mark.parametrize("leak", [*spellings(DISH), *number_spellings(NUMBER)])
def test_a_leak_would_be_found(leak: bytes) -> None:
    recorder = Recorder(asked=[Asked("POST", "/v1/in/key", {}, b"\0" * 5 + leak + b"\0" * 7)])
    assert found_raw(recorder, [*spellings(DISH), *number_spellings(NUMBER)])


@BOTH
def test_nothing_is_said_on_the_console_and_nobody_else_is_asked(visit: Visit) -> None:
    made, tab = visit.create(**STRINGS), visit.open("/")
    visit.driver.get_log("performance")
    visit.driver.get_log("browser")
    tab.start(**visit.options(made))
    tab.report(DISH)
    tab.until_sent()
    assert complaints(visit.driver) == []
    log = [entry["message"] for entry in visit.driver.get_log("performance")]
    asked = [each for each in log if '"Network.requestWillBeSent"' in each]
    assert asked
    assert not [each for each in asked if '"url":"http' in each and '"url":"http://127.0.0.1:' not in each]
