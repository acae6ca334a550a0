"""The head of a request has an end in bytes and in time; the parser by itself would wait for all that comes."""

import asyncio
import socket
import time
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest
import uvicorn

from hgldp.collector import http_head
from hgldp.collector.http_head import MOST_BYTES
from hgldp.collector.server import configuration
from tests.cli.test_serve import started

SHORT = 0.5
WHOLE = b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"


def test_a_head_without_an_end_is_cut_off_and_the_service_goes_on(tmp_path: Path) -> None:
    with started(tmp_path / "data") as (_, url):
        parts = urlsplit(url)
        with socket.create_connection((parts.hostname, parts.port), timeout=20) as line:
            line.sendall(b"GET /health HTTP/1.1\r\nHost: x\r\n")
            sent = 0
            try:
                while sent < 500 * MOST_BYTES:
                    sent += line.send(b"X-Padding: " + b"y" * 60_000 + b"\r\n")
            except OSError:
                pass
        assert sent < 400 * MOST_BYTES
        assert httpx.get(f"{parts.scheme}://{parts.netloc}/health").status_code == 200


async def slow(_: Any, receive: Any, send: Any) -> None:
    await receive()
    await asyncio.sleep(2 * SHORT)
    await send({"type": "http.response.start", "status": 204, "headers": []})
    await send({"type": "http.response.body", "body": b""})


async def seconds_to_the_end(line: bytes, pieces: float = 0.0) -> tuple[float, bytes]:
    """How long a server keeps a connection on which these bytes came, at once or one by one, and what it said."""
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        server = uvicorn.Server(configuration(slow))
        serving = asyncio.create_task(server.serve(sockets=[listening]))
        while not server.started:
            await asyncio.sleep(0.01)
        reader, writer = await asyncio.open_connection(*listening.getsockname())
        begin = time.monotonic()
        for at in range(len(line)) if pieces else ():
            writer.write(line[at : at + 1])
            await asyncio.sleep(pieces)
        if not pieces:
            writer.write(line)
        try:
            said = await asyncio.wait_for(reader.read(100), 5)
        except ConnectionError:
            said = b""
        writer.close()
        server.should_exit = True
        await serving
        return time.monotonic() - begin, said


@pytest.mark.parametrize(
    ("line", "pieces"),
    [(b"", 0.0), (WHOLE[:-4], 0.0), (WHOLE, 0.1), (WHOLE + WHOLE[:-4], 0.0)],
    ids=["nothing", "half", "letter by letter", "whole and half"],
)
def test_a_head_must_come_in_time(line: bytes, pieces: float, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http_head, "MOST_SECONDS", SHORT)
    taken, said = asyncio.run(seconds_to_the_end(line, pieces))
    assert said == b""
    assert SHORT * 0.9 < taken < 4.5


def test_a_slow_answer_to_a_whole_head_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http_head, "MOST_SECONDS", SHORT)
    assert asyncio.run(seconds_to_the_end(WHOLE))[1].startswith(b"HTTP/1.1 204")
