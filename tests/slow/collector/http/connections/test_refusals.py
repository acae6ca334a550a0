"""Who is refused again and again rests; who is not refused waits for nobody."""

import asyncio
import socket
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Any

import pytest
import uvloop

from hgldp.collector.http.connections import refusals
from hgldp.collector.http.connections.client_address import networks_of
from hgldp.collector.http.connections.places import BUSY, Places
from hgldp.collector.http.connections.refusals import LONGEST_REST, MOST_ADDRESSES, Refusals
from hgldp.collector.server import CollectorServer, configuration
from tests.patience import PATIENCE, soon

REFUSED, WELCOME = b"GET /no HTTP/1.1\r\nHost: x\r\n\r\n", b"GET /yes HTTP/1.1\r\nHost: x\r\n\r\n"
FREE, REST = 4, 0.5


async def app(scope: Any, _: Any, send: Any) -> None:
    status = 404 if scope["path"] == "/no" else 200
    await send({"type": "http.response.start", "status": status, "headers": [(b"content-length", b"2")]})
    await send({"type": "http.response.body", "body": b"ok"})


@asynccontextmanager
async def serving(places: Places) -> AsyncIterator[tuple[CollectorServer, tuple[str, int]]]:
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        server = CollectorServer(configuration(app, places))
        running = asyncio.create_task(server.serve(sockets=[listening]))
        while not server.started:
            await asyncio.sleep(0.01)
        try:
            yield server, listening.getsockname()
        finally:
            server.should_exit = True
            await running


async def answers(address: tuple[str, int], sent: bytes, enough: int) -> int:
    """How many come, until a moment after there are enough."""
    reader, writer = await asyncio.open_connection(*address)
    writer.write(sent)
    found, count = b"", 0
    with suppress(TimeoutError):
        while piece := await asyncio.wait_for(reader.read(1 << 16), 0.1 if count >= enough else PATIENCE):
            found += piece
            count = found.count(b"HTTP/1.1 ")
    writer.close()
    return count


@pytest.fixture(autouse=True)
def strict(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(refusals, "AT_ONCE", FREE)
    monkeypatch.setattr(refusals, "PER_SECOND", 1 / REST)


def run(scene: Any) -> Any:
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        return runner.run(scene())


def test_pipelined_requests_that_are_refused_have_to_wait() -> None:
    async def scene() -> tuple[int, int]:
        async with serving(Places(10, 1 << 20)) as (_, address):
            first = await answers(address, REFUSED * 16, FREE + 1)
            return first, await answers(address, REFUSED * 16, 1)

    first, later = run(scene)
    assert first < 16
    assert later < 16


def test_requests_one_by_one_on_many_connections_have_to_wait_too() -> None:
    async def scene() -> int:
        async with serving(Places(100, 1 << 20)) as (_, address):
            return sum(await asyncio.gather(*(answers(address, REFUSED * 2, 1) for _ in range(20))))

    assert run(scene) < 40


def test_who_is_not_refused_does_not_wait_at_the_same_address() -> None:
    async def scene() -> tuple[int, int]:
        async with serving(Places(100, 1 << 20)) as (_, address):
            await answers(address, REFUSED * 16, 1)
            return await answers(address, WELCOME * 16, 16), await answers(address, WELCOME * 10 + REFUSED, 11)

    assert run(scene) == (16, 11)


def test_the_connection_of_a_trusted_proxy_never_rests() -> None:
    async def scene() -> int:
        async with serving(Places(100, 1 << 20, networks_of(["127.0.0.1"]))) as (_, address):
            return await answers(address, REFUSED * 16, 16)

    assert run(scene) == 16


def test_after_the_rest_everything_is_answered() -> None:
    async def scene() -> int:
        async with serving(Places(100, 1 << 20)) as (_, address):
            return await answers(address, REFUSED * (FREE + 2) + WELCOME * 3, FREE + 5)

    assert run(scene) == FREE + 5


def test_a_resting_connection_gives_up_its_place() -> None:
    async def scene() -> None:
        places = Places(1, 1 << 20)
        async with serving(places) as (_, address):
            reader, writer = await asyncio.open_connection(*address)
            writer.write(REFUSED * 16)
            await reader.readuntil(b"ok")
            (account,) = places._accounts.values()
            await soon(lambda: next(iter(account.seats)).turn != BUSY)
            assert await answers(address, WELCOME, 1) == 1
            assert (await reader.read()).count(b"HTTP/1.1 404") < 15
            assert places.cut == 1
            writer.close()

    run(scene)


def test_resting_connections_end_with_the_server(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(refusals, "PER_SECOND", 1 / (2 * PATIENCE))
    monkeypatch.setattr(refusals, "LONGEST_REST", 2 * PATIENCE)

    async def scene() -> float:
        async with serving(Places(10, 1 << 20)) as (_, address):
            reader, writer = await asyncio.open_connection(*address)
            writer.write(REFUSED * 16)
            await reader.read(100)
            await asyncio.sleep(0.2)
            begin = time.monotonic()
        writer.close()
        return time.monotonic() - begin

    assert run(scene) < PATIENCE


def test_a_client_that_leaves_while_it_rests_is_forgotten(caplog: pytest.LogCaptureFixture) -> None:
    async def scene() -> None:
        places = Places(10, 1 << 20)
        async with serving(places) as (_, address):
            await answers(address, REFUSED * 16, 1)
            await soon(lambda: not places.taken)  # until an answer to it fails

    run(scene)
    assert not caplog.records


def test_the_table_has_an_end_and_so_has_the_longest_rest() -> None:
    found = Refusals(lambda: 0.0)
    for number in range(MOST_ADDRESSES + 10):
        found.rest_after(str(number))
    assert len(found) == MOST_ADDRESSES
    assert max(found.rest_after("greedy") for _ in range(1_000)) == LONGEST_REST
