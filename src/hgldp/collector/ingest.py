"""Uploads over HTTP, as plain ASGI: read the body with an end in sight, submit it, answer when it is durable."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from functools import lru_cache
from typing import Any

from hgldp.collector.collector import Collector
from hgldp.collector.patience import Patience
from hgldp.collector.problems import Problem, Refused
from hgldp.collector.views import TaskView

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Headers = list[tuple[bytes, bytes]]

PREFIX = "/v1/in/"
MEDIA_TYPES = (b"application/octet-stream", b"text/plain")
PREFLIGHT_SECONDS = b"86400"
RETRY_SECONDS = 1
log = logging.getLogger("hgldp.collector")


class Ingest:
    """POST /v1/in/{write key}; and OPTIONS, for browsers that ask first."""

    def __init__(self, collector: Collector) -> None:
        self._collector, self._limits = collector, collector.limits
        self._patience, self._under_way = Patience(collector.limits.body_seconds), 0

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """One request."""
        view, shared, self._under_way = None, _NO_HEADERS, self._under_way + 1
        try:
            view = self._collector.find_key(scope["path"][len(PREFIX) :])
            length, media, origin = _read_headers(scope["headers"])
            if origin:
                shared = _sharing(view, origin)
            if scope["method"] != "POST":
                return await _answer_other(scope["method"], view, shared, send)
            self._check(view, length, media)
            body = await self._body(receive)
            if body is None or view is None:
                return None
            receipt = await self._collector.submit(self._current(view), body)
            start, rest = _thanks(receipt.accepted, *shared)
            await send(start)
            return await send(rest)
        except Refused as refused:
            return await _refuse(send, refused, shared)
        except Exception:
            log.exception("upload failed")
            return await _refuse(send, Refused(Problem.INTERNAL), shared)
        finally:
            self._under_way -= 1

    def _check(self, view: TaskView | None, length: bytes, media: bytes) -> None:
        if view is None:
            raise Refused(Problem.UNKNOWN_KEY)
        if self._under_way > self._limits.requests:
            raise Refused(Problem.QUEUE_FULL, retry_after=RETRY_SECONDS)
        if media and media not in MEDIA_TYPES and media.partition(b";")[0].strip().lower() not in MEDIA_TYPES:
            raise Refused(Problem.WRONG_MEDIA_TYPE, "send application/octet-stream or text/plain")
        if len(length) > 12 or (length.isdigit() and int(length) > self._limits.body_bytes):
            raise Refused(Problem.TOO_LARGE, f"upload must be at most {self._limits.body_bytes} bytes")

    def _current(self, view: TaskView) -> TaskView:
        """A slow body may have outlived the view that its key was found in."""
        return self._collector.engine.views[view.number]

    async def _body(self, receive: Receive) -> bytes | None:
        """The whole body; None if the client went away."""
        task = self._patience.begin()
        try:
            message = await receive()
            if message.get("more_body", False):
                return await self._long_body(receive, message.get("body", b""))
            return (
                _limited(message.get("body", b""), self._limits.body_bytes)
                if message["type"] == "http.request"
                else None
            )
        except asyncio.CancelledError:
            if self._patience.was_over(task):
                raise Refused(Problem.UPLOAD_TIMEOUT) from None
            task.uncancel()
            raise Refused(Problem.SHUTTING_DOWN, retry_after=RETRY_SECONDS) from None
        finally:
            self._patience.end(task)

    async def _long_body(self, receive: Receive, first: bytes) -> bytes | None:
        body, more = bytearray(first), True
        while more:
            message = await receive()
            if message["type"] != "http.request":
                return None
            body += message.get("body", b"")
            _limited(body, self._limits.body_bytes)
            more = message.get("more_body", False)
        return bytes(body)


def _limited(body: bytes | bytearray, most: int) -> bytes:
    if len(body) > most:
        raise Refused(Problem.TOO_LARGE, f"upload must be at most {most} bytes")
    return body  # type: ignore[return-value]


def _read_headers(headers: Iterable[tuple[bytes, bytes]]) -> tuple[bytes, bytes, bytes]:
    length = media = origin = b""
    for name, value in headers:
        if name == b"content-length":
            length = value
        elif name == b"content-type":
            media = value
        elif name == b"origin":
            origin = value
    return length, media, origin


def _sharing(view: TaskView | None, origin: bytes) -> Headers:
    """Which pages of other hosts may read the answer."""
    if view is None:
        return _NO_HEADERS
    origins = view.terms.origins
    if "*" in origins:
        return [(b"access-control-allow-origin", b"*")]
    if origin.decode("latin-1") in origins:
        return [(b"access-control-allow-origin", origin), (b"vary", b"origin")]
    return [(b"vary", b"origin")]


async def _answer_other(method: str, view: TaskView | None, shared: Headers, send: Send) -> None:
    if method != "OPTIONS":
        await _refuse(send, Refused(Problem.METHOD_NOT_ALLOWED), [*shared, (b"allow", b"POST, OPTIONS")])
    elif view is None:
        await _refuse(send, Refused(Problem.UNKNOWN_KEY), shared)
    else:
        await _send(send, 204, [*_PREFLIGHT, *shared], b"")


async def _refuse(send: Send, refused: Refused, shared: Headers) -> None:
    headers = [(name.encode(), value.encode()) for name, value in refused.headers.items()]
    await _send(send, refused.problem.status, [*headers, *shared], refused.body)


async def _send(send: Send, status: int, headers: Headers, body: bytes) -> None:
    length = [] if status == 204 else [(b"content-length", b"%d" % len(body))]
    await send({"type": "http.response.start", "status": status, "headers": [*headers, *length]})
    await send({"type": "http.response.body", "body": body})


@lru_cache(maxsize=1_024)
def _thanks(accepted: int, *shared: tuple[bytes, bytes]) -> tuple[Message, Message]:
    """The two messages of a receipt: the same for most uploads, and nobody changes them."""
    body = b'{"accepted":%d}' % accepted
    headers = [*_ACCEPTED, (b"content-length", b"%d" % len(body)), *shared]
    return (
        {"type": "http.response.start", "status": 200, "headers": headers},
        {"type": "http.response.body", "body": body},
    )


_NO_HEADERS: Headers = []
_ACCEPTED: Headers = [(b"content-type", b"application/json"), (b"cache-control", b"no-store")]
_PREFLIGHT: Headers = [
    (b"access-control-allow-methods", b"POST"),
    (b"access-control-allow-headers", b"content-type"),
    (b"access-control-max-age", PREFLIGHT_SECONDS),
    (b"allow", b"POST, OPTIONS"),
]
