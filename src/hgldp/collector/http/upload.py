"""Uploads over HTTP, as plain ASGI: read the body with an end in sight, submit it, answer when it is durable."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from contextlib import suppress
from functools import lru_cache
from time import perf_counter
from typing import Any

from hgldp.collector.collector import Collector
from hgldp.collector.http.answers.responses import json_bytes
from hgldp.collector.http.connections.body_timeout import BodyTimeout
from hgldp.collector.http.connections.bounded_connection import WHOLE
from hgldp.collector.http.connections.client_address import Networks, address_of
from hgldp.collector.http.connections.ready_answer import answer_at_once
from hgldp.collector.http.documents.service import RECEIPT
from hgldp.collector.http.hosts import Hosts
from hgldp.collector.http.monitoring.upload_counts import UploadCounts
from hgldp.collector.http.turns import Turns
from hgldp.collector.problems import Problem, Refused
from hgldp.collector.writer import Intake
from hgldp.wire import api

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Headers = list[tuple[bytes, bytes]]

PREFIX = api.UPLOAD.partition("{")[0]
MEDIA_TYPES = (api.BYTES.encode(), api.PLAIN.encode())
PREFLIGHT_SECONDS = b"86400"
RETRY_SECONDS = 1
log = logging.getLogger("hgldp.collector")


class Uploads:
    """POST with a write key in the path; and OPTIONS, for browsers that ask first.

    Where an upload came from is asked only if its task has quotas to share. One that is refused waits for its turn, as
    questions do, so that accepted uploads do not wait for refused ones.
    """

    def __init__(self, collector: Collector, hosts: Hosts, trusted: Networks = ()) -> None:
        self._collector, self._hosts, self._trusted, self._turns = collector, hosts, trusted, Turns()
        self.counts = UploadCounts()
        self._limits = collector.limits
        self._timeout = BodyTimeout(collector.limits.body_seconds)

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """One request."""
        intake, shared = None, _NO_HEADERS
        try:
            intake = self._collector.find_key(scope["path"][len(PREFIX) :])
            length, media, origin = _read_headers(scope["headers"])
            if origin:
                shared = _sharing(intake, origin)
            self._hosts.check(scope["path"], scope["headers"])
            if scope["method"] != "POST":
                return await self._answer_other(scope["method"], intake, shared, send)
            task = self._checked(intake, length, media)
            accepted = await self._accept(task, scope, receive)
            if accepted is None:
                return None
            headers, thanks = _thanks(accepted, *shared)
            if answer_at_once(send, 200, headers, thanks):
                return None
            await send({"type": "http.response.start", "status": 200, "headers": list(headers)})
            return await send({"type": "http.response.body", "body": thanks})
        except Refused as refused:
            return await self._refuse(send, refused, intake, shared)
        except Exception:
            log.exception("upload failed")
            return await self._refuse(send, Refused(Problem.INTERNAL), intake, shared)

    async def _accept(self, task: Intake, scope: Message, receive: Receive) -> int | None:
        """How many reports of the body are durable now; None if the client went away before it was whole."""
        counts = self.counts
        counts.under_way += 1
        try:
            body = self._short_body(await receive()) if WHOLE in scope else await self._slow_body(receive)
            if body is None:
                return None
            begun = perf_counter()
            receipt = await task.submit(body, address_of(scope, self._trusted) if task.quotas else "")
        except asyncio.CancelledError:  # the server stops; if the reports became durable, the retry counts nothing
            raise Refused(Problem.SHUTTING_DOWN, retry_after=RETRY_SECONDS) from None
        finally:
            counts.under_way -= 1
        counts.accept(task.view.id, begun)
        return receipt.accepted

    async def _answer_other(self, method: str, intake: Intake | None, shared: Headers, send: Send) -> None:
        if method != "OPTIONS":
            await self._refuse(send, Refused(Problem.METHOD_NOT_ALLOWED), intake, [*shared, _ALLOW])
        elif intake is None:
            await self._refuse(send, Refused(Problem.UNKNOWN_KEY), None, shared)
        else:
            await _send(send, 204, [*_PREFLIGHT, *shared], b"")

    async def _refuse(self, send: Send, refused: Refused, intake: Intake | None, shared: Headers) -> None:
        if refused.problem is not Problem.SHUTTING_DOWN:
            with suppress(asyncio.CancelledError):  # the server stops: answer at once
                await self._turns.wait()
        self.counts.refuse(intake.view.id if intake else None, refused.problem)
        headers = [(name.encode(), value.encode()) for name, value in refused.headers.items()]
        await _send(send, refused.problem.status, [*headers, *shared], refused.body)

    def _checked(self, intake: Intake | None, length: bytes, media: bytes) -> Intake:
        """The task of the write key, if the body is worth reading."""
        if intake is None:
            raise Refused(Problem.UNKNOWN_KEY)
        if self.counts.under_way >= self._limits.requests:
            raise Refused(Problem.QUEUE_FULL, retry_after=RETRY_SECONDS)
        if media and media not in MEDIA_TYPES and media.partition(b";")[0].strip().lower() not in MEDIA_TYPES:
            raise Refused(Problem.WRONG_MEDIA_TYPE, f"send {api.BYTES} or {api.PLAIN}")
        if len(length) > 12 or (length.isdigit() and int(length) > self._limits.body_bytes):
            raise Refused(Problem.TOO_LARGE, self._too_large)
        return intake

    @property
    def _too_large(self) -> str:
        return f"an upload must have at most {self._limits.body_bytes} bytes"

    async def _slow_body(self, receive: Receive) -> bytes | None:
        """A body that may take time to come; None if the client went away."""
        task = self._timeout.begin()
        try:
            message = await receive()
            if message.get("more_body", False):
                return await self._long_body(receive, message.get("body", b""))
            return self._short_body(message)
        except asyncio.CancelledError:
            if self._timeout.was_over(task):
                raise Refused(Problem.UPLOAD_TIMEOUT) from None
            raise
        finally:
            self._timeout.end(task)

    def _short_body(self, message: Message) -> bytes | None:
        if message["type"] != "http.request":
            return None
        body: bytes = message.get("body", b"")
        if len(body) > self._limits.body_bytes:
            raise Refused(Problem.TOO_LARGE, self._too_large)
        return body

    async def _long_body(self, receive: Receive, first: bytes) -> bytes | None:
        body, more = bytearray(first), True
        while more:
            message = await receive()
            if message["type"] != "http.request":
                return None
            body += message.get("body", b"")
            if len(body) > self._limits.body_bytes:
                raise Refused(Problem.TOO_LARGE, self._too_large)
            more = message.get("more_body", False)
        return bytes(body)


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


def _sharing(intake: Intake | None, origin: bytes) -> Headers:
    """What lets pages of other sites read the answer, and how long to wait. Any may read that its key is wrong."""
    if intake is None:
        return [(b"access-control-allow-origin", b"*")]
    origins = intake.view.terms.origins
    if "*" in origins:
        return [(b"access-control-allow-origin", b"*"), _EXPOSED]
    if origin.decode("latin-1") in origins:
        return [(b"access-control-allow-origin", origin), _EXPOSED, (b"vary", b"origin")]
    return [(b"vary", b"origin")]


async def _send(send: Send, status: int, headers: Headers, body: bytes) -> None:
    length = [] if status == 204 else [(b"content-length", b"%d" % len(body))]
    await send({"type": "http.response.start", "status": status, "headers": [*headers, *length]})
    await send({"type": "http.response.body", "body": body})


@lru_cache(maxsize=1_024)
def _thanks(accepted: int, *shared: tuple[bytes, bytes]) -> tuple[tuple[tuple[bytes, bytes], ...], bytes]:
    """Headers and body of a receipt: the same for most uploads."""
    body = json_bytes(RECEIPT.of(accepted))
    return (*_ACCEPTED, (b"content-length", b"%d" % len(body)), *shared), body


_NO_HEADERS: Headers = []
_EXPOSED = (b"access-control-expose-headers", b"retry-after")
_ALLOW = (b"allow", b"POST, OPTIONS")
_ACCEPTED: Headers = [(b"content-type", api.JSON.encode()), (b"cache-control", b"no-store")]
_PREFLIGHT: Headers = [
    (b"access-control-allow-methods", b"POST"),
    (b"access-control-allow-headers", b"content-type"),
    (b"access-control-max-age", PREFLIGHT_SECONDS),
    _ALLOW,
]
