"""The page of plans in a browser over a real collector: form, table and plot, wide and narrow."""

from collections.abc import Iterator

import httpx
import pytest
from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import Select, WebDriverWait

from tests.collector.browser import browser, complaints, emulate, require_browser, violations
from tests.collector.live_service import ADMIN, Service, live_service
from tests.patience import PATIENCE

require_browser()


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    with live_service(tmp_path_factory.mktemp("data") / "folder") as running:
        yield running


@pytest.fixture(scope="module")
def driver(service: Service) -> Iterator[webdriver.Chrome]:
    with browser() as found:
        found.get(f"{service.url}/plan")
        assert "Plans are made for admins" in found.find_element(By.ID, "content").text
        found.find_element(By.ID, "token").send_keys(ADMIN)
        found.find_element(By.CSS_SELECTOR, ".sign-in button").click()
        link = WebDriverWait(found, PATIENCE).until(lambda now: now.find_element(By.LINK_TEXT, "Plan a task"))
        link.click()
        complaints(found)  # a browser complains of the status 401
        yield found


def plan(driver: webdriver.Chrome, service: Service, **fields: str) -> str:
    """Fill in the form, send it, and read what stands below it then."""
    driver.get(f"{service.url}/plan")
    for name, value in fields.items():
        field = driver.find_element(By.NAME, name)
        if field.tag_name == "select":
            Select(field).select_by_value(value)
        else:
            field.clear()
            field.send_keys(value)
    driver.find_element(By.CSS_SELECTOR, ".plan-form button").click()
    answered = WebDriverWait(driver, PATIENCE).until(
        lambda now: now.find_elements(By.CSS_SELECTOR, ".plan-result, .wrong")
    )
    return str(answered[0].text)


@pytest.mark.parametrize(("width", "script"), [(1280, True), (390, True), (390, False)])
def test_a_plan_has_a_table_and_a_plot_and_nothing_is_cut_off(
    driver: webdriver.Chrome, service: Service, width: int, *, script: bool
) -> None:
    emulate(driver, width=width, script=script)
    told = " ".join(
        plan(driver, service, count="3000", unit="reports", size="100", epsilon="4", k="3", skew="1").split()
    )
    assert "What of the top 3 will be found" in told
    for each in (
        "a day 3,000 reports",
        "a week 21,000 reports",
        "a month 90,000 reports",
        "Zipf 1",
        "95 % interval",
        "one launch",
    ):
        assert each in told
    emulate(driver, width=width)
    plot = driver.find_element(By.CSS_SELECTOR, "svg.plan-plot")
    assert plot.size["width"] > 200
    assert driver.execute_script("return document.documentElement.scrollWidth") <= width
    assert driver.find_element(By.NAME, "count").get_attribute("value") == "3000", "what was typed stays"
    assert driver.current_url == f"{service.url}/plan", "no number in the address"
    assert violations(driver) == []
    assert complaints(driver) == []


def test_strings_have_an_f1(driver: webdriver.Chrome, service: Service) -> None:
    emulate(driver, width=1280)
    told = plan(driver, service, count="20000", unit="day", kind="urls", size="500", epsilon="4", k="3", skew="1.3")
    assert "F1" in told


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({"count": "0"}, "how many come must be a whole number in 1 … 100,000,000, got 0"),
        ({"size": "9999999999"}, "how many different items must be a whole number in 2 … 1,000,000"),
        ({"k": "101"}, "k must be a whole number in 1 … 100, got 101"),
        ({"size": "5", "k": "5"}, "k must be below the number of different items, got 5"),
        ({"epsilon": "<b>"}, "ε must be a number in 0.05 … 10, got <b>"),
    ],
)
def test_what_is_no_plan_is_refused_beside_the_form_at_once(
    driver: webdriver.Chrome, service: Service, fields: dict[str, str], told: str
) -> None:
    emulate(driver, width=1280)
    assert told in plan(driver, service, **fields)
    for name, value in fields.items():
        assert driver.find_element(By.NAME, name).get_attribute("value") == value
    complaints(driver)  # a browser complains of the status 400


def test_a_stranger_gets_a_form_for_the_token_and_no_plan(service: Service) -> None:
    for answer in (httpx.get(f"{service.url}/plan"), httpx.post(f"{service.url}/plan", data={"count": "5"})):
        assert answer.status_code == 401
        assert "plan-form" not in answer.text


@pytest.mark.parametrize("body", [b"", bytes(range(256)), b"other=5", b"--x\r\ncontent-disposition: form-data\r\n"])
def test_what_is_not_the_form_makes_no_plan(service: Service, body: bytes) -> None:
    assert httpx.post(f"{service.url}/plan", content=body, headers=service.admin).status_code == 400


def test_a_form_of_another_site_is_refused(service: Service) -> None:
    headers = {**service.admin, "sec-fetch-site": "cross-site"}
    assert httpx.post(f"{service.url}/plan", data={}, headers=headers).status_code == 403
