"""Behind a public name, the collector answers for that name, on its own machine, and to probes; else it says 421."""

import asyncio
import socket
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
import uvicorn

from hgldp.collector.app import build_app
from hgldp.collector.collector import Collector
from hgldp.collector.http.hosts import UNDER_ANY_NAME, Hosts
from hgldp.collector.problems import Problem, Refused
from hgldp.collector.server import configuration
from hgldp.collector.settings import Settings
from hgldp.collector.tokens import kept
from hgldp.collector.views import TaskTerms
from tests.collector.fakes import SEARCH, FakeClock, now, open_by_hand, upload
from tests.collector.live_service import ADMIN
from tests.patience import PATIENCE

URL = "https://collect.example.org"


@asynccontextmanager
async def connected(app: Any) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        server = uvicorn.Server(configuration(app))
        server.config.timeout_keep_alive = int(2 * PATIENCE)  # not the limit that is tested
        serving = asyncio.create_task(server.serve(sockets=[listening]))
        while not server.started:
            await asyncio.sleep(0.01)
        reader, writer = await asyncio.open_connection(*listening.getsockname())
        try:
            yield reader, writer
        finally:
            writer.close()
            server.should_exit = True
            await serving


@pytest.fixture
def collector(tmp_path: Path) -> Iterator[Collector]:
    found = open_by_hand(tmp_path, FakeClock())
    yield found
    found.close()


def ask(
    collector: Collector, host: str, path: str, method: str = "GET", url: str = URL, **fields: Any
) -> httpx.Response:
    """What the collector answers to a request that names a host."""
    chosen = Settings(host="192.0.2.7", public_url=url, trusted_proxies=("127.0.0.1",), admin_digest=kept(ADMIN))
    transport = httpx.ASGITransport(build_app(collector, chosen))
    headers = {"host": host, **fields.pop("headers", {})}

    async def answer() -> httpx.Response:
        client = httpx.AsyncClient(transport=transport, base_url="http://collector")
        async with asyncio.timeout(PATIENCE), client as http:  # an upload that is taken waits for a step
            return await http.request(method, path, headers=headers, **fields)

    return asyncio.run(answer())


def is_misdirected(answer: httpx.Response) -> bool:
    return (answer.status_code, answer.headers["content-type"]) == (421, "application/problem+json")


@pytest.mark.parametrize("host", ["evil.example", "evil.example:8080", "collect.example.org.evil.example", "10.0.0.9"])
def test_another_host_is_refused_on_every_path_but_those_of_probes(collector: Collector, host: str) -> None:
    for method, path in (
        ("GET", "/"), ("GET", "/v1/tasks"), ("GET", "/openapi.json"), ("GET", "/sdk"), ("GET", "/nothing"),
        ("POST", "/sign-in"), ("POST", "/v1/in/a-write-key"), ("OPTIONS", "/v1/in/a-write-key"),
    ):  # fmt: skip
        answer = ask(collector, host, path, method)
        assert is_misdirected(answer), (method, path)
        assert answer.json()["type"] == Problem.MISDIRECTED.type
        assert URL in answer.json()["detail"]
    for path in UNDER_ANY_NAME:
        assert ask(collector, host, path).status_code != 421, path


@pytest.mark.parametrize(
    "host",
    ["collect.example.org", "Collect.Example.ORG:443", "localhost:8080", "127.0.0.1:9", "[::1]", "192.0.2.7:8080"],
)
def test_its_public_name_and_those_of_its_own_machine_are_answered(collector: Collector, host: str) -> None:
    assert ask(collector, host, "/").status_code == 200


@pytest.mark.parametrize(
    ("target", "host", "status"),
    [
        ("http://evil.example/", "collect.example.org", 421),
        ("http://evil.example/", "evil.example\r\nHost: collect.example.org", 421),
        ("HTTP://collect.example.org@evil.example:80/", "collect.example.org", 421),
        ("http://collect.example.org/", "evil.example", 200),
        ("https://collect.example.org/", "collect.example.org", 200),
        ("/nothing?next=http://evil.example/", "collect.example.org", 404),
        ("*", "collect.example.org", 404),
    ],
)
def test_a_host_in_the_target_counts_and_not_the_header(
    collector: Collector, target: str, host: str, status: int
) -> None:
    """RFC 9112, 3.2.2. Before: only the header was looked at, and a request for another host was answered."""
    app = build_app(collector, Settings(public_url=URL, admin_digest=kept(ADMIN)))

    async def answer() -> bytes:
        async with asyncio.timeout(PATIENCE), connected(app) as (reader, writer):
            writer.write(f"GET {target} HTTP/1.1\r\nHost: {host}\r\n\r\n".encode())
            return await reader.readline()

    assert int(asyncio.run(answer()).split()[1]) == status


def test_an_upload_under_another_name_is_not_counted(collector: Collector) -> None:
    made = collector.create_task(SEARCH, TaskTerms("Words"))
    body = upload(now(collector, made))
    answer = ask(collector, "evil.example", f"/v1/in/{made.write_key}", "POST", content=body)
    assert is_misdirected(answer)
    assert not collector.step(), "nothing was queued"


def test_what_a_client_writes_into_other_headers_does_not_help(collector: Collector) -> None:
    ours = {"x-forwarded-host": "collect.example.org", "forwarded": "host=collect.example.org"}
    assert is_misdirected(ask(collector, "evil.example", "/", headers=ours))
    theirs = {"x-forwarded-host": "evil.example"}
    assert ask(collector, "collect.example.org", "/", headers=theirs).status_code == 200


def test_a_form_of_a_page_under_a_name_of_theirs_that_leads_here_signs_nobody_in(collector: Collector) -> None:
    """To a browser, that page and this server are one site."""
    headers = {"origin": "http://evil.example:8080", "sec-fetch-site": "same-origin"}
    answer = ask(collector, "evil.example:8080", "/sign-in", "POST", headers=headers, data={"token": ADMIN})
    assert is_misdirected(answer)
    assert "set-cookie" not in answer.headers


@pytest.mark.parametrize("path", ["/hot/health", "/health"])
def test_below_a_path_probes_are_answered_too(collector: Collector, path: str) -> None:
    assert ask(collector, "10.0.0.9:8080", path, url=f"{URL}/hot").status_code == 200
    assert is_misdirected(ask(collector, "10.0.0.9:8080", "/hot/", url=f"{URL}/hot"))


def test_without_a_public_url_any_name_will_do(collector: Collector) -> None:
    assert ask(collector, "whatever.example", "/", url="").status_code == 200


@pytest.mark.parametrize(
    ("url", "host", "known"),
    [
        ("https://x.example:8443", "x.example:8443", True),
        ("https://x.example:8443", "x.example", False),
        ("http://x.example", "x.example:80", True),
        ("https://x.example", "x.example:80", False),
        ("https://[2001:db8::1]/hot", "[2001:db8::1]", True),
        ("https://bücher.example", "xn--bcher-kva.example", True),
        ("https://x.example", "127.0.0.1.evil.example", False),
        ("https://x.example", "localhost.evil.example", False),
        ("https://x.example", "localhost:80@evil.example", False),
        ("https://x.example", "[::1]evil.example", False),
        ("https://x.example", "[::1%evil.example]:8080", False),
        ("https://x.example", "[::1]:8080", True),
        ("https://x.example", "x.example/", False),
        ("https://x.example", "\xff" * 5_000, False),
    ],
)
def test_hosts_are_compared_as_browsers_write_them(url: str, host: str, known: bool) -> None:
    assert Hosts(Settings(public_url=url)).know(host.encode("latin-1")) is known


@pytest.mark.parametrize("named", [[], [b"collect.example.org"] * 2, [b"collect.example.org", b"evil.example"]])
def test_a_request_that_names_no_host_or_two_is_refused(named: list[bytes]) -> None:
    with pytest.raises(Refused, match="does not answer for the host"):
        Hosts(Settings(public_url=URL)).check("/", [(b"host", value) for value in named])
