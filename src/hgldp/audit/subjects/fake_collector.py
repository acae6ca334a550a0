"""A collector that stores nothing: it shows one task and one bulletin, and notes which uploads come when.

It is a real HTTP server on this machine, so a client needs no change to be audited. Each draw has a write key of its
own, which tells whose upload it is.
"""

import json
import re
import secrets
import threading
import time
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any

from hgldp.errors import MalformedBytes
from hgldp.model.bulletins import AnyBulletin
from hgldp.model.task import Task
from hgldp.schemes.registry import scheme_of
from hgldp.wire import api
from hgldp.wire.bulletin_with_set import with_set
from hgldp.wire.upload import MOST_BYTES, Upload

MAX_AGE = 3_600
KEY_BYTES = 32
LENGTH = re.compile(r"[0-9]{1,18}")


@dataclass(frozen=True)
class Arrival:
    """One upload: after how many seconds it came, and its bytes."""

    seconds: float
    upload: bytes


class FakeCollector:
    """Serves until the block ends. `expect` makes the key of a draw, `arrived` says what came under it.

    >>> task = Task("pfr", epsilon=1.0, domain=64, k=5)
    >>> from hgldp.audit.bulletins import made_bulletins
    >>> with FakeCollector(task, made_bulletins(task)[0]) as collector:
    ...     collector.url.startswith("http://127.0.0.1:"), collector.arrived(collector.expect())
    (True, [])
    """

    def __init__(self, task: Task, bulletin: AnyBulletin) -> None:
        current = {"task": task.id.hex(), "bulletin": bulletin.version, "epoch": bulletin.epoch, "max_age": MAX_AGE}
        self.pages = {
            api.DOCUMENT.format(id=task.id.hex()): (api.JSON, task.canonical),
            api.CURRENT_BULLETIN.format(id=task.id.hex()): (api.JSON, json.dumps(current).encode()),
            api.BULLETIN.format(version=bulletin.version): (api.BYTES, bulletin.canonical),
            api.BULLETIN_WITH_SET.format(version=bulletin.version): (api.BYTES, with_set(bulletin, scheme_of(task))),
        }
        if task.hints is not None:
            self.pages[api.HINTS.format(sha256=task.hints.digest)] = (api.PLAIN, task.hints.data)
        self._lock = threading.Lock()
        self._started: dict[str, float] = {}
        self._arrived: dict[str, list[Arrival]] = {}
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _handler_of(self))
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True)

    @property
    def url(self) -> str:
        """Where it listens."""
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def expect(self) -> str:
        """A new write key; its time starts now."""
        key = secrets.token_urlsafe(KEY_BYTES)
        with self._lock:
            self._arrived[key] = []
            self._started[key] = time.monotonic()
        return key

    def note(self, key: str, upload: bytes) -> bool:
        """Keep an upload, if the key is known. A resend of the same bytes counts once, as with a real collector."""
        now = time.monotonic()
        with self._lock:
            if key not in self._arrived:
                return False
            if all(each.upload != upload for each in self._arrived[key]):
                self._arrived[key].append(Arrival(now - self._started[key], upload))
            return True

    def arrived(self, key: str) -> list[Arrival]:
        """What came under a key until now."""
        with self._lock:
            return list(self._arrived[key])

    def __enter__(self) -> "FakeCollector":
        self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


def _handler_of(collector: FakeCollector) -> type[BaseHTTPRequestHandler]:
    posting = api.UPLOAD.format(write_key="")

    class Handler(BaseHTTPRequestHandler):
        """The four paths that a client uses, and nothing else."""

        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True

        def do_GET(self) -> None:
            """The task, which bulletin is in force, or the bulletin."""
            found = collector.pages.get(self.path)
            self._answer(404, api.JSON, b"{}") if found is None else self._answer(200, *found)

        def do_POST(self) -> None:
            """An upload."""
            said = self.headers.get("content-length") or "0"
            whole = LENGTH.fullmatch(said) is not None
            length = int(said) if whole else 0
            if not 0 < length <= MOST_BYTES:
                self.close_connection = True
                self._answer(413 if whole else 400, api.JSON, b"{}")
                return
            body = self.rfile.read(length)
            try:
                count = Upload.decode(body).count
            except MalformedBytes:
                self._answer(400, api.JSON, b"{}")
                return
            known = self.path.startswith(posting) and collector.note(self.path.removeprefix(posting), body)
            self._answer(200 if known else 404, api.JSON, json.dumps({"accepted": count}).encode() if known else b"{}")

        def _answer(self, status: int, kind: str, body: bytes) -> None:
            self.send_response(status)
            self.send_header("content-type", kind)
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: Any) -> None:
            """A fake collector keeps no log: the key stands in the path."""

    return Handler
