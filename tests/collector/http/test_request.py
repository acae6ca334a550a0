"""Bodies that are no uploads have an end too, in bytes and in seconds, whoever sends them."""

import socket
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from hgldp.collector.settings import Limits
from tests.collector.live_service import ADMIN, Service, live_service
from tests.patience import PATIENCE


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Service]:
    with live_service(tmp_path / "data", limits=Limits(body_seconds=1)) as running:
        yield running


@pytest.mark.parametrize("path", ["/sign-in", "/v1/tasks"])
def test_a_body_that_does_not_arrive_is_not_waited_for(service: Service, path: str) -> None:
    place = urlsplit(service.url)
    with socket.create_connection((str(place.hostname), place.port or 0), timeout=PATIENCE) as stranger:
        head = f"POST {path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {ADMIN}\r\nContent-Length: 100\r\n\r\n"
        stranger.sendall(head.encode() + b"tok")
        assert stranger.recv(1 << 16).startswith(b"HTTP/1.1 408 ")
