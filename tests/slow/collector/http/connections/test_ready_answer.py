"""Whether an answer leaves as ready bytes or as uvicorn writes it: the client gets the same, byte for byte."""

import asyncio
import re
from typing import Any

import pytest
import uvloop

from hgldp.collector.http.connections.ready_answer import answer_at_once
from tests.patience import PATIENCE
from tests.slow.collector.http.connections.test_bounded_connection import serving

REQUEST = b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\nab"
HEADERS = ((b"content-type", b"application/json"), (b"content-length", b"2"), (b"vary", b"origin"))
DATE = re.compile(rb"date: [^\r]+ GMT\r\n")


def asked(sent: bytes, *, ready: bool, number: int = 1) -> tuple[bytes, list[bool]]:
    """What comes back, and which answers left as ready bytes."""
    quick = list[bool]()

    async def app(_: Any, receive: Any, send: Any) -> None:
        await receive()
        if ready:
            quick.append(answer_at_once(send, 200, HEADERS, b"ok"))
            if quick[-1]:
                return
        await send({"type": "http.response.start", "status": 200, "headers": list(HEADERS)})
        await send({"type": "http.response.body", "body": b"ok"})

    async def scene() -> bytes:
        async with serving(app=app) as site:
            reader, writer = await site.connect()
            writer.write(sent)
            found = b"".join([await asyncio.wait_for(reader.readuntil(b"\r\n\r\nok"), PATIENCE) for _ in range(number)])
            assert site.places.held == 0
            return found

    return uvloop.run(scene()), quick


@pytest.mark.parametrize("number", [1, 3])
def test_a_connection_that_stays_open_gets_the_same_as_from_uvicorn(number: int) -> None:
    slow, _ = asked(REQUEST * number, ready=False, number=number)
    found, quick = asked(REQUEST * number, ready=True, number=number)
    assert quick == [True] * number
    assert len(DATE.findall(found)) == number
    assert DATE.sub(b"", found) == DATE.sub(b"", slow)
    assert found.endswith(b"\r\n\r\nok")


@pytest.mark.parametrize(
    "sent",
    [REQUEST.replace(b"Host: x", b"Host: x\r\nConnection: close"), REQUEST.replace(b"HTTP/1.1", b"HTTP/1.0")],
    ids=["close", "1.0"],
)
def test_one_that_closes_is_left_to_uvicorn(sent: bytes) -> None:
    found, quick = asked(sent, ready=True)
    assert quick == [False]
    assert b"connection: close\r\n" in found
    assert found.endswith(b"\r\n\r\nok")


def test_a_server_that_is_not_ours_is_left_alone() -> None:
    async def send(_: Any) -> None:
        raise AssertionError("nobody sends")

    assert not answer_at_once(send, 200, HEADERS, b"ok")
