"""Guessing a token: slowed, limited by address and in all; and whoever has the right one gets through."""

import os
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest

from hgldp.collector.admins import add_admin
from hgldp.collector.http.guesses import EVERY, MOST_ADDRESSES, Guesses
from hgldp.collector.problems import Problem
from hgldp.collector.settings import Limits
from hgldp.collector.tokens import kept, new_token
from tests.collector.live_service import ADMIN, NUMBERS, WORDS, Service, live_service
from tests.patience import PATIENCE

GUESSER, HONEST = "127.0.0.2", "127.0.0.3"


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Service]:
    with live_service(tmp_path / "data", limits=Limits()) as running:
        yield running


def ask(service: Service, address: str, path: str, **headers: str) -> tuple[int, int]:
    """The status, and for how long one is told to wait; asked from an address of this machine."""
    place = urlsplit(service.url)
    connection = HTTPConnection(str(place.hostname), place.port, timeout=PATIENCE, source_address=(address, 0))
    try:
        connection.request("GET", path, headers=headers)
        answer = connection.getresponse()
        answer.read()
        return answer.status, int(answer.headers.get("retry-after", 0))
    finally:
        connection.close()


def guess(
    service: Service, tokens: list[str], address: str = GUESSER, path: str = "/v1/tasks"
) -> list[tuple[int, int]]:
    with ThreadPoolExecutor(16) as several:
        return list(several.map(lambda token: ask(service, address, path, authorization=f"Bearer {token}"), tokens))


def test_a_thousand_guesses_are_ten_and_the_right_one_among_the_others_is_not_looked_at(service: Service) -> None:
    answers = guess(service, [f"guess {number}" for number in range(1_000)])
    statuses = Counter(status for status, _ in answers)
    assert set(statuses) == {401, 429}
    assert statuses[401] <= 10 + 16 + 1
    assert all(1 <= wait <= EVERY for status, wait in answers if status == 429)
    assert guess(service, [ADMIN]) == [(429, pytest.approx(EVERY, abs=EVERY - 1))]
    assert ask(service, HONEST, "/v1/tasks", authorization=f"Bearer {ADMIN}")[0] == 200


def test_who_holds_one_of_our_tokens_gets_through_beside_a_guesser_at_the_same_address(service: Service) -> None:
    made, anna = service.create(**WORDS), add_admin(service.folder, "anna")
    guess(service, [f"guess {number}" for number in range(30)])
    assert guess(service, ["wrong"])[0][0] == 429
    assert guess(service, [anna]) == [(200, 0)]
    assert guess(service, [made.token], path=f"{made.path}/top") == [(200, 0)]
    assert guess(service, [made.key], path=f"{made.path}/bulletin") == [(200, 0)]
    with httpx.Client(base_url=service.url, transport=httpx.HTTPTransport(local_address=GUESSER)) as browser:
        refused = browser.post("/sign-in", data={"token": "wrong"})
        assert (refused.status_code, 1 <= int(refused.headers["retry-after"]) <= EVERY) == (429, True)
        assert f"Try again in {refused.headers['retry-after']} second" in refused.text
        assert browser.post("/sign-in", data={"token": ADMIN}).status_code == 429
        assert browser.post("/sign-in", data={"token": anna}).status_code == 303
        assert browser.get(f"{made.path}/top").status_code == 200


@pytest.mark.parametrize(
    "watching", [new_token(os.urandom), os.urandom(32).hex()], ids=["ours", "openssl rand -hex 32"]
)
def test_guesses_do_not_hide_the_numbers_from_whoever_watches_with_a_random_token(
    tmp_path: Path, watching: str
) -> None:
    with live_service(tmp_path / "data", limits=Limits(), metrics_digest=kept(watching)) as service:
        made = service.create(**WORDS)
        guess(service, [f"guess {number}" for number in range(30)], address="127.0.0.1")
        assert made.id in service.http.get("/metrics", headers={"authorization": f"Bearer {watching}"}).text
        assert service.http.get("/metrics", headers={"authorization": "Bearer wrong"}).status_code == 429


@pytest.mark.parametrize("way", ["cookie", "document", "metrics", "overview", "public export", "sign-in", "top"])
def test_there_is_no_other_way_to_guess(service: Service, way: str) -> None:
    """Each of them counts: after a dozen tries the address has to wait."""
    made, public = service.create(**WORDS), service.create(**NUMBERS)
    with httpx.Client(base_url=service.url, transport=httpx.HTTPTransport(local_address=GUESSER)) as client:
        for number in range(12):
            headers = {"authorization": f"Bearer guess {number}"}
            if way == "cookie":
                client.get("/", headers={"cookie": f"hgldp-reader=guess{number}"})
            elif way == "document":
                assert client.get(f"{made.path}/document", headers=headers).status_code == 404
            elif way == "metrics":
                client.get("/metrics", headers=headers)
            elif way == "overview":
                assert client.get("/", headers=headers).status_code == 200
            elif way == "public export":
                client.get(f"{public.path}/export", headers=headers)
            elif way == "sign-in":
                client.post("/sign-in", data={"token": f"guess {number}"})
            else:
                client.get(f"{made.path}/top", headers=headers)
    assert guess(service, [ADMIN])[0][0] == 429


def test_an_app_with_an_old_key_is_no_guesser(service: Service) -> None:
    made = service.create(**WORDS)
    old = "k" * 43
    assert {status for status, _ in guess(service, [old] * 50, path=f"{made.path}/document")} == {404}
    assert guess(service, [ADMIN]) == [(200, 0)]


def test_a_wrong_token_is_answered_later_and_no_token_at_once(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hgldp.collector.app.WRONG_SECONDS", 2.0)

    def seconds(**headers: str) -> float:
        before = time.perf_counter()
        assert ask(service, HONEST, "/v1/tasks", **headers)[0] == 401
        return time.perf_counter() - before

    assert seconds(authorization="Bearer wrong") > 1.9 > min(seconds() for _ in range(5))


def test_who_stops_waits_no_longer_than_one_guess_takes() -> None:
    now = [0.0]
    guesses = Guesses(10, lambda: now[0])
    for _ in range(100_000):
        guesses.failed(GUESSER)
    assert guesses.wait(GUESSER) == EVERY
    now[0] += EVERY
    assert guesses.wait(GUESSER) == 0


def test_many_addresses_do_not_fill_the_memory_and_are_limited_together() -> None:
    now = [0.0]
    guesses = Guesses(10, lambda: now[0])
    for number in range(3 * MOST_ADDRESSES):
        guesses.failed(f"2001:db8:{number >> 8:x}:{number & 255:x}::1")
    assert len(guesses) == MOST_ADDRESSES
    assert guesses.wait(HONEST) == 1
    now[0] += 0.2
    assert guesses.wait(HONEST) == 0


def test_the_answer_is_a_problem_that_says_when_to_come_back(service: Service) -> None:
    for _ in range(12):
        answer = service.http.get("/v1/tasks", headers={"authorization": "Bearer wrong"})
    assert answer.json()["type"] == Problem.TOO_MANY_GUESSES.type
    assert int(answer.headers["retry-after"]) >= 1
