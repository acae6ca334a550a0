"""A page that cannot report says why: `explain().reason` is what went wrong last."""

import threading
from typing import Any

import pytest
from selenium.common.exceptions import JavascriptException

from hgldp import Task
from tests.collector.browser import require_browser
from tests.patience import PATIENCE, until
from tests.sdk.recorder import Answered
from tests.sdk.visit import DRINKS, Tab, Visit

require_browser()

WORDS = DRINKS | {"epoch": 4000}
OPEN_TO_ALL = {"access-control-allow-origin": "*"}


def reported(visit: Visit, **options: Any) -> Tab:
    """A page that knows its task and has handed over one event."""
    made, tab = visit.create(**WORDS), visit.open("/")
    key = {"key": made.token} if options.pop("only_reads", False) else {}
    tab.start(**visit.options(made, gather=60, **options) | key)
    tab.flush()
    tab.report("tea")
    return tab


def until_asked_again(visit: Visit) -> None:
    """Wait until the page has renewed its bulletin, which may not hide what is wrong with uploads."""
    visit.recorder.asked.clear()
    until(
        lambda: sum(asked.path.endswith("/bulletin") and asked.method == "GET" for asked in visit.recorder.asked) >= 2
    )


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (None, "TypeError: Failed to fetch"),
        (Answered(200, {}, b'{"accepted":1}'), "TypeError: Failed to fetch"),
        (Answered(404, OPEN_TO_ALL, b""), "404"),
        (Answered(429, OPEN_TO_ALL, b""), "429"),
        (Answered(503, OPEN_TO_ALL, b""), "503"),
    ],
    ids=["no answer", "only another origin may read it", "wrong key", "too many", "busy"],
)
def test_an_upload_that_failed_says_why_until_one_arrives(visit: Visit, answer: Answered | None, reason: str) -> None:
    tab = reported(visit)
    visit.recorder.meddle = lambda asked, really: answer if asked.method == "POST" else really()
    assert not tab.flush()
    until_asked_again(visit)
    said = tab.explain()
    assert (said["state"], said["reason"]) == ("ready", reason)
    visit.recorder.meddle = None
    tab.later(400)
    assert tab.until_sent()["reason"] == ""


def test_a_token_that_only_reads_is_called_wrong_by_the_collector(visit: Visit) -> None:
    tab = reported(visit, only_reads=True)
    assert not tab.flush()
    assert tab.explain()["reason"] == "404"


def test_opting_out_while_an_upload_is_under_way_is_no_error(visit: Visit) -> None:
    tab = reported(visit)

    opted_out = threading.Event()

    def slow(asked: Any, really: Any) -> Answered:
        if asked.method == "POST":
            opted_out.wait(PATIENCE)
        answer: Answered = really()
        return answer

    visit.recorder.meddle = slow
    tab.here().execute_script("window.flushed = hot.flush()")
    until(lambda: visit.recorder.uploads)
    tab.opt_out()
    opted_out.set()
    tab.awaited("flushed")
    said = tab.explain()
    assert (said["state"], said["reason"]) == ("opted out", "")


@pytest.mark.parametrize("most", [{"maxEpsilon": 1}, {"maxEpsilon": None}])
def test_a_refusal_names_the_ceiling(visit: Visit, most: dict[str, Any]) -> None:
    said = reported(visit, **most).explain()
    assert (said["state"], said["reason"]) == ("refused", "maxEpsilon")


def test_a_refusal_says_that_the_task_has_no_other(visit: Visit) -> None:
    """Collectors of today make no such task."""
    task, tab = Task("pfr", epsilon=2.0, domain=["tea", "milk", "juice"], k=1, cells=12), visit.open("/")
    shown = Answered(200, OPEN_TO_ALL, task.canonical)
    visit.recorder.meddle = lambda asked, really: shown if asked.method == "GET" else really()
    tab.start(url=visit.recorder.url, task=task.id.hex(), key="key", maxEpsilon=4)
    tab.flush()
    said = tab.explain()
    assert (said["state"], said["reason"]) == ("refused", "other")


def test_a_reporter_without_an_address_is_not_made(visit: Visit) -> None:
    tab = visit.open("/")
    with pytest.raises(JavascriptException, match="undefined"):
        tab.start(task="00", key="k", maxEpsilon=1)
