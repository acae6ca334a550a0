"""A page that cannot report says why: `explain().reason` is what went wrong last."""

from typing import Any

import pytest
from selenium.common.exceptions import JavascriptException

from tests.collector.browser import require_browser
from tests.sdk.recorder import Answered
from tests.sdk.visit import Tab, Visit

require_browser()

WORDS = {
    "name": "Drinks", "scheme": "pfr", "epsilon": 2.0, "level": "event", "k": 2, "cells": 12, "epoch": 4000,
    "domain": {"words": ["tea", "coffee", "mate", "juice", "milk", "water"]},
}  # fmt: skip


def reported(visit: Visit, **options: Any) -> Tab:
    """A page that has handed over one event and tried to send it."""
    made, tab = visit.create(**WORDS), visit.open("/")
    tab.start(**visit.options(made, gather=60, **options))
    tab.flush()
    tab.report("tea")
    return tab


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (None, "TypeError: Failed to fetch"),
        (Answered(200, {}, b'{"accepted":1}'), "TypeError: Failed to fetch"),
        (Answered(404, {"access-control-allow-origin": "*"}, b""), "404"),
        (Answered(503, {"access-control-allow-origin": "*"}, b""), "503"),
    ],
    ids=["no answer", "another origin may read it", "wrong key", "busy"],
)
def test_an_upload_that_failed_says_why_until_one_arrives(visit: Visit, answer: Answered | None, reason: str) -> None:
    tab = reported(visit)
    visit.recorder.meddle = lambda asked, really: answer if asked.method == "POST" else really()
    assert not tab.flush()
    said = tab.explain()
    assert (said["state"], said["reason"]) == ("ready", reason)
    visit.recorder.meddle = None
    tab.later(400)
    assert tab.until_sent()["reason"] == ""


def test_a_key_that_only_reads_is_called_wrong_by_the_collector(visit: Visit) -> None:
    made, tab = visit.create(**WORDS), visit.open("/")
    tab.start(**visit.options(made, gather=60) | {"key": made.token})
    tab.flush()
    tab.report("tea")
    assert not tab.flush()
    assert tab.explain()["reason"] == "404"


@pytest.mark.parametrize("most", [{"maxEpsilon": 1}, {"maxEpsilon": None}])
def test_a_refusal_names_the_ceiling(visit: Visit, most: dict[str, Any]) -> None:
    tab = reported(visit, **most)
    said = tab.explain()
    assert (said["state"], said["reason"]) == ("refused", "maxEpsilon")


def test_a_reporter_without_an_address_is_not_made(visit: Visit) -> None:
    tab = visit.open("/")
    with pytest.raises(JavascriptException):
        tab.start(task="00", key="k", maxEpsilon=1)
