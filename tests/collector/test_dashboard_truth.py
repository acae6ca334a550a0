"""What an open page says when things go wrong, or nothing happens: only what is true."""

import re
import time
from dataclasses import replace

from selenium.webdriver.common.by import By

from hgldp.collector.dashboard.live import Live
from hgldp.collector.dashboard.live.places import StreamPlaces
from hgldp.collector.problems import Problem, Refused
from hgldp.collector.views import TaskTerms
from tests.collector.browser import complaints, emulate, require_browser, until
from tests.collector.fake_collector import FakeCollector, served
from tests.collector.test_dashboard import WORDS, Pages, collector, driver, items, pages, text_of

require_browser()

__all__ = ["collector", "driver", "pages"]

CHOOSE = (
    "const s = document.querySelector('#epoch'); s.value = %s; s.dispatchEvent(new Event('input', {bubbles: true}))"
)
WRONG_CLOCK = "const right = Date.now; Date.now = () => right() + 3600 * 1000;"


def test_an_age_is_right_though_nothing_changes_and_the_clock_is_wrong(pages: Pages, collector: FakeCollector) -> None:
    """The clock of this device is an hour ahead; the last report is seconds old, and grows older."""
    added = pages.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": WRONG_CLOCK})
    try:
        driver = pages.live(WORDS)
        collector.put(replace(WORDS, reports=9001))
        until(driver, lambda now: "9,001" in text_of(now, ".figures"), "the last report")
        until(driver, lambda now: re.search(r"last one \d+ sec. ago", text_of(now, ".figures")), "its age")
    finally:
        pages.driver.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", added)


def test_an_idle_task_has_no_reports_per_second(pages: Pages) -> None:
    driver = pages.live(WORDS)
    until(driver, lambda now: text_of(now, ".figure:nth-child(2) .big") == "0", "the rate of the task")
    pages.live()
    until(driver, lambda now: "· 0 per second" in text_of(now, ".card .note:last-child"), "the rate on its card")


def test_an_age_grows_though_no_word_comes_from_the_server(driver: object, collector: FakeCollector) -> None:
    """While words come, each brings the ages up to date; the page must do it by itself too."""
    emulate(driver)
    with served(collector) as port:
        Pages(driver, port).live(WORDS)
        collector.put(replace(WORDS, reports=9001))
        until(driver, lambda now: "9,001" in text_of(now, ".figures"), "the last report")
    until(driver, lambda now: text_of(now, "[data-status]") == "Not live", "the status")

    def age(now: object) -> int:
        return int((re.search(r"last one (\d+) sec. ago", text_of(now, ".figures")) or [0, 0])[1])

    before = age(driver)
    until(driver, lambda now: age(now) >= before + 3, "a greater age")
    driver.get("about:blank")


def test_a_page_that_is_not_live_says_since_when(driver: object, collector: FakeCollector) -> None:
    emulate(driver)
    with served(collector) as port:
        Pages(driver, port).live(WORDS)
    until(driver, lambda now: text_of(now, "[data-status]") == "Not live", "the status")
    assert "This page has not been live since" in text_of(driver, "[data-banner]")
    shown = text_of(driver, "[data-since]")
    time.sleep(2)
    assert text_of(driver, "[data-since]") == shown, "the time when it was live, not the time of the last try"
    assert driver.execute_script("return document.querySelectorAll('body[data-stale]').length") == 1
    driver.get("about:blank")
    complaints(driver)  # of tries that failed, also the last one: none is left for the next test


def test_a_page_without_a_place_says_so_and_gets_one_later(driver: object, collector: FakeCollector) -> None:
    emulate(driver)
    live = Live(collector)
    live.places = StreamPlaces(0, 0)
    with served(collector, live=live) as port:
        pages = Pages(driver, port)
        pages.open(WORDS)
        until(driver, lambda now: "Too many people are watching" in text_of(now, "[data-banner]"), "the reason")
        assert items(driver), "the page is there, only not live"
        live.places = StreamPlaces()
        driver.find_element(By.CSS_SELECTOR, "[data-again]").click()
        until(driver, lambda now: text_of(now, "[data-status]") == "Live", "a place")
        assert not driver.find_element(By.CSS_SELECTOR, "[data-banner]").is_displayed()
        assert all("503" in message for message in complaints(driver))
        driver.get("about:blank")


def test_a_task_that_is_deleted_is_said_to_be_gone(pages: Pages, collector: FakeCollector) -> None:
    driver = pages.live(WORDS)
    del collector.views[WORDS.id]
    collector.put(next(iter(collector.views.values())))
    until(driver, lambda now: "This task is gone" in text_of(now, "[data-banner]"), "the reason")
    assert not driver.find_element(By.CSS_SELECTOR, "[data-again]").is_displayed(), "no use to try again"
    assert "Next try" not in text_of(driver, "[data-banner]")
    driver = pages.live()
    assert WORDS.id.hex() not in driver.page_source


def test_a_task_that_is_renamed_has_its_new_name_everywhere(pages: Pages, collector: FakeCollector) -> None:
    driver = pages.live(WORDS)
    collector.put(replace(WORDS, terms=TaskTerms("Drinks of the week", "public")))
    until(driver, lambda now: text_of(now, "h1") == "Drinks of the week", "the heading")
    assert driver.title == "Drinks of the week · HG-LDP"
    pages.live()
    collector.put(replace(WORDS, terms=TaskTerms("Drinks of the year", "public")))
    until(driver, lambda now: "Drinks of the year" in text_of(now, ".cards"), "the card")


def test_an_epoch_that_cannot_be_had_now_is_said_to_be_so(pages: Pages, collector: FakeCollector) -> None:
    driver = pages.live(WORDS)
    real = collector.history

    def busy(*_: object) -> None:
        raise Refused(Problem.TOO_MANY_QUESTIONS, retry_after=2)

    collector.history = busy
    driver.execute_script(CHOOSE % 1)
    until(driver, lambda now: "Epoch 1 cannot be had now" in text_of(now, "#epoch-shown"), "the reason")
    assert items(driver) == ["coffee", "green tea", "mate"]
    assert all("503" in message for message in complaints(driver))
    collector.history = real
    driver.execute_script(CHOOSE % 1)
    until(driver, lambda now: items(now) == ["green tea", "mate"], "the epoch")


def test_back_from_the_past_the_present_is_there(pages: Pages, collector: FakeCollector) -> None:
    """The page came with a past epoch in it: the stream must bring what it lacks."""
    driver = pages.live(WORDS, "?epoch=1")
    until(driver, lambda now: now.execute_script("return performance.getEntriesByType('resource').length > 3"), "all")
    time.sleep(1)
    driver.execute_script(CHOOSE % "s.max")
    until(driver, lambda now: items(now) == ["coffee", "green tea", "mate"], "the present")
    assert "Now" in text_of(driver, "#epoch-shown")


def test_a_task_that_comes_while_one_looks_gets_its_card(pages: Pages, collector: FakeCollector) -> None:
    del collector.views[WORDS.id]
    driver = pages.live()
    before = len(driver.find_elements(By.CSS_SELECTOR, ".card"))
    collector.put(replace(WORDS, created=WORDS.created + 5))
    until(driver, lambda now: len(now.find_elements(By.CSS_SELECTOR, ".card")) == before + 1, "the card")
    until(driver, lambda now: "coffee" in text_of(now, ".card"), "what is in it")
