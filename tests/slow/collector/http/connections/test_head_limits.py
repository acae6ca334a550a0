"""The head of a request has an end in bytes and in time; the parser by itself would wait for all that comes."""

import asyncio
import socket
import time
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest

from hgldp.collector.http.connections import head_limits
from hgldp.collector.http.connections.head_limits import MOST_BYTES
from tests.cli.commands.test_serve import started
from tests.collector.http.test_hosts import connected
from tests.patience import PATIENCE

SHORT = 0.5
WHOLE = b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"


def test_a_head_without_an_end_is_cut_off_and_the_service_goes_on(tmp_path: Path) -> None:
    with started(tmp_path / "data") as (_, url):
        parts = urlsplit(url)
        with socket.create_connection((parts.hostname, parts.port), timeout=PATIENCE) as line:
            line.sendall(b"GET /health HTTP/1.1\r\nHost: x\r\n")
            sent = 0
            try:
                while sent < 500 * MOST_BYTES:
                    sent += line.send(b"X-Padding: " + b"y" * 60_000 + b"\r\n")
            except OSError:
                pass
        assert sent < 400 * MOST_BYTES
        assert httpx.get(f"{parts.scheme}://{parts.netloc}/health").status_code == 200


async def quick(_: Any, __: Any, send: Any) -> None:
    await send({"type": "http.response.start", "status": 404, "headers": [(b"content-length", b"0")]})
    await send({"type": "http.response.body", "body": b""})


async def slow(_: Any, receive: Any, send: Any) -> None:
    await receive()
    await asyncio.sleep(2 * SHORT)
    await send({"type": "http.response.start", "status": 204, "headers": []})
    await send({"type": "http.response.body", "body": b""})


async def seconds_to_the_end(line: bytes, pieces: float = 0.0) -> tuple[float, bytes]:
    """How long a server keeps a connection on which these bytes came, at once or one by one, and what it said."""
    begin = time.monotonic()
    async with connected(slow) as (reader, writer):
        for at in range(len(line)) if pieces else ():
            writer.write(line[at : at + 1])
            await asyncio.sleep(pieces)
        if not pieces:
            writer.write(line)
        try:
            said = await asyncio.wait_for(reader.read(100), PATIENCE)
        except ConnectionError:
            said = b""
        return time.monotonic() - begin, said


@pytest.mark.parametrize(
    ("line", "pieces"),
    [(b"", 0.0), (WHOLE[:-4], 0.0), (WHOLE, 0.1), (WHOLE + WHOLE[:-4], 0.0)],
    ids=["nothing", "half", "letter by letter", "whole and half"],
)
def test_a_head_must_come_in_time(line: bytes, pieces: float, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(head_limits, "MOST_SECONDS", SHORT)
    taken, said = asyncio.run(seconds_to_the_end(line, pieces))
    assert said == b""
    assert SHORT * 0.9 < taken < PATIENCE


def test_a_slow_answer_to_a_whole_head_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(head_limits, "MOST_SECONDS", SHORT)
    assert asyncio.run(seconds_to_the_end(WHOLE))[1].startswith(b"HTTP/1.1 204")


CHUNKED = b"POST / HTTP/1.1\r\nHost: x\r\ntransfer-encoding: chunked\r\n\r\n"
LONG = b"POST / HTTP/1.1\r\nHost: x\r\ncontent-length: 1000\r\n\r\n"


async def seconds_after_an_answer(request: bytes, more: bytes) -> float:
    async with connected(quick) as (reader, writer):
        begin = time.monotonic()
        writer.write(request)
        assert (await reader.readuntil(b"\r\n\r\n")).startswith(b"HTTP/1.1 404")
        writer.write(more)
        with suppress(ConnectionError):
            await asyncio.wait_for(reader.read(100), PATIENCE)
        return time.monotonic() - begin


@pytest.mark.parametrize(
    ("request_bytes", "more"),
    [(WHOLE, b"\r\n"), (WHOLE, b"\r"), (LONG, b"x"), (CHUNKED, b"1\r\nx\r\n"), (CHUNKED, b"0\r\nA: b\r\n")],
    ids=["an empty line", "half of one", "a body", "a chunk", "a trailer"],
)
def test_what_ends_no_request_after_its_answer_has_an_end(
    request_bytes: bytes, more: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    """uvicorn's own clock stops at the first byte, and starts again with the next answer only."""
    monkeypatch.setattr(head_limits, "MOST_SECONDS", SHORT)
    assert SHORT * 0.9 < asyncio.run(seconds_after_an_answer(request_bytes, more)) < PATIENCE


async def bytes_taken(start: bytes, piece: bytes) -> int:
    async with connected(quick) as (reader, writer):
        writer.write(CHUNKED)
        await reader.readuntil(b"\r\n\r\n")
        writer.write(start)
        sent = 0
        try:
            while sent < 300 * MOST_BYTES:
                writer.write(piece)
                await asyncio.wait_for(writer.drain(), PATIENCE)
                sent += len(piece)
        except (OSError, TimeoutError):
            pass
        return sent


@pytest.mark.parametrize(
    ("start", "piece"),
    [(b"0\r\n", b"a: b\r\n" * 1_000), (b"0\r\nx: ", b"a" * 6_000), (b"5;", b"x" * 6_000)],
    ids=["trailers", "one trailer", "chunk extension"],
)
def test_what_stands_beside_a_body_is_cut_off(start: bytes, piece: bytes) -> None:
    assert asyncio.run(bytes_taken(start, piece)) < 200 * MOST_BYTES


async def read_all(_: Any, receive: Any, send: Any) -> None:
    found, more = 0, True
    while more:
        message = await receive()
        found, more = found + len(message.get("body", b"")), message.get("more_body", False)
    body = b"%d" % found
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"%d" % len(body))]})
    await send({"type": "http.response.body", "body": body})


async def answer_of(app: Any, sent: bytes) -> bytes:
    async with connected(app) as (reader, writer):
        writer.write(sent)
        with suppress(ConnectionError, TimeoutError):
            return await asyncio.wait_for(reader.read(1 << 16), PATIENCE)
        return b""


@pytest.mark.parametrize(
    ("chunk", "number", "taken"),
    [(b"x", 250, True), (b"x", 50_000, False), (b"x" * 100, 5_000, True), (b"x" * 60, 50_000, False)],
    ids=["a few crumbs", "crumbs", "chunks", "many small chunks"],
)
def test_a_body_may_not_come_in_crumbs(chunk: bytes, number: int, taken: bool) -> None:
    """Each chunk costs a call: at 5 MB a second, one connection with chunks of a byte kept the whole service busy."""
    body = (b"%x\r\n%b\r\n" % (len(chunk), chunk)) * number + b"0\r\n\r\n"
    found = asyncio.run(answer_of(read_all, CHUNKED + body))
    assert found.endswith(b"\r\n\r\n%d" % (len(chunk) * number)) == taken
    assert taken or not found.startswith(b"HTTP/1.1 200")


def test_of_a_body_that_was_answered_unread_only_a_little_is_taken() -> None:
    async def scene() -> int:
        async with connected(quick) as (reader, writer):
            writer.write(b"POST / HTTP/1.1\r\nHost: x\r\ncontent-length: 1000000000\r\n\r\n")
            await reader.readuntil(b"\r\n\r\n")
            sent = 0
            with suppress(OSError, TimeoutError):
                while sent < 1_000 * MOST_BYTES:
                    writer.write(bytes(MOST_BYTES))
                    await asyncio.wait_for(writer.drain(), PATIENCE)
                    sent += MOST_BYTES
            return sent

    assert asyncio.run(scene()) < 400 * MOST_BYTES


def test_a_small_body_that_was_answered_unread_costs_no_connection() -> None:
    async def scene() -> bytes:
        async with connected(quick) as (reader, writer):
            found = b""
            for _ in range(5):
                writer.write(b"POST / HTTP/1.1\r\nHost: x\r\ncontent-length: 50000\r\n\r\n")
                found += await reader.readuntil(b"\r\n\r\n")
                writer.write(bytes(50_000))
            return found

    assert asyncio.run(scene()).count(b"HTTP/1.1 404") == 5
