"""A page that stays open for long rests when it has nothing to do, keeps what waits, and outlives what visitors do."""

import time

import pytest

from tests.collector.browser import require_browser
from tests.patience import until
from tests.sdk.recorder import Answered
from tests.sdk.visit import DRINKS, Tab, Visit

require_browser()

WORDS = DRINKS | {"epoch": 4000}
COUNT_TRANSACTIONS = """
    const begin = IDBDatabase.prototype.transaction;
    window.begun = 0;
    IDBDatabase.prototype.transaction = function (...how) { window.begun++; return begin.apply(this, how); };
"""


def started(visit: Visit, gather: float = 60, **fields: object) -> Tab:
    made, tab = visit.create(**WORDS | fields), visit.open("/")
    tab.here().execute_script(COUNT_TRANSACTIONS)
    tab.start(**visit.options(made, gather=gather, reportsPerDay=10_000))
    tab.flush()
    return tab


def begun_while(tab: Tab, seconds: float) -> int:
    """How many transactions a page begins by itself."""
    before = tab.here().execute_script("return begun")
    time.sleep(seconds)
    return int(tab.here().execute_script("return begun")) - int(before)


def test_a_page_whose_visitor_opted_out_rests(visit: Visit) -> None:
    tab = started(visit)
    tab.opt_out()
    assert begun_while(tab, 2) <= 2


def test_a_page_without_locks_rests_and_says_so(visit: Visit) -> None:
    made, tab = visit.create(**WORDS), visit.open("/")
    tab.here().execute_script(COUNT_TRANSACTIONS + "Object.defineProperty(navigator, 'locks', {value: undefined})")
    tab.start(**visit.options(made))
    assert begun_while(tab, 2) <= 2
    assert tab.report("tea") == ["no storage"]
    assert tab.explain()["state"] == "no storage"


def test_a_tick_that_is_no_number_wakes_nobody(visit: Visit) -> None:
    made, tab = visit.create(**WORDS), visit.open("/")
    tab.here().execute_script(COUNT_TRANSACTIONS)
    tab.start(**visit.options(made, gather="often"))
    tab.flush()
    assert begun_while(tab, 2) <= 20


def test_a_limit_that_is_no_number_allows_nothing(visit: Visit) -> None:
    made, tab = visit.create(**WORDS), visit.open("/")
    tab.start(**visit.options(made, maxTotalEpsilon="two"))
    tab.report("tea")
    tab.flush()
    assert (tab.explain()["reports"], visit.recorder.uploads) == (0, [])


def test_other_tabs_hear_of_opting_in(visit: Visit) -> None:
    made = visit.create(**WORDS)
    tabs = [visit.open("/"), visit.open("/")]
    for tab in tabs:
        tab.start(**visit.options(made, gather=60))
        tab.flush()
    tabs[0].opt_out()
    until(lambda: tabs[1].explain()["state"] == "opted out")
    assert tabs[1].report("tea") == ["opted out"]
    tabs[0].opt_in()
    until(lambda: tabs[1].report("tea") == ["taken"])


def test_opting_in_where_nobody_opted_out_loses_no_event_of_another_tab(visit: Visit) -> None:
    """As a page does whose banner calls it on every visit."""
    made = visit.create(**WORDS)
    tabs = [visit.open("/"), visit.open("/")]
    visit.recorder.meddle = lambda asked, really: None if asked.path.endswith("/document") else really()
    for tab in tabs:
        tab.start(**visit.options(made, gather=60))
    assert tabs[1].report("tea", "milk") == ["taken", "taken"]
    tabs[0].awaited("hot.optIn()")
    time.sleep(0.3)
    assert tabs[1].explain()["waiting"] == 2
    visit.recorder.meddle = None
    tabs[1].later(400)
    assert tabs[1].until_sent()["reports"] == 2


def test_what_fails_is_tried_less_and_less_often(visit: Visit) -> None:
    """Although the bulletin is renewed meanwhile, and with success."""
    made, tab = visit.create(**WORDS), visit.open("/")
    tab.start(**visit.options(made, gather=0.1))
    tab.flush()
    busy = Answered(500, {"access-control-allow-origin": "*"}, b"")
    visit.recorder.meddle = lambda asked, really: busy if asked.method == "POST" else really()
    begun = time.monotonic()
    tab.report("tea")
    until(lambda: len(visit.recorder.uploads) >= 4)
    assert time.monotonic() - begun >= 0.5 * (1 + 2 + 4), "pauses that double, and are blurred by up to a half"
    visit.recorder.meddle = None
    tab.later(400)
    tab.until_sent()


def test_clearing_the_sites_data_ends_the_page_and_the_next_one_starts_anew(visit: Visit) -> None:
    made, tab = visit.create(**WORDS), visit.open("/")
    tab.here().execute_script(COUNT_TRANSACTIONS)
    tab.start(**visit.options(made))
    tab.report("tea", "tea")
    assert tab.until_sent()["reports"] == 2
    tab.here().execute_cdp_cmd("Storage.clearDataForOrigin", {"origin": visit.shop, "storageTypes": "all"})
    time.sleep(0.5)
    assert begun_while(tab, 1) <= 2
    assert tab.report("tea") == ["no storage"]
    tab.here().refresh()
    tab.start(**visit.options(made))
    tab.flush()
    tab.report("tea")
    assert tab.until_sent()["reports"] == 1


@pytest.mark.parametrize("fields", [{}, {"one_answer": True, "keys": "day"}])
def test_uploads_that_wait_are_never_deleted_by_receipts_of_others(visit: Visit, fields: dict[str, object]) -> None:
    """There are more than are kept; the oldest that were sent give way, those that wait do not."""
    tab = started(visit, **fields)
    fill = """
        const [id, from, count] = arguments, request = indexedDB.open((await indexedDB.databases())[0].name);
        await new Promise((done) => (request.onsuccess = done));
        const changing = request.result.transaction('records', 'readwrite'), records = changing.objectStore('records');
        const upload = (place, status) =>
            records.put({place, second: Date.now() / 1000, status, bytes: new Uint8Array(64), limit: 13}, [id, place]);
        for (let place = from; place < from + count; place++) upload(place, 200);
        upload(1e6, 0);
        await new Promise((done) => (changing.oncomplete = done));
        request.result.close();
    """
    tab.here().execute_cdp_cmd("Network.enable", {})
    tab.offline(on=True)
    task = tab.explain()["id"]
    tab.awaited(f"(async function () {{ {fill} }})('{task}', 2e6, 150)")
    tab.flush()
    tab.flush()
    kept = tab.explain()["uploads"]
    assert sum(one["status"] == 200 for one in kept) == 100
    assert [one["place"] for one in kept if not one["status"]] == [1_000_000]
    tab.offline(on=False)


def test_a_very_long_string_is_the_rest_and_is_not_encoded_whole(visit: Visit) -> None:
    """Its spaces are not at its end. If each were taken for the first of those, that alone would take hours."""
    tab = started(visit, domain={"strings": 40}, k=5, cells=64, normalise="space and case")
    found = tab.here().execute_script("""
        const { slice } = String.prototype, whole = encodeURIComponent, found = [];
        const long = "aB".repeat(2 ** 22) + " ".repeat(2 ** 21) + "b";
        encodeURIComponent = (text) => (found.push(text.length), whole(text));
        found.push(hot.report(long));
        String.prototype.slice = function () { return `${this}`; };  // it would be noticed
        found.push(hot.report(long));
        [encodeURIComponent, String.prototype.slice] = [whole, slice];
        return found;
    """)
    assert found == [41, "other", 5 * 2**21 + 1, "other"]
    tab.report("tea")
    assert tab.until_sent()["reports"] == 3
