"""What the port answers while the collector recovers: that it lives, how far it is, and to come again."""

import threading

from starlette.types import ASGIApp, Receive, Scope, Send

from hgldp.collector.http.answers.responses import json_bytes
from hgldp.collector.problems import Problem, Refused
from hgldp.wire import api

RETRY_SECONDS = 1


class Stopped(Exception):
    """The recovery was asked to end."""


class Starting:
    """The application until `finish` is given the real one; connections that began before then reach it from here.

    The recovery calls `progress` from its own thread. After `stop` that raises `Stopped`.
    """

    def __init__(self, mount: str = "") -> None:
        self._app: ASGIApp | None = None
        self._health = (api.HEALTH, mount + api.HEALTH)
        self._stop = threading.Event()
        self.done, self.total = 0, 0

    def progress(self, done: int, total: int) -> None:
        """So much of the total is recovered, in whatever unit the recovery counts."""
        if self._stop.is_set():
            raise Stopped
        self.done, self.total = done, total

    def stop(self) -> None:
        """End the recovery at its next step."""
        self._stop.set()

    def finish(self, app: ASGIApp) -> None:
        """Recovered."""
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
        if self._app is not None:
            await self._app(scope, receive, send)
            return
        if scope["type"] != "http":
            return
        if scope["path"] in self._health and scope["method"] == "GET":
            body = json_bytes({"status": "starting", "done": self.done, "total": self.total})
            status, headers = 200, {"content-type": api.JSON, "cache-control": "no-store"}
        else:
            detail = f"{self.done} of {self.total} steps are done" if self.total else ""
            refused = Refused(Problem.STARTING, detail, RETRY_SECONDS)
            body, status, headers = refused.body, refused.problem.status, refused.headers
        pairs = [(name.encode(), value.encode()) for name, value in headers.items()]
        pairs.append((b"content-length", b"%d" % len(body)))
        await send({"type": "http.response.start", "status": status, "headers": pairs})
        await send({"type": "http.response.body", "body": body})
