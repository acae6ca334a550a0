"""What a request shows is hashed once, however many tasks there are to compare it with."""

from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

import httpx
import pytest

from hgldp.collector import tokens
from tests.collector.live_service import WORDS, Service, live_service

JUNK = {"cookie": "; ".join(f"a{number}=1" for number in range(255))}
TOKEN = {"authorization": "Bearer " + "x" * 200}
TASKS = 30


@pytest.fixture
def service(tmp_path: Path):
    with live_service(tmp_path / "data") as found:
        yield found


@pytest.fixture
def hashed(monkeypatch: pytest.MonkeyPatch) -> Callable[[], int]:
    """How often a token was hashed since this was asked last."""
    seen: list[bytes] = []

    def counting(data: bytes) -> Any:
        seen.append(data)
        return sha256(data)

    def since() -> int:
        number = len(seen)
        seen.clear()
        return number

    monkeypatch.setattr(tokens, "sha256", counting)
    return since


@pytest.mark.parametrize("headers", [JUNK, TOKEN], ids=["cookies", "token"])
def test_the_overview_hashes_no_more_with_many_private_tasks(
    service: Service, hashed: Callable[[], int], headers: dict[str, str]
) -> None:
    for number in range(TASKS):
        service.create(**WORDS | {"epoch": 100 + number})
    hashed()
    assert service.http.get("/", headers=headers).status_code == 200
    assert hashed() < TASKS


def test_each_token_opens_its_own_tasks_on_the_overview(service: Service) -> None:
    made = [service.create(**WORDS | {"epoch": 100 + number, "name": f"Task {number}"}) for number in range(3)]
    page = service.http.get("/", headers={"authorization": f"Bearer {made[1].token}"}).text
    assert [f"Task {number}" in page for number in range(3)] == [False, True, False]
    with httpx.Client(base_url=service.url, trust_env=False) as browser:
        for each in made[:2]:
            assert browser.post("/sign-in", data={"task": each.id, "token": each.token}).status_code == 303
        page = browser.get("/").text
        assert [f"Task {number}" in page for number in range(3)] == [True, True, False]
        service.http.post(f"{made[0].path}/rotate-token", headers=service.admin)
        page = browser.get("/").text
        assert [f"Task {number}" in page for number in range(3)] == [False, True, False]


def test_a_cookie_of_one_task_does_not_open_another(service: Service) -> None:
    made = [service.create(**WORDS | {"epoch": 100 + number, "name": f"Task {number}"}) for number in range(2)]
    with httpx.Client(base_url=service.url, trust_env=False) as browser:
        browser.post("/sign-in", data={"task": made[0].id, "token": made[0].token})
        (value,) = browser.cookies.values()
    forged = {"cookie": f"hgldp-reader-{made[1].id[:16]}={value}"}
    page = service.http.get("/", headers=forged).text
    assert "Task 0" not in page
    assert "Task 1" not in page
