"""Who opts out is silent from that moment on, whatever the page, its requests and other tabs are doing just then."""

import time

import pytest

from tests.collector.browser import require_browser
from tests.sdk.visit import DRINKS, Tab, Visit

require_browser()

WORDS = DRINKS | {"epoch": 40}
SOON = "const soon = (ms) => new Promise((done) => setTimeout(done, ms));"
SPIN = """
const spin = async (ms) => {
    for (const end = performance.now() + ms; performance.now() < end; )
        await new Promise((done) => {
            const one = new MessageChannel();
            one.port1.onmessage = done;
            one.port2.postMessage(0);
        });
};
"""


def ready(visit: Visit, **fields: object) -> Tab:
    made, tab = visit.create(**WORDS | fields), visit.open("/")
    tab.start(**visit.options(made, gather=3600))
    tab.flush()
    return tab


def test_an_event_right_after_opting_out_is_not_reported_even_after_opting_in(visit: Visit) -> None:
    tab = ready(visit)
    steps = (
        "const out = hot.optOut(); hot.report('tea'); await out; await soon(200); await hot.optIn(); await soon(300);"
    )
    assert tab.awaited(f"(async () => {{ {SOON} {steps} return (await hot.explain()).reports }})()") == 0
    assert tab.explain()["waiting"] == 0


def test_a_queue_that_is_just_being_read_is_not_sent(visit: Visit) -> None:
    """The reporter reads the list of uploads, then the visitor opts out, then the list is there."""
    tab = ready(visit)
    tab.awaited(f"(async () => {{ {SOON} for (let n = 0; n < 20; n++) {{ hot.report('tea'); await soon(15); }} }})()")
    assert len(tab.explain()["uploads"]) > 10
    tab.here().execute_script("""
        const read = IDBObjectStore.prototype.getAll;
        window.out = new Promise((done) => {
            IDBObjectStore.prototype.getAll = function (range) {
                IDBObjectStore.prototype.getAll = read;
                queueMicrotask(() => done(hot.optOut()));
                return read.call(this, range);
            };
        });
        hot.flush();
    """)
    tab.awaited("out.then(() => 0)")
    left = len(visit.recorder.uploads)
    time.sleep(0.7)
    assert len(visit.recorder.uploads) == left < 10


@pytest.mark.parametrize("delay", [1, 2, 3, 5])
def test_what_is_just_being_drawn_does_not_leave_when_the_page_is_hidden(visit: Visit, delay: float) -> None:
    tab = ready(visit, one_answer=True, keys="day")
    tab.awaited(f"(async () => {{ {SPIN} hot.report('tea'); await spin({delay}); await hot.optOut(); }})()")
    tab.here().get("about:blank")
    time.sleep(0.4)
    assert visit.recorder.uploads == []


@pytest.mark.parametrize("delay", [0, 1, 2, 4])
def test_a_round_that_is_under_way_asks_for_nothing_more_and_keeps_nothing(visit: Visit, delay: float) -> None:
    tab = ready(visit)
    tab.awaited(f"(async () => {{ {SPIN} hot.flush(); await spin({delay}); await hot.optOut(); }})()")
    asked = len(visit.recorder.asked)
    time.sleep(0.5)
    assert len(visit.recorder.asked) == asked
    assert tab.explain()["task"] is None


def test_opting_in_again_is_not_undone_by_a_tab_that_hears_of_it_late(visit: Visit) -> None:
    made = visit.create(**WORDS)
    busy, tab = visit.open("/"), visit.open("/")
    for one in (busy, tab):
        one.start(**visit.options(made))
        one.flush()
    script = "setTimeout(() => { for (const end = performance.now() + 1200; performance.now() < end; ); }, 100)"
    busy.here().execute_script(script)
    steps = "await soon(200); await hot.optOut(); await hot.optIn(); await soon(2000);"
    assert tab.awaited(f"(async () => {{ {SOON} {steps} return (await hot.explain()).state }})()") == "ready"
