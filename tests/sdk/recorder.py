"""A proxy in front of a collector that writes down every byte that a browser sends, and may answer in its place."""

import http.client
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit

from tests.patience import PATIENCE

PASSED_ON = (
    "content-type",
    "authorization",
    "origin",
    "access-control-request-method",
    "access-control-request-headers",
)


@dataclass(frozen=True)
class Asked:
    """One request, as it came."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytes

    @property
    def everything(self) -> bytes:
        """All of it in one piece, to search in."""
        lines = [f"{self.method} {self.path}", *(f"{name}: {value}" for name, value in self.headers.items())]
        return "\n".join(lines).encode() + b"\n\n" + self.body


@dataclass(frozen=True)
class Answered:
    """What the browser gets."""

    status: int
    headers: dict[str, str]
    body: bytes


Meddling = Callable[[Asked, Callable[[], Answered]], Answered | None]


@dataclass
class Recorder:
    """What was asked so far. `meddle` may answer in the collector's place; None hangs up."""

    url: str = ""
    asked: list[Asked] = field(default_factory=list)
    meddle: Meddling | None = None

    @property
    def uploads(self) -> list[Asked]:
        return [each for each in self.asked if each.method == "POST"]


def _handler(recorder: Recorder, upstream: str) -> type[BaseHTTPRequestHandler]:
    target = urlsplit(upstream)

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name is the standard library's
            """Be quiet."""

        def _serve(self) -> None:
            body = self.rfile.read(int(self.headers.get("content-length") or 0))
            headers = {name.lower(): value for name, value in self.headers.items()}
            asked = Asked(self.command, self.path, headers, body)
            recorder.asked.append(asked)

            def really() -> Answered:
                connection = http.client.HTTPConnection(target.hostname or "", target.port, timeout=PATIENCE)
                try:
                    kept = {name: value for name, value in headers.items() if name in PASSED_ON}
                    connection.request(self.command, self.path, body or None, kept)
                    answer = connection.getresponse()
                    return Answered(answer.status, dict(answer.getheaders()), answer.read())
                finally:
                    connection.close()

            answer = recorder.meddle(asked, really) if recorder.meddle else really()
            if answer is None:
                self.close_connection = True
                return
            self.send_response(answer.status)
            for name, value in answer.headers.items():
                if name.lower() not in ("content-length", "transfer-encoding", "connection", "date", "server"):
                    self.send_header(name, value)
            if answer.status != 204:
                self.send_header("content-length", str(len(answer.body)))
            self.end_headers()
            self.wfile.write(answer.body)

    for method in ("GET", "POST", "OPTIONS"):
        setattr(Handler, f"do_{method}", Handler._serve)
    return Handler


@contextmanager
def recording(upstream: str) -> Iterator[Recorder]:
    """A recorder in front of a collector, on a port of its own."""
    recorder = Recorder()
    with served(_handler(recorder, upstream)) as url:
        recorder.url = url
        yield recorder


class QuietServer(ThreadingHTTPServer):
    """A browser that hangs up is not worth a word."""

    def handle_error(self, request: object, client_address: object) -> None:
        """Say nothing."""


@contextmanager
def served(handler: type[BaseHTTPRequestHandler]) -> Iterator[str]:
    """A server in threads, on a free port of this machine."""
    server = QuietServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join(PATIENCE)
