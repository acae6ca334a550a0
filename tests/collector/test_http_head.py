"""The head of a request has an end in bytes; the parser by itself would take in all that comes."""

import socket
from pathlib import Path
from urllib.parse import urlsplit

import httpx

from hgldp.collector.http_head import MOST_BYTES
from tests.cli.test_serve import started


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
