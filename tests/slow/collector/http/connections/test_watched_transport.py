"""An answer leaves in one piece if its head says how long it is; nothing is held back for long."""

import asyncio
import gc
from contextlib import suppress
from typing import Any

import httpx
import pytest
import uvloop

from hgldp.collector.http.connections.places import Places
from hgldp.collector.http.connections.watched_transport import WatchedTransport
from tests.slow.collector.http.connections.test_bounded_connection import serving as serving_app
from tests.slow.collector.http.connections.test_refusals import serving

KNOWN = b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n"
REFUSED = KNOWN.replace(b"200 OK", b"404 Not Found")
CHUNKED = b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n"


class Socket:
    """Notes what is written, and when it is closed."""

    def __init__(self) -> None:
        self.said: list[bytes] = []
        self.write = self.said.append

    def close(self) -> None:
        self.said.append(b"closed")

    def is_closing(self) -> bool:
        return b"closed" in self.said


def said(*pieces: bytes, close: bool = False) -> tuple[list[bytes], int]:
    """What reaches the socket until the answer ends, and how many refusals were noticed."""
    socket, refused = Socket(), list[int]()
    transport = WatchedTransport(socket, lambda: refused.append(1))
    for piece in pieces:
        transport.write(piece)
    (transport.close if close else transport.flush)()
    return socket.said, len(refused)


def test_a_head_leaves_with_its_body() -> None:
    assert said(KNOWN, b"ok") == ([KNOWN + b"ok"], 0)
    assert said(REFUSED, b"no", KNOWN, b"ok") == ([REFUSED + b"no", KNOWN + b"ok"], 1)


def test_a_long_body_is_not_copied_for_its_head() -> None:
    body = bytes(1 << 17)
    pieces, _ = said(KNOWN, body, KNOWN, b"ok")
    assert pieces == [KNOWN, body, KNOWN + b"ok"]
    assert pieces[1] is body


def test_a_head_without_a_length_and_one_without_a_body_leave_too() -> None:
    assert said(CHUNKED)[0] == [CHUNKED]
    assert said(KNOWN)[0] == [KNOWN]
    assert said(KNOWN, close=True)[0] == [KNOWN, b"closed"]
    assert said(b"HTTP/1.1 100 Continue\r\n\r\n", KNOWN, b"ok")[0][1:] == [KNOWN + b"ok"]


def test_nothing_is_written_once_the_socket_closes() -> None:
    """uvloop raises then. Requests that came before the one that was cut off are still answered by the app."""
    socket = Socket()
    transport = WatchedTransport(socket, lambda: None)
    transport.write(KNOWN)
    socket.close()
    transport.write(b"ok")
    transport.write(KNOWN)
    transport.flush()
    transport.close()
    assert set(socket.said) == {b"closed"}


def test_nonsense_after_two_requests_puts_no_traceback_into_the_log(caplog: pytest.LogCaptureFixture) -> None:
    """The app answers the first one when the connection is gone already."""

    async def late(_: Any, __: Any, send: Any) -> None:
        await asyncio.sleep(0.02)
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"2")]})
        await send({"type": "http.response.body", "body": b"ok"})

    async def scene() -> None:
        async with serving_app(app=late) as site:
            for _ in range(5):
                reader, writer = await site.connect()
                writer.write(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n" * 2 + b"\0nonsense")
                with suppress(ConnectionError):
                    await reader.read()
            await asyncio.sleep(0.1)

    uvloop.run(scene())
    gc.collect()
    assert not [each.message for each in caplog.records if each.exc_info]


def test_a_real_answer_comes_in_one_piece_and_so_does_one_to_head() -> None:
    async def scene() -> tuple[bytes, int, bytes]:
        async with serving(Places(10, 1 << 20)) as (_, address):
            reader, writer = await asyncio.open_connection(*address)
            writer.write(b"GET /yes HTTP/1.1\r\nHost: x\r\n\r\n")
            whole = await reader.read(1 << 16)
            writer.close()
            async with httpx.AsyncClient(base_url="http://{}:{}".format(*address)) as client:
                head: Any = await client.head("/yes")
        return whole, head.status_code, head.content

    whole, status, body = uvloop.run(scene())
    assert whole.endswith(b"\r\n\r\nok")
    assert (status, body) == (200, b"")
