"""The dashboard as a browser sees it, over a collector that shows what a test tells it to."""

from collections.abc import Iterator
from dataclasses import replace

import pytest
from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from hgldp.collector.views import TaskTerms
from tests.collector.browser import (
    browser,
    complaints,
    emulate,
    is_wider_than_the_screen,
    require_browser,
    serious,
    until,
    violations,
)
from tests.collector.fake_collector import (
    ADMIN,
    READER,
    FakeCollector,
    line,
    numbers_task,
    published,
    served,
    strings_task,
    view,
)

require_browser()

DRINKS = ("coffee", "green tea", "mate")
WORDS = view(
    strings_task(), [line(word, 900.0 - 200 * rank) for rank, word in enumerate(DRINKS)], reports=9000, epoch=3
)
STRANGE = (
    "<script>document.title='owned'</script>",
    '"><img src=x onerror="document.title=1">',
    "مرحبا بالعالم",
    "👩\u200d👩\u200d👧 🏳️\u200d🌈",
    "a" * 255,
    "evil\u202etxt.exe",
    "two\nlines",
    "Z̷͙̈́a̶͇̓l̷̺̈g̸̰̃o̵͎̊",
    " ",
    "$name ${rows}",
)
ODD = view(
    strings_task(epoch=7),
    [line(word, 90_000.0 / 4**rank, 3.0) for rank, word in enumerate(STRANGE)],
    name="<b>Odd</b>",
    reports=9,
    epoch=1,
)
NUMBERS = view(numbers_task(), [line(n, 90_000 / (n + 1)) for n in range(100)], reports=2_000_000, epoch=3)
FRESH = view(numbers_task(epoch=8))
CLOSED = view(numbers_task(epoch=9), [line(1, 5.0)], reports=5, epoch=1, closed=1_700_000_000.0)
SECRET = view(strings_task(epoch=10), [line("tea", 9.0)], terms=TaskTerms("Secret", "token"), reports=10, epoch=1)
FLAT = view(
    numbers_task(epoch=11),
    [line(n, 90.0 - n, rank_low=1, rank_high=150, may_be_noise=True) for n in range(12)],
    name="Flat",
    reports=9000,
    epoch=3,
)
ALL = (WORDS, ODD, NUMBERS, FRESH, CLOSED, FLAT, SECRET)


@pytest.fixture(scope="module")
def driver() -> Iterator[webdriver.Chrome]:
    with browser() as found:
        yield found


@pytest.fixture
def collector() -> FakeCollector:
    found = FakeCollector(*ALL)
    found.epochs[WORDS.id] = [
        published(epoch, 3000 * (epoch + 1), [line(word, 100.0 * (epoch + 1)) for word in DRINKS[epoch:]])
        for epoch in range(3)
    ]
    return found


class Pages:
    """A browser on the pages of a fake collector."""

    def __init__(self, driver: webdriver.Chrome, port: int) -> None:
        self.driver, self.home = driver, f"http://127.0.0.1:{port}/"

    def open(self, found: object = None, query: str = "") -> webdriver.Chrome:
        self.driver.get(self.home + (f"tasks/{found.id.hex()}{query}" if found else ""))
        return self.driver

    def live(self, found: object = None, query: str = "") -> webdriver.Chrome:
        until(self.open(found, query), lambda now: now.find_element(By.CSS_SELECTOR, "[data-status=live]"), "live")
        return self.driver


@pytest.fixture
def pages(driver: webdriver.Chrome, collector: FakeCollector) -> Iterator[Pages]:
    emulate(driver)
    with served(collector) as port:
        yield Pages(driver, port)
        driver.delete_all_cookies()
        assert complaints(driver) == []
        driver.get("about:blank")


def text_of(driver: webdriver.Chrome, selector: str) -> str:
    return driver.find_element(By.CSS_SELECTOR, selector).text


def items(driver: webdriver.Chrome) -> list[str]:
    script = "return [...document.querySelectorAll('.ranking tbody .item')].map(each => each.textContent)"
    return driver.execute_script(script)


def test_a_page_follows_its_task_by_itself(pages: Pages, collector: FakeCollector) -> None:
    driver = pages.live(WORDS)
    assert items(driver) == list(DRINKS)
    row = driver.find_element(By.CSS_SELECTOR, ".ranking tbody tr")
    collector.put(replace(WORDS, reports=9500, top=(line("cocoa", 999.0, change=None), *WORDS.top[:2])))
    until(driver, lambda now: items(now) == ["cocoa", "coffee", "green tea"], "the newcomer")
    assert "9,500" in text_of(driver, ".figures")
    assert "new" in text_of(driver, ".ranking tbody tr .change")
    assert "coffee" in row.text, "rows move, they are not made anew"
    until(driver, lambda now: "last one" in text_of(now, ".figures"), "the age of the last report")


def test_rows_glide_unless_one_asks_for_calm(pages: Pages, collector: FakeCollector) -> None:
    """Counted in the page: how many animations of rows were ever started."""
    turned = replace(WORDS, top=tuple(reversed(WORDS.top)))
    count = "const old = Element.prototype.animate; window.moves = 0;" + (
        "Element.prototype.animate = function (...a) { window.moves += 1; return old.apply(this, a); };"
    )
    for calm in (False, True):
        emulate(pages.driver, calm=calm)
        collector.put(WORDS)
        driver = pages.live(WORDS)
        until(driver, lambda now: items(now) == list(DRINKS), "the order")
        driver.execute_script(count)
        collector.put(turned)
        until(driver, lambda now: items(now) == list(reversed(DRINKS)), "the other order")
        assert bool(driver.execute_script("return window.moves")) is not calm


def test_strange_strings_are_shown_and_never_run(pages: Pages) -> None:
    driver = pages.live(ODD)
    found = items(driver)
    for word in STRANGE[:5]:
        assert word in found
    assert "evil⟨202E⟩txt.exe" in found
    assert driver.title == "<b>Odd</b> · HG-LDP"
    assert not driver.find_elements(By.CSS_SELECTOR, "main script, main img, main b")
    rows = driver.find_elements(By.CSS_SELECTOR, ".ranking tbody tr")
    assert all(row.size["height"] < 90 for row in rows)


def test_nothing_is_wider_than_the_screen(pages: Pages) -> None:
    for found in (None, *ALL[:-1]):
        driver = pages.open(found)
        for width in (1280, 768, 390, 320):
            emulate(driver, width=width)
            assert not is_wider_than_the_screen(driver), (found, width)


@pytest.mark.parametrize("width", [1280, 320])
def test_something_wider_than_the_screen_would_be_found(pages: Pages, width: int) -> None:
    emulate(pages.driver, width=width)
    driver = pages.open(WORDS)
    driver.execute_script("document.querySelector('footer').style.width = `${screen.width + innerWidth}px`")
    assert is_wider_than_the_screen(driver)


def test_bars_share_one_scale_on_a_phone_too(pages: Pages) -> None:
    for width in (390, 1280):
        emulate(pages.driver, width=width)
        driver = pages.open(ODD)
        script = (
            "return [...document.querySelectorAll('.ranking .bar')].map(e => e.getBoundingClientRect()).map(e => %s)"
        )
        assert len(set(driver.execute_script(script % "e.x"))) == 1
        assert len(set(driver.execute_script(script % "e.width"))) == 1


@pytest.mark.parametrize("width", [390, 1280])
def test_the_status_stands_at_the_right_signed_in_or_not(pages: Pages, width: int) -> None:
    place = "const {left, right} = document.querySelector(%r).getBoundingClientRect(); return [left, right]"
    emulate(pages.driver, width=width)
    driver = pages.live()
    edge = driver.execute_script(place % "main")[1]
    assert driver.execute_script(place % ".status")[1] == edge
    driver.find_element(By.ID, "token").send_keys(ADMIN, Keys.ENTER)
    until(driver, lambda now: now.find_elements(By.CSS_SELECTOR, ".sign-out"), "signed in")
    for found in (None, WORDS):
        pages.live(found)
        left, right = driver.execute_script(place % ".sign-out")
        assert right == edge
        assert 0 < left - driver.execute_script(place % ".status")[1] < 20


@pytest.mark.parametrize("width", [390, 320])
def test_on_a_phone_an_interval_is_one_line_below_its_heading(pages: Pages, width: int) -> None:
    emulate(pages.driver, width=width)
    driver = pages.open(NUMBERS)
    places = "return [...document.querySelectorAll('.ranking %s')].map(e => e.getBoundingClientRect()).map(e => %s)"
    assert "90,098" in text_of(driver, ".ranking tbody .interval")
    assert max(driver.execute_script(places % ("tbody .interval", "e.height"))) < 25
    assert text_of(driver, ".ranking thead .interval") == "95 % interval"
    assert len(set(driver.execute_script(places % (".interval", "e.right")))) == 1
    assert driver.find_element(By.CSS_SELECTOR, ".ranking .axis").is_displayed()
    axis, *bars = driver.execute_script(places % (":is(.axis, .bar)", "[e.x, e.width]"))
    assert all(bar == axis for bar in bars)


@pytest.mark.parametrize("width", [390, 1280])
def test_a_page_without_a_clear_top_says_so_and_keeps_its_rows_in_grey(pages: Pages, width: int) -> None:
    emulate(pages.driver, width=width)
    driver = pages.open(FLAT)
    assert text_of(driver, ".unclear").startswith("No clear top: none of these items stands out from chance.")
    rows = driver.find_elements(By.CSS_SELECTOR, ".ranking tbody tr")
    assert len(rows) == 12
    grey = driver.find_element(By.CSS_SELECTOR, ".ranking tbody .item").value_of_css_property("color")
    assert {row.find_element(By.CSS_SELECTOR, ".item").value_of_css_property("color") for row in rows} == {grey}
    assert all(row.size["height"] < 74 for row in rows), "a range of ranks needs no row of its own"
    assert all("1–150" in row.find_element(By.CSS_SELECTOR, ".rank").text for row in rows)
    assert "No clear top" in text_of(pages.open(), ".cards")
    assert not pages.open(WORDS).find_elements(By.CSS_SELECTOR, ".unclear")
    assert driver.find_element(By.CSS_SELECTOR, ".ranking tbody .item").value_of_css_property("color") != grey


@pytest.mark.parametrize("width", [390, 1280])
def test_counts_since_tracked_open_on_a_phone_too_and_stay_open(
    pages: Pages, collector: FakeCollector, width: int
) -> None:
    emulate(pages.driver, width=width)
    collector.put(WORDS)
    driver = pages.live(WORDS)
    more = driver.find_element(By.CSS_SELECTOR, ".since summary")
    assert "802 … 998" not in text_of(driver, ".since")
    driver.execute_script("arguments[0].scrollIntoView({block: 'center'})", more)
    more.click()
    until(driver, lambda now: "802 … 998" in text_of(now, ".since"), "the interval of the first")
    assert not is_wider_than_the_screen(driver)
    collector.put(replace(WORDS, reports=9600, top=(line("cocoa", 999.0), *WORDS.top[:2])))
    until(driver, lambda now: "cocoa" in text_of(now, ".since"), "the newcomer")
    assert "802 … 998" in text_of(driver, ".since"), "whoever looks has opened it"


def test_the_past_can_be_seen_and_left_by_keyboard(pages: Pages, collector: FakeCollector) -> None:
    driver = pages.live(WORDS)
    slider = driver.find_element(By.ID, "epoch")
    slider.send_keys(Keys.ARROW_LEFT)
    until(driver, lambda now: items(now) == ["mate"], "epoch 2")
    assert not driver.find_elements(By.CSS_SELECTOR, ".trend"), "a past epoch has none"
    assert "Epoch 2" in text_of(driver, "#epoch-shown")
    assert driver.current_url.endswith("?epoch=2")
    slider.send_keys(Keys.HOME)
    until(driver, lambda now: items(now) == list(DRINKS), "epoch 0")
    collector.put(replace(WORDS, reports=9700, top=(line("cocoa", 1.0),)))
    until(driver, lambda now: "9,700" in text_of(now, ".figures"), "the present figures")
    assert items(driver) == list(DRINKS), "the past stays while the present goes on"
    slider.send_keys(Keys.END)
    until(driver, lambda now: items(now) == ["cocoa"], "the present")
    assert "Now" in text_of(driver, "#epoch-shown")
    collector.put(replace(WORDS, reports=9800, epoch=4))
    until(driver, lambda now: "epoch 4" in text_of(now, "#epoch-shown"), "the next epoch")
    assert slider.get_property("value") == slider.get_property("max") == "4"


def test_an_address_leads_to_the_past(pages: Pages) -> None:
    driver = pages.live(WORDS, "?epoch=1")
    assert items(driver) == list(DRINKS[1:])
    assert driver.find_element(By.ID, "epoch").get_property("value") == "1"


@pytest.mark.parametrize("width", [1280, 390])
def test_a_past_epoch_does_not_look_like_now(pages: Pages, width: int) -> None:
    emulate(pages.driver, width=width)
    driver = pages.live(WORDS, "?epoch=1")
    status = driver.find_element(By.CSS_SELECTOR, "[data-status]")
    assert text_of(driver, "#best") == "Most frequent after epoch 1 (6,000 reports)"
    assert not status.is_displayed()
    driver.find_element(By.LINK_TEXT, "Back to now").click()
    until(driver, lambda now: text_of(now, "#best") == "Most frequent", "the present")
    until(driver, lambda now: text_of(now, "[data-status]") == "Live", "the stream")
    driver.find_element(By.ID, "epoch").send_keys(Keys.ARROW_LEFT)
    until(driver, lambda now: text_of(now, "#best") == "Most frequent after epoch 2 (9,000 reports)", "the slider")
    assert text_of(driver, "[data-status]") == ""
    driver.find_element(By.ID, "epoch").send_keys(Keys.END)
    until(driver, lambda now: text_of(now, "#best") == "Most frequent", "the present again")
    assert text_of(driver, "[data-status]") == "Live"


def test_on_a_phone_no_short_word_is_broken_in_two(pages: Pages, collector: FakeCollector) -> None:
    emulate(pages.driver, width=390)
    long = replace(line("hammock", 1_234_567.0, 9_000.0), since=12_345_678)
    collector.put(replace(NUMBERS, top=(long, *NUMBERS.top)))
    driver = pages.live(NUMBERS)
    driver.execute_script("document.querySelector('.since').open = true")
    lines = "const r = document.createRange(); r.selectNodeContents(arguments[0]); return r.getClientRects().length"
    for place in driver.find_elements(By.CSS_SELECTOR, ".since bdi, .segments a"):
        assert driver.execute_script(lines, place) == 1, place.text
    assert driver.find_elements(By.CSS_SELECTOR, ".segments a")
    assert not is_wider_than_the_screen(driver)


def test_everything_reads_well_without_a_script(pages: Pages) -> None:
    emulate(pages.driver, script=False)
    try:
        driver = pages.open(WORDS)
        assert "coffee" in text_of(driver, ".ranking")
        assert "UTC" in text_of(driver, ".side")
        assert "Without JavaScript" in text_of(driver, "footer")
        assert not driver.find_element(By.CSS_SELECTOR, "[data-status]").is_displayed()
        driver.find_element(By.ID, "epoch").send_keys(Keys.ARROW_LEFT)
        driver.find_element(By.CSS_SELECTOR, "[data-scrubber] button").click()
        until(driver, lambda now: "epoch=2" in now.current_url, "the form is sent")
        assert "mate" in text_of(driver, ".ranking")
        assert "coffee" not in text_of(driver, ".ranking")
    finally:
        emulate(pages.driver)


def test_when_the_server_goes_away_the_page_says_so_and_recovers(
    driver: webdriver.Chrome, collector: FakeCollector
) -> None:
    emulate(driver)
    with served(collector) as port:
        pages = Pages(driver, port)
        pages.live(WORDS)
        banner = driver.find_element(By.CSS_SELECTOR, "[data-banner]")
        assert not banner.is_displayed()
    until(driver, lambda _: banner.is_displayed(), "the banner")
    assert "is not answering" in banner.text
    assert "Next try in" in banner.text or "Trying" in banner.text
    assert "has not been live since" in banner.text
    assert text_of(driver, "[data-status]") == "Not live"
    assert items(driver) == list(DRINKS), "what was known is still there"
    collector.views[WORDS.id] = replace(WORDS, reports=12_345)
    with served(collector, port):
        until(driver, lambda _: not banner.is_displayed(), "recovery")
        until(driver, lambda now: "12,345" in text_of(now, ".figures"), "the newest numbers")
        assert text_of(driver, "[data-status]") == "Live"
        assert all("ERR_" in message for message in complaints(driver))
        driver.get("about:blank")


def test_all_comes_from_our_own_host(pages: Pages) -> None:
    driver = pages.live(WORDS)
    loaded = driver.execute_script("return performance.getEntriesByType('resource').map(each => each.name)")
    assert {name.rsplit("/", 1)[1] for name in loaded} >= {"dashboard.css", "dashboard.js", "morph.js"}
    assert all(name.startswith(pages.home) for name in loaded)
    driver.execute_script(
        "const s = document.createElement('script'); s.textContent = 'window.ran = 1'; document.body.append(s)"
    )
    assert driver.execute_script("return window.ran") is None, "the policy lets no inline script run"
    until(
        driver, lambda page: "Content Security Policy" in " ".join(complaints(page)), "the console must name the policy"
    )


def test_many_pages_of_one_browser_can_be_open_at_a_time(pages: Pages, collector: FakeCollector) -> None:
    """A browser keeps six connections to a host. Pages in the background must leave some."""
    driver = pages.live(WORDS)
    first = driver.current_window_handle
    for _ in range(7):
        driver.switch_to.new_window("tab")
        pages.live(WORDS)
    collector.put(replace(WORDS, reports=31_415))
    for handle in driver.window_handles[1:]:
        driver.switch_to.window(handle)
        driver.close()
    driver.switch_to.window(first)
    until(driver, lambda now: "31,415" in text_of(now, ".figures"), "the page that is seen again")


def test_results_that_are_not_public_open_with_their_token(pages: Pages) -> None:
    driver = pages.open(SECRET)
    assert "Token needed" in text_of(driver, "main")
    driver.find_element(By.ID, "token").send_keys(READER, Keys.ENTER)
    until(driver, lambda now: "Secret" in text_of(now, "h1"), "the task")
    assert "token" not in driver.current_url
    until(driver, lambda now: text_of(now, "[data-status]") == "Live", "the stream takes the cookie")
    complaints(driver)


def test_the_overview_lists_what_one_may_see_and_leads_there(pages: Pages, collector: FakeCollector) -> None:
    driver = pages.live()
    names = [each.text for each in driver.find_elements(By.CSS_SELECTOR, ".card h2 a")]
    assert len(names) == 6
    assert "Secret" not in names
    collector.put(replace(WORDS, reports=77_777))
    until(driver, lambda now: "77,777" in text_of(now, ".cards"), "the new number")
    driver.find_element(By.LINK_TEXT, "<b>Odd</b>").click()
    until(driver, lambda now: text_of(now, "h1") == "<b>Odd</b>", "the page of the task")


@pytest.mark.parametrize(("width", "dark"), [(1280, False), (390, True)], ids=["light", "dark phone"])
def test_axe_has_nothing_serious_to_say(pages: Pages, width: int, *, dark: bool) -> None:
    emulate(pages.driver, width=width, dark=dark)
    for found in (None, WORDS, ODD, FRESH, CLOSED, FLAT, SECRET):
        driver = pages.open(found)
        driver.execute_script("document.querySelectorAll('details').forEach(each => each.open = true)")
        assert serious(driver) == []
    complaints(driver)


def test_axe_would_find_a_serious_fault(pages: Pages) -> None:
    """The planted bug: text that can hardly be read, and a button without a name."""
    driver = pages.open(WORDS)
    script = "document.querySelector('.brand').style.color = '#eee'; document.querySelector('footer').innerHTML += %s"
    driver.execute_script(script % "'<button></button>'")
    assert {"color-contrast", "button-name"} <= {each["id"] for each in violations(driver)}


def test_labels_have_room_and_on_a_phone_the_box_that_asks_comes_before_the_past(pages: Pages) -> None:
    parts = "['.wide', '.ask', '.past', '.side'].map(each => document.querySelector(each))"
    tops = f"return {parts}.map(each => each.getBoundingClientRect().top)"
    widths = "return [...document.querySelectorAll('.pairs dt')].map(each => each.getBoundingClientRect().width)"
    for width in (1280, 390):
        emulate(pages.driver, width=width)
        driver = pages.live(WORDS)
        assert min(driver.execute_script(widths)) > 120, "two or three words of a label on a line"
        found = driver.execute_script(tops)
        if width < 500:
            assert found == sorted(found)
        else:
            assert found[0] == found[1] < found[3], "the ranking beside the box, and the cards below that"
    assert not pages.open(FRESH).find_element(By.CSS_SELECTOR, ".past").is_displayed(), "there is no past yet"
