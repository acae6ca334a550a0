"""Lists and documents of millions of bytes: sent in pieces, kept by caches, and not sent to one address without end."""

import asyncio
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from hgldp.collector.app import build_app
from hgldp.collector.settings import Limits
from hgldp.model.hints import Hints
from hgldp.wire import api
from tests.collector.live_service import Service, live_service

HINTS = Hints.of(f"string number {number}" for number in range(60_000))
PATH = api.HINTS.format(sha256=HINTS.digest)
TERMS = {
    "name": "Long", "scheme": "pfr", "epsilon": 2.0, "level": "event", "k": 3, "domain": {"strings": 32},
    "hints": list(HINTS.strings), "results": "public",
}  # fmt: skip


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    with live_service(tmp_path_factory.mktemp("data"), limits=Limits(question_milliseconds=20)) as found:
        found.create(**TERMS)
        yield found


async def pieces(app: Any, path: str) -> list[bytes]:
    """The body of an answer as it leaves the app."""
    found: list[bytes] = []

    async def receive() -> dict[str, Any]:
        await asyncio.sleep(60)
        return {"type": "http.disconnect"}

    async def send(message: dict[str, Any]) -> None:
        if message["type"] == "http.response.body":
            found.append(message["body"])

    scope = {"type": "http", "method": "GET", "path": path, "raw_path": path.encode(), "query_string": b""}
    await app(scope | {"headers": [], "client": ("192.0.2.9", 1), "http_version": "1.1"}, receive, send)
    return found


def test_a_list_leaves_in_pieces_so_that_a_slow_reader_holds_one(service: Service) -> None:
    found = asyncio.run(pieces(build_app(service.collector, service.settings), PATH))
    assert b"".join(found) == HINTS.data
    assert max(map(len, found)) <= 1 << 16


def test_a_list_says_its_length_and_may_be_kept_for_ever(service: Service) -> None:
    shown = service.http.get(PATH)
    assert shown.content == HINTS.data
    assert int(shown.headers["content-length"]) == len(HINTS.data)
    assert shown.headers["cache-control"] == "public, max-age=31536000, immutable"
    assert shown.headers["etag"] == f'"{HINTS.digest}"'
    head = service.http.head(PATH)
    assert (head.status_code, head.content) == (200, b"")
    assert head.headers["content-length"] == shown.headers["content-length"]
    held = service.http.get(PATH, headers={"if-none-match": shown.headers["etag"]})
    assert (held.status_code, held.content) == (304, b"")
    assert service.http.get(f"{PATH}?again=1").status_code == 400


def test_one_address_gets_a_few_long_lists_and_then_has_to_wait_and_others_do_not(service: Service) -> None:
    """With a refill of 20 ms a second, and 30 ms for this list, a slow machine gets no more of them."""
    app = build_app(service.collector, service.settings)

    async def ask(address: str, method: str, number: int, **headers: str) -> list[int]:
        transport = httpx.ASGITransport(app, client=(address, 1))
        async with httpx.AsyncClient(transport=transport, base_url="http://test") as http:
            return [(await http.request(method, PATH, headers=headers)).status_code for _ in range(number)]

    greedy = asyncio.run(ask("192.0.2.1", "GET", 20))
    assert greedy[0] == 200
    assert 429 in greedy
    assert asyncio.run(ask("198.51.100.7", "GET", 1)) == [200]
    assert asyncio.run(ask("198.51.100.8", "GET", 5, **{"if-none-match": f'"{HINTS.digest}"'})) == [304] * 5
    assert asyncio.run(ask("198.51.100.9", "HEAD", 5)) == [200] * 5
