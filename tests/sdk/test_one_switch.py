"""Several tasks of one site: who opts out of one is silent for all, in all tabs, and what they spend is added up."""

import time
from typing import Any

import pytest

from tests.collector.browser import require_browser
from tests.collector.live_service import Made
from tests.sdk.visit import DRINKS, Tab, Visit

require_browser()

DAY = 86_400
WORDS = DRINKS | {"epoch": 40}
SECOND = "window.warm = new hgldp.Reporter(arguments[0]); return warm.flush()"


def two_tasks(visit: Visit, **fields: Any) -> tuple[Made, Made]:
    """Drinks at the level event with ε = 2, and others with these fields."""
    return visit.create(**WORDS), visit.create(**WORDS | {"epsilon": 1.0} | fields)


def opened(visit: Visit, hot: Made, warm: Made | None, **more: Any) -> Tab:
    """A page that asks the first question, or both."""
    tab = visit.open("/")
    tab.start(**visit.options(hot, **more))
    tab.flush()
    if warm:
        tab.here().execute_script(SECOND, visit.options(warm, **more))
    return tab


def soon(tab: Tab, number: str) -> Any:
    """What the second reporter explains, once all that it was handed is drawn."""
    rest = "new Promise((done) => setTimeout(done, 300))"
    return tab.awaited(f"{rest}.then(() => warm.explain()).then((found) => found.{number})")


def outcome(tab: Tab) -> str:
    return str(tab.here().execute_script("return warm.report('tea')"))


def reports(tab: Tab) -> int:
    """What the ledger of the second task says now."""
    return int(tab.awaited("warm.flush().then(() => warm.explain()).then(({ reports }) => reports)"))


def test_opting_out_of_one_task_stops_all_in_every_tab_and_after_reloads(visit: Visit) -> None:
    hot, warm = two_tasks(visit)
    tabs = [opened(visit, hot, warm) for _ in range(2)]
    assert {outcome(tab) for tab in tabs} == {"taken"}
    assert reports(tabs[0]) == 2
    tabs[0].opt_out()
    left = len(visit.recorder.asked)
    assert (
        tabs[0].awaited(
            "new Promise((done) => setTimeout(done, 300)).then(() => warm.explain()).then(({ state }) => state)"
        )
        == "opted out"
    )
    assert {outcome(tab) for tab in tabs} == {"opted out"}
    tabs[1].here().refresh()
    tabs[1].here().execute_script(SECOND, visit.options(warm))
    time.sleep(0.5)
    assert outcome(tabs[1]) == "opted out"
    assert len(visit.recorder.asked) == left
    tabs[1].awaited("warm.optIn()")
    time.sleep(0.3)
    assert tabs[0].report("tea") == ["taken"]
    assert reports(tabs[0]) == 2


def test_an_event_that_is_handed_to_another_task_while_one_opts_out_is_not_reported(visit: Visit) -> None:
    hot, warm = two_tasks(visit)
    tab = opened(visit, hot, warm, gather=3600)
    steps = "hot.report('tea'); warm.report('tea'); const out = hot.optOut(); warm.report('tea'); await out;"
    tab.awaited(f"(async () => {{ {steps} warm.report('tea') }})()")
    assert soon(tab, "waiting") == 0
    tab.opt_in()
    tab.awaited("hot.flush().then(() => warm.flush())")
    assert visit.recorder.uploads == []


def test_what_waits_for_a_task_of_another_page_is_deleted_too(visit: Visit) -> None:
    hot, warm = two_tasks(visit)
    tab = opened(visit, hot, warm, gather=3600)
    assert outcome(tab) == "taken"
    assert (
        tab.awaited(
            "new Promise((done) => setTimeout(done, 300)).then(() => warm.explain()).then(({ reports }) => reports)"
        )
        == 1
    )
    tab.here().execute_script("warm.close()")
    tab.opt_out()
    assert tab.kept() == ["site"]
    tab.opt_in()
    tab.here().execute_script(SECOND, visit.options(warm))
    assert (reports(tab), visit.recorder.uploads) == (1, [])


def test_the_drawn_event_of_another_tasks_period_is_deleted_too(visit: Visit) -> None:
    hot, warm = two_tasks(visit, level="period")
    tab = opened(visit, hot, warm)
    assert outcome(tab) == "taken"
    assert soon(tab, "waiting") == 0
    tab.here().execute_script("warm.close()")
    tab.opt_out()
    tab.opt_in()
    tab.later(2 * DAY)
    tab.here().execute_script(SECOND, visit.options(warm))
    assert reports(tab) == 0


@pytest.mark.parametrize("second", [True, False])
def test_a_reporter_knows_what_all_tasks_of_the_site_have_spent(visit: Visit, second: bool) -> None:
    """Those of other pages too, and with what each of their reports costs: ε of an event, or its part of a window's."""
    hot, warm = two_tasks(visit, level="window", events=4, division="budget")
    tab = opened(visit, hot, warm)
    assert outcome(tab) == "taken"
    assert reports(tab) == 1
    tab.report("tea", "milk")
    tab.here().execute_script("warm.close()")
    if second:
        tab.here().refresh()
        tab.start(**visit.options(hot))
    assert tab.until_sent()["site"] == {hot.id: [2, 2, 2], warm.id: [1, 1, 0.25]}


def test_a_task_that_is_refused_forgets_its_own_and_stops_no_other(visit: Visit) -> None:
    hot, warm = two_tasks(visit)
    tab = opened(visit, hot, warm, gather=3600)
    tab.report("tea")
    assert soon(tab, "waiting") == 0
    tab.here().execute_script("warm.close()")
    tab.here().execute_script(SECOND, visit.options(warm, maxEpsilon=0.5))
    assert soon(tab, "state") == "refused"
    assert tab.until_sent()["reports"] == visit.counted(hot) == 1
