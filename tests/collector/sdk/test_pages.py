"""Example page, panel and playground in a real browser, against a real collector."""

import json
import re
from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest
from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from hgldp.schemes.registry import scheme_of
from hgldp.wire.upload import Upload
from tests.collector.browser import (
    browser,
    complaints,
    emulate,
    is_wider_than_the_screen,
    require_browser,
    serious,
    until,
)
from tests.collector.live_service import Made, Service, live_service

require_browser()

WORDS = ["coffee", "green tea", "mate", "juice"]
DRINKS = {"name": "Drinks", "scheme": "pfr", "epsilon": 1.0, "k": 2, "domain": {"words": WORDS}, "level": "event"}
IN_PANEL = "document.querySelector('hgldp-privacy-panel').shadowRoot"
A_REPORT = bytes([104, 103, 85, 1, *[7] * 16, *[9] * 32, 0, 0, 0, 1, 5, *[0] * 7])
READY = {
    "id": "a", "site": {"a": [1, 12, 1]}, "state": "ready", "reason": "", "limit": "reportsPerDay",
    "today": 1, "reports": 12, "left": 99, "nextReport": 0, "waiting": 0,
    "task": {"epsilon": "1", "level": "event", "events": 1},
}  # fmt: skip


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    with live_service(tmp_path_factory.mktemp("data") / "folder") as running:
        yield running


@pytest.fixture(scope="module")
def drinks(service: Service) -> Made:
    return service.create(**DRINKS)


@pytest.fixture(scope="module")
def browsing() -> Iterator[webdriver.Chrome]:
    with browser() as found:
        yield found


@pytest.fixture
def driver(browsing: webdriver.Chrome) -> Iterator[webdriver.Chrome]:
    emulate(browsing)
    browsing.get("about:blank")
    browsing.get_log("performance")
    yield browsing
    assert complaints(browsing) == []


def example(service: Service, made: Made, most: float = 1) -> str:
    return f"{service.url}/sdk/example#task={made.id}&key={made.key}&maxEpsilon={most}"


def text_of(driver: webdriver.Chrome, selector: str) -> str:
    return driver.find_element(By.CSS_SELECTOR, selector).text


def panel_text(driver: webdriver.Chrome, selector: str = "section") -> str:
    return str(driver.execute_script(f"return {IN_PANEL}.querySelector('{selector}').innerText"))


def requested(driver: webdriver.Chrome) -> list[str]:
    """The address of every request since the log was last read."""
    messages = [json.loads(entry["message"])["message"] for entry in driver.get_log("performance")]
    found = [each["params"]["request"]["url"] for each in messages if each["method"] == "Network.requestWillBeSent"]
    return [url for url in found if url.startswith("http")]


def show(driver: webdriver.Chrome, **over: object) -> None:
    """Make the panel show this explanation."""
    script = """
        const [found, bytes] = arguments;
        const uploads = [{second: 1.7e9, status: 200, limit: 13, bytes: new Uint8Array(bytes)}];
        const panel = document.querySelector('hgldp-privacy-panel');
        globalThis.hgldpReporters = new Set([{explain: async () => ({uploads, ...found}), optOut() {}, optIn() {}}]);
        return panel.refresh()"""
    driver.execute_script(script, {**READY, **over}, list(A_REPORT))


def press(driver: webdriver.Chrome, *keys: str) -> None:
    for key in keys:
        driver.switch_to.active_element.send_keys(key)


def focused(driver: webdriver.Chrome) -> str:
    """What has the focus, in the panel too: the id or the text."""
    script = "let at = document.activeElement; if (at.shadowRoot) at = at.shadowRoot.activeElement;"
    return str(driver.execute_script(f"{script} return at.id || at.value || at.textContent"))


def tab_to(driver: webdriver.Chrome, wanted: str) -> None:
    for _ in range(40):
        if focused(driver) == wanted:
            return
        press(driver, Keys.TAB)
    pytest.fail(f"no way to {wanted} with the Tab key")


def test_a_press_leaves_as_random_bytes_that_the_page_shows(
    driver: webdriver.Chrome, service: Service, drinks: Made
) -> None:
    view = service.collector.view(bytes.fromhex(drinks.id))
    before = view.reports
    driver.get(example(service, drinks))
    until(driver, lambda now: len(now.find_elements(By.CSS_SELECTOR, "#buttons button")) == 4, "the drinks")
    assert "Every press is one report" in text_of(driver, "#effect")
    driver.execute_script("document.body.focus()")
    tab_to(driver, "mate")
    press(driver, Keys.ENTER)
    assert text_of(driver, "#outcome") == "Taken. Presses so far: 1."
    tab_to(driver, "item")
    press(driver, *"something rare", Keys.ENTER)
    assert "as “other”" in text_of(driver, "#outcome")
    press(driver, Keys.TAB, Keys.TAB)
    until(driver, lambda now: "64 bytes, accepted" in text_of(now, "#last"), "what left")
    until(driver, lambda now: "2 reports" in panel_text(now, "dl"), "the panel")
    task = bytes.fromhex(drinks.id)
    until(driver, lambda _: service.collector.view(task).reports == before + 2, "both at the collector")
    urls = requested(driver)
    assert {urlsplit(url).netloc for url in urls} == {urlsplit(service.url).netloc}
    assert any(url.endswith("/sdk/example") for url in urls), "without the fragment"
    assert not any(part in url for url in urls for part in ("mate", "rare", "?"))
    assert sum(drinks.key in url for url in urls) == sum("/v1/in/" in url for url in urls)


def test_a_task_that_names_a_list_is_served_by_the_script_that_knows_lists(
    driver: webdriver.Chrome, service: Service
) -> None:
    """The page finds out for itself, loads the other script with its hash, and reports with that."""
    made = service.create(**DRINKS | {"domain": {"strings": 20}, "hints": WORDS})
    driver.get(example(service, made))
    until(driver, lambda now: now.find_element(By.ID, "typed").is_displayed(), "the field")
    for item in ("mate", "something rare"):
        driver.find_element(By.ID, "item").send_keys(item, Keys.ENTER)
    assert text_of(driver, "#outcome") == "Taken. Presses so far: 2."
    task = bytes.fromhex(made.id)
    until(driver, lambda _: service.collector.view(task).reports == 2, "both at the collector")
    scripts = [url.rpartition("/")[2] for url in requested(driver) if url.endswith(".js")]
    assert scripts == ["hgldp-all.js", "panel.js", "example.js", "hgldp-hints.js"]
    assert driver.execute_script("return [...document.scripts].at(-1).integrity").startswith("sha384-")


def test_what_the_panel_shows_is_exactly_what_left(driver: webdriver.Chrome, service: Service) -> None:
    """Every body that the page handed to the network, against the bytes and numbers in the panel."""
    made = service.create(**DRINKS | {"name": "Shown", "epoch": 2_001})
    driver.execute_cdp_cmd("Storage.clearDataForOrigin", {"origin": service.url, "storageTypes": "all"})
    driver.get(example(service, made))
    until(driver, lambda now: len(now.find_elements(By.CSS_SELECTOR, "#buttons button")) == 4, "the drinks")
    driver.execute_script(
        "const real = fetch; window.left = []; window.fetch = (url, how) => {"
        "if (how?.body) left.push(Array.from(how.body, each => each.toString(16).padStart(2, '0')).join(''));"
        "return real(url, how); }"
    )
    for button in driver.find_elements(By.CSS_SELECTOR, "#buttons button"):
        button.click()
    listed = f"return [...{IN_PANEL}.querySelectorAll('li')].map(each => each.textContent)"

    def accepted(now: webdriver.Chrome) -> bool:
        rows = now.execute_script(listed)
        return bool(rows) and "4 reports" in panel_text(now, "dl") and all("accepted" in row for row in rows)

    until(driver, accepted, "all are in the panel")
    rows, left = driver.execute_script(listed), driver.execute_script("return left")
    shown = [re.search(r"64 bytes left:([0-9a-f ]+)", row)[1].replace(" ", "") for row in rows]
    assert sorted(shown) == sorted(set(left))
    view = service.collector.view(bytes.fromhex(made.id))
    limit = scheme_of(view.task).symbol_limit(view.bulletin)
    sent = [Upload.decode(bytes.fromhex(data)).symbols(limit) for data in shown]
    for row, symbols in zip(rows, sent, strict=True):
        told = re.search(r"the numbers?([0-9, ]+)These", row)[1]
        assert [int(each) for each in told.split(",")] == symbols
    assert sum(map(len, sent)) == 4


def test_the_form_starts_it_too(driver: webdriver.Chrome, service: Service, drinks: Made) -> None:
    driver.get(f"{service.url}/sdk/example")
    assert "There is nothing here that reports." in panel_text(driver)
    driver.find_element(By.ID, "task").send_keys(drinks.id, Keys.TAB, drinks.key, Keys.TAB, Keys.TAB, Keys.ENTER)
    until(driver, lambda now: now.find_elements(By.CSS_SELECTOR, "#buttons button"), "the drinks")
    assert drinks.key in driver.current_url.partition("#")[2]
    assert drinks.key not in driver.current_url.partition("#")[0]
    assert not any("?" in url for url in requested(driver))


def test_a_task_of_one_report_a_day_says_so_and_sends_nothing_yet(driver: webdriver.Chrome, service: Service) -> None:
    made = service.create(**DRINKS | {"level": "period", "name": "Daily"})
    driver.get(example(service, made))
    until(driver, lambda now: now.find_elements(By.CSS_SELECTOR, "#buttons button"), "the drinks")
    driver.find_element(By.CSS_SELECTOR, "#buttons button").click()
    assert "one report a day" in text_of(driver, "#effect")
    until(driver, lambda now: "covers the whole day" in panel_text(now, ".meaning"), "the panel")
    driver.find_element(By.ID, "send").click()
    assert text_of(driver, "#last") == "No upload has been made yet."


def test_a_task_of_one_answer_an_hour_says_what_becomes_of_further_presses(
    driver: webdriver.Chrome, service: Service
) -> None:
    made = service.create(**DRINKS | {"name": "Once", "one_answer": True, "epoch_seconds": 3600})
    driver.execute_cdp_cmd("Storage.clearDataForOrigin", {"origin": service.url, "storageTypes": "all"})
    driver.get(example(service, made))
    until(driver, lambda now: len(now.find_elements(By.CSS_SELECTOR, "#buttons button")) == 4, "the drinks")
    assert text_of(driver, "#effect") == "At most one press every hour is reported; the others are dropped."
    for button in driver.find_elements(By.CSS_SELECTOR, "#buttons button"):
        button.click()
    assert text_of(driver, "#outcome") == "Taken. Presses so far: 4; at most one every hour is reported."
    until(driver, lambda now: "1 report" in panel_text(now, "dl"), "the panel")
    left = r"Left\s+99 reports\s+this page's limit for 24 hours; at most one every hour, the next one after \S"
    assert re.search(left, panel_text(driver, "dl"))


def test_the_switch_stops_everything_and_starts_it_again_by_keyboard(
    driver: webdriver.Chrome, service: Service, drinks: Made
) -> None:
    driver.get(example(service, drinks))
    until(driver, lambda now: now.find_elements(By.CSS_SELECTOR, "#buttons button"), "the drinks")
    checked = f"return {IN_PANEL}.querySelector('[role=switch]').ariaChecked"
    until(driver, lambda now: panel_text(now, ".state").startswith("On."), "the panel")
    assert driver.execute_script(checked) == "true"
    tab_to(driver, "Take part")
    press(driver, Keys.SPACE)
    until(driver, lambda now: panel_text(now, ".state").startswith("Off. You stopped it"), "stopped")
    assert driver.execute_script(checked) == "false"
    driver.find_element(By.CSS_SELECTOR, "#buttons button").click()
    assert text_of(driver, "#outcome").startswith("Not taken: you stopped it.")
    tab_to(driver, "Take part")
    press(driver, Keys.ENTER)
    until(driver, lambda now: panel_text(now, ".state").startswith("On."), "on again")


def test_every_upload_opens_by_keyboard_with_its_number_and_its_bytes(
    driver: webdriver.Chrome, service: Service
) -> None:
    driver.get(f"{service.url}/sdk/example")
    show(driver)
    driver.execute_script(f"{IN_PANEL}.querySelector('summary').focus()")
    press(driver, Keys.ENTER)
    shown = panel_text(driver, "li")
    assert "1 report · accepted" in shown
    assert re.search(r"The random answer is the number\s+5\s", shown)
    assert A_REPORT.hex() in re.sub(r"\s", "", shown)
    show(driver, site={"a": [3, 12, 1]})
    assert driver.execute_script(f"return {IN_PANEL}.querySelector('details').open"), "it stays open"
    assert panel_text(driver, "dl").split("\n")[:2] == ["Last 24 hours", "3 reports"]


def test_the_panel_finds_all_reporters_of_the_page_and_names_each_task_once(
    driver: webdriver.Chrome, service: Service
) -> None:
    driver.get(f"{service.url}/sdk/example")
    other = READY | {"id": "b", "site": {"a": [1, 12, 1], "b": [2, 3, 1]}}
    script = "globalThis.hgldpReporters = given.map((one) => ({explain: async () => ({...one, uploads: []})}))"
    driver.execute_script(f"const given = [...arguments]; {script}", READY, READY, other)
    until(driver, lambda now: panel_text(now, ".state").startswith("On."), "the panel")
    assert "ε = 2 = 1 + 1, for 2 questions" in panel_text(driver, ".meaning")
    assert "15 reports" in panel_text(driver, "dl")


SENTENCES = {
    "starting": "Starting.", "stale": "Waiting.", "suspended": "Suspended.", "spent": "Resting.",
    "opted out": "Off. You", "gpc": "Off. Your browser", "refused": "Off. The collector",
    "no storage": "Off. This page", "closed": "Ended.",
}  # fmt: skip


def test_every_state_is_one_sentence(driver: webdriver.Chrome, service: Service) -> None:
    driver.get(f"{service.url}/sdk/example")
    for state, sentence in SENTENCES.items():
        show(driver, state=state)
        assert panel_text(driver, ".state").startswith(sentence), state
        disabled = driver.execute_script(f"return {IN_PANEL}.querySelector('[role=switch]').disabled")
        assert disabled == (state in ("gpc", "refused", "no storage", "closed")), state


MEANINGS: list[tuple[dict[str, object], str]] = [
    ({}, "each report by itself"),
    ({"one_answer": True, "keys": "week"}, "A round lasts at least a week"),
    ({"one_answer": True, "epoch_seconds": 3600}, "and at most one every hour"),
    ({"level": "period", "period": "month"}, "covers the whole month"),
    ({"level": "window", "events": 5}, "any 5 things that you do in a row"),
    ({"level": "window", "events": 5, "division": "population"}, "one is reported, drawn by lot"),
    ({"level": "user", "events": 3}, "At most 3 reports are ever sent"),
    ({"level": "user", "events": 3, "division": "population"}, "all that you ever do here"),
    ({"epsilon": "1/2"}, "at most 1.65 times surer"),
    ({"epsilon": "2"}, "at most 7.39 times surer"),
]


def test_the_meaning_follows_the_level_and_epsilon(driver: webdriver.Chrome, service: Service) -> None:
    driver.get(f"{service.url}/sdk/example")
    for task, said in MEANINGS:
        show(driver, task=READY["task"] | task)
        assert said in panel_text(driver, ".meaning"), task


def test_nothing_that_a_task_says_becomes_markup(driver: webdriver.Chrome, service: Service) -> None:
    driver.get(f"{service.url}/sdk/example")
    evil = "<img src=x onerror=\"document.title='owned'\">"
    show(driver, state=evil, limit=evil, task=READY["task"] | {"level": "period", "period": evil})
    assert panel_text(driver).count("onerror") >= 3
    assert not driver.execute_script(f"return {IN_PANEL}.querySelector('img')")
    assert driver.title == "A page that reports · HG-LDP"


def test_the_playground_works_by_keyboard(driver: webdriver.Chrome, service: Service) -> None:
    driver.get(f"{service.url}/sdk/playground")
    assert "all 11 drinks are equally likely" in text_of(driver, "#conclusion")
    driver.execute_script("document.querySelector('[name=drink]:checked').focus()")
    press(driver, Keys.ARROW_RIGHT)
    assert text_of(driver, "#about-cell") == "Your drink, water, has cell 2."
    press(driver, Keys.TAB, Keys.ARROW_RIGHT)
    assert text_of(driver, "#about-epsilon").startswith("Nobody can become more than 7.39")
    tab_to(driver, "report")
    press(driver, Keys.ENTER)
    assert re.fullmatch(r"([0-9a-f]{2} ?){8,}", text_of(driver, "#bytes"))
    drawn = text_of(driver, "#tiles .drawn strong")
    assert f"The answer is {drawn}, which" in text_of(driver, "#about-draw")
    chances = [float(each.text.removesuffix(" %")) for each in driver.find_elements(By.CSS_SELECTOR, "#odds td + td")]
    assert sum(chances) == pytest.approx(100, abs=0.5)
    assert max(chances) / min(chances) <= 7.4 * 1.01
    press(driver, Keys.ENTER)
    assert "2 reports of one person" in text_of(driver, "#conclusion")
    tab_to(driver, "again")
    press(driver, Keys.SPACE)
    assert focused(driver) == "report"
    assert not driver.find_element(By.ID, "random").is_displayed()
    tab_to(driver, "1,000 people report")
    press(driver, Keys.ENTER)
    until(driver, lambda now: "1,000 people reported" in text_of(now, "#about-crowd"), "the crowd")
    truth = [int(each.text.replace(",", "")) for each in driver.find_elements(By.CSS_SELECTOR, "#crowd td:last-child")]
    assert (len(truth), sum(truth)) == (9, 1_000)
    assert {urlsplit(url).netloc for url in requested(driver)} == {urlsplit(service.url).netloc}


def opened(driver: webdriver.Chrome, service: Service, drinks: Made) -> Iterator[str]:
    """Every page in the state that has the most on it."""
    driver.get(f"{service.url}/sdk/example")
    yield "form"
    driver.get(example(service, drinks))
    until(driver, lambda now: now.find_elements(By.CSS_SELECTOR, "#buttons button"), "the drinks")
    show(driver)
    driver.execute_script(f"{IN_PANEL}.querySelectorAll('details').forEach(each => each.open = true)")
    yield "example"
    driver.get(f"{service.url}/sdk/playground")
    driver.find_element(By.ID, "report").click()
    driver.execute_script("document.querySelector('[data-people]').click()")
    until(driver, lambda now: "1,000 people reported" in text_of(now, "#about-crowd"), "the crowd")
    yield "playground"


@pytest.mark.parametrize(("width", "dark"), [(1280, False), (390, True)])
def test_axe_has_nothing_serious_to_say_and_nothing_is_wider_than_the_screen(
    driver: webdriver.Chrome, service: Service, drinks: Made, width: int, *, dark: bool
) -> None:
    for name in opened(driver, service, drinks):
        emulate(driver, width=width, dark=dark, calm=True)
        assert serious(driver) == [], name
        for narrow in (width, 320):
            emulate(driver, width=narrow, dark=dark, calm=True)
            assert not is_wider_than_the_screen(driver), (name, narrow)


def test_planted_faults_are_found(driver: webdriver.Chrome, service: Service) -> None:
    """A field and a switch without a name, and an inline script that the policy refuses."""
    driver.get(f"{service.url}/sdk/example")
    driver.execute_script("document.querySelector('label[for=task]').remove(); task.removeAttribute('title')")
    driver.execute_script(f"{IN_PANEL}.querySelector('[role=switch]').textContent = ''")
    found = {each.partition(":")[0] for each in serious(driver)}
    assert "label" in found
    assert found & {"aria-toggle-field-name", "button-name"}
    script = "const s = document.createElement('script'); s.textContent = 'window.ran = 1'; document.body.append(s)"
    driver.execute_script(script)
    assert driver.execute_script("return window.ran") is None
    until(driver, lambda now: "Content Security Policy" in " ".join(complaints(now)), "the console names the policy")
