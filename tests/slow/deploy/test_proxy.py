"""Caddy with our Caddyfile, as a process, in front of a server that says what it got."""

import json
from collections.abc import Iterator
from contextlib import AbstractContextManager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Event, Thread

import httpx
import pytest

from tests.free_port import free_port
from tests.patience import PATIENCE
from tests.slow.deploy.caddy import running_caddy
from tests.slow.deploy.files import DEPLOY
from tests.slow.deploy.programs import ran, require

CADDYFILE = (DEPLOY / "compose/Caddyfile").read_text(encoding="utf-8")
KEY = "a-write-key-that-nobody-may-read"


arrived = Event()


class _Echo(BaseHTTPRequestHandler):
    """Answers with the headers of the request; /stream in two pieces, the second when the first has arrived."""

    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        if self.path == "/stream":
            self.send_response(200)
            self.send_header("content-type", "text/event-stream")
            self.end_headers()
            self.wfile.write(b"data: 1\n\n")
            arrived.wait(PATIENCE)
            self.wfile.write(b"data: 2\n\n")
            self.close_connection = True
            return
        body = json.dumps({"path": self.path, "headers": {k.lower(): v for k, v in self.headers.items()}}).encode()
        self.send_response(200)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["content-length"]))
        self.do_GET()

    def log_message(self, *_: object) -> None:
        pass


def behind_caddy(tmp_path: Path, upstream: int) -> AbstractContextManager[tuple[httpx.Client, Path]]:
    return running_caddy(tmp_path, CADDYFILE.replace("collector:8080", f"127.0.0.1:{upstream}"))


@pytest.fixture
def echo() -> Iterator[int]:
    require("caddy")
    with ThreadingHTTPServer(("127.0.0.1", 0), _Echo) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield server.server_address[1]
        server.shutdown()


def test_caddy_takes_the_file_as_it_is(tmp_path: Path) -> None:
    require("caddy")
    words = ("caddy", "validate", "--adapter", "caddyfile", "--config", str(DEPLOY / "compose/Caddyfile"))
    done = ran(*words, HOME=str(tmp_path))
    assert done.returncode == 0, done.stderr
    assert '"level":"warn"' not in done.stderr


def test_clients_cannot_choose_their_address_nor_see_the_metrics(tmp_path: Path, echo: int) -> None:
    lies = {"x-forwarded-for": "192.0.2.1", "forwarded": "for=192.0.2.2", "x-real-ip": "192.0.2.3"}
    with behind_caddy(tmp_path, echo) as (http, _):
        got = http.get("/v1/tasks", headers=lies).json()["headers"]
        assert got["x-forwarded-for"] == "127.0.0.1"
        assert got["host"] == http.base_url.netloc.decode(), "the collector answers 421 for any other"
        assert "192.0.2" not in json.dumps(got)
        for path in ("/metrics", "/METRICS", "/metrics/", "/%6detrics"):
            assert http.get(path).status_code == 404, path


def test_bodies_have_an_end_and_streams_arrive_at_once(tmp_path: Path, echo: int) -> None:
    with behind_caddy(tmp_path, echo) as (http, _):
        assert http.post(f"/v1/in/{KEY}", content=bytes(300_000)).status_code == 200
        assert http.post(f"/v1/in/{KEY}", content=bytes(2_000_000)).status_code in (413, 502)
        arrived.clear()
        with http.stream("GET", "/stream") as answer:
            pieces = answer.iter_raw()
            assert next(pieces) == b"data: 1\n\n"
            arrived.set()
            assert b"".join(pieces) == b"data: 2\n\n"


def test_no_log_tells_a_key_a_token_or_an_address(tmp_path: Path) -> None:
    """With nothing behind it, Caddy has an error to tell for each request."""
    require("caddy")
    with behind_caddy(tmp_path, free_port()) as (http, log):
        assert http.post(f"/v1/in/{KEY}", content=b"x").status_code == 502
        assert http.get(f"/tasks?token={KEY}", headers={"authorization": f"Bearer {KEY}"}).status_code == 502
        said = log.read_text()
    assert "502" in said or "connection refused" in said
    assert KEY not in said
    assert "remote_ip" not in said
