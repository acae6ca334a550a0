"""A connection ends when its client does not go on: withheld bodies, unread answers, heads without an end."""

import asyncio
import gc
import json
import socket
import time
import weakref
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager, suppress
from typing import Any

import pytest
import uvicorn
import uvloop

from hgldp.collector.http.connections import bounded_connection
from hgldp.collector.http.connections.places import BUSY, SLOW, Places
from hgldp.collector.server import configuration
from tests.patience import PATIENCE, soon

SHORT = 0.5
HELLO = b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"


async def echo(scope: Any, receive: Any, send: Any) -> None:
    """Reads the body; answers with as many bytes as the query says."""
    while (await receive()).get("more_body"):
        pass
    left = int(scope["query_string"] or b"2")
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"%d" % left)]})
    while left:
        size = min(left, 1 << 16)
        left -= size
        await send({"type": "http.response.body", "body": bytes(size), "more_body": left > 0})


class Site:
    def __init__(self, places: Places) -> None:
        self.places, self.address = places, ("", 0)
        self.writers = list[asyncio.StreamWriter]()

    async def connect(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        reader, writer = await asyncio.open_connection(*self.address)
        self.writers.append(writer)
        return reader, writer


@asynccontextmanager
async def serving(most: int = 100, most_bytes: int = 1 << 20, app: Any = echo) -> AsyncIterator[Site]:
    site = Site(Places(most, most_bytes))
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        site.address = listening.getsockname()
        server = uvicorn.Server(configuration(app, site.places))
        running = asyncio.create_task(server.serve(sockets=[listening]))
        while not server.started:
            await asyncio.sleep(0.01)
        try:
            yield site
        finally:
            server.should_exit = True
            for writer in site.writers:
                writer.transport.abort()
            for each in list(server.server_state.connections):
                each.transport.abort()
            await running


def without_garbage_collector(scene: Callable[[], Coroutine[Any, Any, None]]) -> None:
    """Nobody looks for circles of references meanwhile."""
    gc.collect()
    gc.disable()
    try:
        uvloop.run(scene())
    finally:
        gc.enable()


async def said(reader: asyncio.StreamReader, seconds: float = PATIENCE) -> bytes:
    """All that comes until the end of the connection."""
    with suppress(ConnectionError):
        return await asyncio.wait_for(reader.read(), seconds)
    return b""


def answer_to(sent: bytes) -> bytes:
    async def scene() -> bytes:
        async with serving() as site:
            reader, writer = await site.connect()
            writer.write(sent)
            return await said(reader)

    return asyncio.run(scene())


@pytest.mark.parametrize(
    "head",
    [
        b"GET / HTTP/1.1\r\nHost: x\r\nCookie: " + b"a" * 180_000 + b"\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: x\r\nCookie: " + b"a" * 33_000 + b"\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: x\r\nCookie: " + b"a" * 60_000,
        b"GET / HTTP/1.1\r\nHost: x\r\n" + b"a: b\r\n" * 200 + b"\r\n",
        b"GET /" + b"a" * 5_000 + b" HTTP/1.1\r\nHost: x\r\n\r\n",
        HELLO * 1_000,
    ],
    ids=["180 kB", "33 kB", "unfinished", "many headers", "long path", "many requests at once"],
)
def test_a_head_that_is_too_large_gets_431_even_in_the_first_read(head: bytes) -> None:
    """Or is cut off, if the answer to it would come in the middle of another one."""
    found = answer_to(head)
    if found:
        body = json.loads(found.partition(b"\r\n\r\n")[2])
        assert found.startswith(b"HTTP/1.1 431 ")
        assert body["type"] == "urn:hgldp:problem:head-too-large"
    assert found.count(b"HTTP/1.1 200") < 20


def test_a_head_just_below_the_limit_is_read() -> None:
    head = b"GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nCookie: " + b"a" * 32_000 + b"\r\n\r\n"
    assert answer_to(head).startswith(b"HTTP/1.1 200")


def test_a_large_body_followed_by_half_a_head_is_no_large_head() -> None:
    whole = b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 60000\r\n\r\n" + bytes(60_000)
    found = answer_to(whole + HELLO[:-2] + b"Connection: close\r\n\r\n")
    assert found.count(b"HTTP/1.1 200") == 2


def test_nonsense_is_a_problem_too() -> None:
    assert b"urn:hgldp:problem:malformed-request" in answer_to(b"nonsense\r\n\r\n")


def test_withheld_bodies_hold_no_more_than_the_limit() -> None:
    """Each announces a body and sends all of it but the last byte."""

    async def scene() -> tuple[int, int]:
        async with serving(most_bytes=1 << 20) as site:
            head, most = b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 200001\r\n\r\n", 0
            lines = []
            for _ in range(20):
                reader, writer = await site.connect()
                writer.write(head + bytes(200_000))
                with suppress(ConnectionError):
                    await writer.drain()
                lines.append((reader, writer))
                await asyncio.sleep(0.02)
                most = max(most, site.places.held)
            reader, writer = await site.connect()
            writer.write(HELLO)
            assert (await reader.readline()).startswith(b"HTTP/1.1 200")
            return most, site.places.cut

    most, cut = asyncio.run(scene())
    assert 500_000 < most <= 1 << 20
    assert cut >= 14


def test_a_newcomer_takes_the_place_of_the_longest_idle() -> None:
    async def scene() -> None:
        async with serving(most=10) as site:
            crowd = [await site.connect() for _ in range(10)]
            for reader, writer in crowd:
                writer.write(HELLO)
                await reader.readuntil(b"\r\n\r\n\0\0")
            reader, writer = await site.connect()
            writer.write(HELLO)
            assert (await reader.readline()).startswith(b"HTTP/1.1 200")
            assert await said(crowd[0][0]) == b""
            crowd[9][1].write(HELLO)
            assert (await crowd[9][0].readline()).startswith(b"HTTP/1.1 200")
            assert site.places.taken == 10

    asyncio.run(scene())


def test_if_all_are_busy_a_newcomer_is_told_to_come_again() -> None:
    async def scene() -> bytes:
        async with serving() as site:
            site.places.most = 1
            await site.connect()
            await soon(lambda: site.places.taken)
            (account,) = site.places._accounts.values()
            next(iter(account.seats)).turn = BUSY
            reader, _ = await site.connect()
            return await said(reader)

    found = asyncio.run(scene())
    assert found.startswith(b"HTTP/1.1 503 ")
    assert b"retry-after: 5\r\n" in found
    assert b"urn:hgldp:problem:too-many-connections" in found


async def seconds_until_cut(size: int, pause: float, piece: int) -> tuple[float, int]:
    """How long an answer of this size is served to a client that reads a piece, pauses, and reads again."""
    async with serving() as site:
        line = socket.socket()
        line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
        line.settimeout(0)
        loop, begin = asyncio.get_running_loop(), time.monotonic()
        await loop.sock_connect(line, site.address)
        await loop.sock_sendall(line, b"GET /?%d HTTP/1.1\r\nHost: x\r\n\r\n" % size)
        await soon(lambda: site.places.taken)
        while time.monotonic() - begin < PATIENCE and site.places.taken:
            await asyncio.sleep(pause)
            if piece:
                with suppress(BlockingIOError, ConnectionError):
                    line.recv(piece)
        held = site.places.held
        line.close()
        return time.monotonic() - begin, held


def test_an_answer_that_is_not_read_is_cut_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounded_connection, "WRITE_SECONDS", SHORT)
    taken, held = asyncio.run(seconds_until_cut(50_000_000, 0.05, 0))
    assert SHORT * 0.9 < taken < PATIENCE
    assert held == 0


def test_an_answer_that_is_read_by_the_spoonful_is_cut_off_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounded_connection, "WRITE_SECONDS", SHORT)
    taken, _ = asyncio.run(seconds_until_cut(50_000_000, 0.05, 1))
    assert SHORT * 0.9 < taken < PATIENCE


def test_a_slow_reader_who_goes_on_gets_everything(monkeypatch: pytest.MonkeyPatch) -> None:
    """20 MB at 4 MB/s, while the limit is half of that time without progress: a busy machine may stall for a while."""
    monkeypatch.setattr(bounded_connection, "WRITE_SECONDS", 5 * SHORT)

    async def scene() -> int:
        async with serving() as site:
            reader, writer = await site.connect()
            writer.write(b"GET /?20000000 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
            found = 0
            while piece := await reader.read(200_000):
                found += len(piece)
                await asyncio.sleep(0.02)
            return found

    assert asyncio.run(scene()) > 20_000_000


def test_places_and_bytes_are_given_back() -> None:
    async def scene() -> None:
        async with serving() as site:
            for request in (HELLO, b"nonsense\r\n\r\n", HELLO[:9], b"POST / HTTP/1.1\r\nContent-Length: 9\r\n\r\nab"):
                _, writer = await site.connect()
                writer.write(request)
                await asyncio.sleep(0.05)
                writer.close()
            await soon(lambda: (site.places.taken, site.places.held) == (0, 0))

    asyncio.run(scene())


def test_who_has_no_room_is_told_so_only_after_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever is cut off comes back at once. One that waits for an answer costs nothing, and holds no bytes."""
    monkeypatch.setattr(bounded_connection, "NO_ROOM_SECONDS", SHORT)

    async def scene() -> tuple[float, bytes]:
        async with serving(most_bytes=1 << 16) as site:
            reader, writer = await site.connect()
            writer.write(b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 200001\r\n\r\n" + bytes(200_000))
            began = time.monotonic()
            while not site.places.cut:
                await asyncio.sleep(0.01)
            assert (site.places.held, site.places.taken) == (0, 1)
            line = await asyncio.wait_for(reader.readline(), PATIENCE)
            waited = time.monotonic() - began
            await said(reader)
            while site.places.taken:
                await asyncio.sleep(0.01)
            return waited, line

    waited, line = asyncio.run(scene())
    assert line.startswith(b"HTTP/1.1 503 ")
    assert waited >= SHORT


def test_who_waits_without_room_gives_up_its_place_first() -> None:
    async def scene() -> None:
        async with serving(most=2, most_bytes=1 << 16) as site:
            _, writer = await site.connect()
            writer.write(b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 200001\r\n\r\n" + bytes(200_000))
            while not site.places.cut:
                await asyncio.sleep(0.01)
            for _ in range(3):
                reader, writer = await site.connect()
                writer.write(HELLO)
                assert (await reader.readline()).startswith(b"HTTP/1.1 200")
            assert site.places.taken == 2

    asyncio.run(scene())


@pytest.mark.parametrize(
    "sent", [b"", HELLO, HELLO[:-2], HELLO * 3, b"nonsense\r\n\r\n", HELLO.replace(b"GET", b"HEAD")]
)
def test_a_connection_that_is_gone_leaves_nothing_to_the_garbage_collector(sent: bytes) -> None:
    """Before, a timer kept each for seconds, and then a circle of references: new connections filled 650 MB."""

    async def scene() -> None:
        async with serving() as site:
            gone = list[weakref.ref[object]]()
            for _ in range(5):
                reader, writer = await site.connect()
                writer.write(sent)
                while not site.places.taken:
                    await asyncio.sleep(0)
                gone += [weakref.ref(seat) for account in site.places._accounts.values() for seat in account.seats]
                with suppress(TimeoutError):
                    await asyncio.wait_for(reader.read(1 << 16), 0.1)
                writer.transport.abort()
                while site.places.taken:
                    await asyncio.sleep(0.01)
            assert len(gone) == 5
            await soon(lambda: all(ref() is None for ref in gone))

    without_garbage_collector(scene)


STREAM = HELLO.replace(b"/", b"/stream", 1)


async def patient(scope: Any, receive: Any, send: Any) -> None:
    """Answers at once, but for the stream: that one waits until its client leaves."""
    if scope["path"] == "/stream":
        await send({"type": "http.response.start", "status": 200, "headers": []})
        while (await receive())["type"] != "http.disconnect":
            pass
        scope["state"]["gone"].set()
        return
    await echo(scope, receive, send)


@pytest.mark.parametrize("sent", [STREAM, STREAM + HELLO, HELLO + STREAM + HELLO, STREAM + HELLO[:-2]])
def test_an_app_hears_that_its_client_is_gone_though_other_requests_wait_behind(sent: bytes) -> None:
    """Before, a stream with another request behind it never ended, and kept its place from everybody else.

    And a request that never began kept its connection until the garbage collector came.
    """

    async def scene() -> None:
        gone = asyncio.Event()

        async def app(scope: Any, receive: Any, send: Any) -> None:
            scope["state"]["gone"] = gone
            await patient(scope, receive, send)

        async with serving(app=app) as site:
            reader, writer = await site.connect()
            writer.write(sent)
            await asyncio.wait_for(reader.readuntil(b"chunked\r\n\r\n"), PATIENCE)
            seats = [weakref.ref(seat) for account in site.places._accounts.values() for seat in account.seats]
            writer.transport.abort()
            await asyncio.wait_for(gone.wait(), PATIENCE)
            assert len(seats) == 1
            await soon(lambda: not site.places.taken and seats[0]() is None)

    without_garbage_collector(scene)


def test_bodies_of_requests_that_wait_behind_another_are_counted_and_unread_ones_forgotten() -> None:
    """Before, neither: each connection could keep what one read brings, 256 kB."""
    body = b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 20000\r\n\r\n" + bytes(20_000)

    async def scene() -> tuple[int, int, int]:
        answer = asyncio.Event()

        async def app(_: Any, __: Any, send: Any) -> None:
            await answer.wait()
            await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"2")]})
            await send({"type": "http.response.body", "body": b"ok"})

        async with serving(app=app) as site:
            reader, writer = await site.connect()
            writer.write(body * 2)
            await soon(lambda: site.places.held)
            waiting = site.places.held
            answer.set()
            for _ in range(2):
                await asyncio.wait_for(reader.readuntil(b"ok"), PATIENCE)
            (seat,) = next(iter(site.places._accounts.values())).seats
            return waiting, site.places.held, len(seat.cycle.body)  # type: ignore[attr-defined]

    assert uvloop.run(scene()) == (20_000, 0, 0)


@pytest.mark.parametrize(("left_out", "held"), [(0, 0), (1, 19_999)])
def test_the_last_of_two_requests_that_came_together_is_no_idle_one(left_out: int, held: int) -> None:
    """Before, a newcomer could take its place while it was answered, and its bytes were not counted."""
    body = b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 20000\r\n\r\n" + bytes(20_000 - left_out)

    async def scene() -> tuple[int, int]:
        asked, looked = asyncio.Event(), asyncio.Event()

        async def app(scope: Any, receive: Any, send: Any) -> None:
            if scope["method"] == "POST":
                asked.set()
                await looked.wait()
            await echo(scope, receive, send)

        async with serving(app=app) as site:
            reader, writer = await site.connect()
            writer.write(HELLO + body)
            await asyncio.wait_for(reader.readuntil(b"\0\0"), PATIENCE)
            await asyncio.wait_for(asked.wait(), PATIENCE)
            (seat,) = next(iter(site.places._accounts.values())).seats
            found = seat.turn, site.places.held
            looked.set()
            return found

    assert uvloop.run(scene()) == (SLOW if left_out else BUSY, held)


POST = b"POST / HTTP/1.1\r\nHost: x\r\n"
BODY, CHUNK = POST + b"Content-Length: 4\r\n\r\n", POST + b"Transfer-Encoding: chunked\r\n\r\n4\r\nbody\r\n"


@pytest.mark.parametrize(
    ("pieces", "marks"),
    [
        ([BODY + b"body"], [True]),
        ([BODY, b"body"], [False]),
        ([BODY + b"bo", b"dy"], [False]),
        ([BODY + b"body" + BODY + b"bo", b"dy"], [False, False]),
        ([CHUNK, b"0\r\n\r\n"], [False]),
        ([CHUNK + b"0\r\n", b"a: b\r\n\r\n"], [False]),
        ([CHUNK + b"0\r\n\r\n"], [True]),
    ],
)
def test_only_a_request_that_came_whole_is_marked_so(pieces: list[bytes], marks: list[bool]) -> None:
    """One that is not must have a timeout. That one of several is not marked is no harm."""

    async def scene() -> list[bool]:
        found = list[bool]()

        async def app(scope: Any, receive: Any, send: Any) -> None:
            found.append(bounded_connection.WHOLE in scope)
            await echo(scope, receive, send)

        async with serving(app=app) as site:
            reader, writer = await site.connect()
            for piece in pieces:
                writer.write(piece)
                await asyncio.sleep(0.1)
            await asyncio.wait_for(reader.readuntil(b"\0\0"), PATIENCE)
            await asyncio.sleep(0.1)
        return found

    assert asyncio.run(scene()) == marks
