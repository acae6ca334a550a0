"""Logs, one line per event, without personal data: no key, token, query, body or client address."""

import asyncio
import json
import logging
import sys
import time
from collections.abc import Mapping
from typing import Any

from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from hgldp.collector.http.monitoring.log_lines import LogLines, standard_error
from hgldp.collector.http.monitoring.metrics import RequestCounts
from hgldp.collector.problems import Problem, Refused
from hgldp.wire import api

LOGGER = "hgldp.collector"
UNKNOWN_ROUTE = "(unknown)"
OF_MACHINES, UNSUCCESSFUL = (api.HEALTH, api.READY, api.METRICS), 400
SECURITY_HEADERS = ((b"x-content-type-options", b"nosniff"), (b"referrer-policy", b"no-referrer"))


class JsonLines(logging.Formatter):
    """For machines: one JSON object per line with time, level, event, and what the event carries.

    >>> record = logging.LogRecord("hgldp", logging.INFO, "", 0, "started", None, None)
    >>> record.created, record.fields = 0.0, {"tasks": 2}
    >>> JsonLines().format(record)
    '{"time":"1970-01-01T00:00:00.000Z","level":"info","event":"started","tasks":2}'
    """

    def format(self, record: logging.LogRecord) -> str:
        """The line."""
        line: dict[str, Any] = {
            "time": _time(record),
            "level": record.levelname.lower(),
            "event": record.getMessage(),
        }
        line |= getattr(record, "fields", {})
        if record.exc_info:
            line["failure"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False, separators=(",", ":"), default=str)


class TextLines(logging.Formatter):
    """For people: time of day, level, event, and what the event carries.

    >>> record = logging.LogRecord("hgldp", logging.INFO, "", 0, "started", None, None)
    >>> record.created, record.fields = 0.0, {"tasks": 2, "route": "/v1/tasks"}
    >>> TextLines().format(record)
    '00:00:00.000Z  info     started  tasks=2 route=/v1/tasks'
    """

    def format(self, record: logging.LogRecord) -> str:
        """The line; a traceback follows below it."""
        fields = " ".join(f"{name}={value}" for name, value in getattr(record, "fields", {}).items())
        event = record.getMessage().replace("\n", " ")
        line = f"{_time(record).partition('T')[2]}  {record.levelname.lower():<7}  {event}  {fields}".rstrip()
        return f"{line}\n{self.formatException(record.exc_info)}" if record.exc_info else line


FORMS: dict[str, type[logging.Formatter]] = {"json": JsonLines, "text": TextLines}


def start_logging(level: str, form: str | None = None) -> LogLines:
    """Log the collector and the server under it to standard error, but not the requests that the server logs itself.

    Unless a form is asked for, a terminal gets text and everything else gets JSON.
    """
    handler = LogLines(standard_error())
    handler.setFormatter(FORMS[form or ("text" if sys.stderr and sys.stderr.isatty() else "json")]())
    for name in (LOGGER, "uvicorn", "uvicorn.error", "asyncio"):
        logger = logging.getLogger(name)
        logger.handlers, logger.propagate = [handler], False
        logger.setLevel(level.upper() if name == LOGGER else logging.WARNING)
    logging.getLogger("uvicorn.access").disabled = True
    return handler


def lines_dropped() -> int:
    """How many log lines nobody took, since the start."""
    handlers = logging.getLogger(LOGGER).handlers
    return sum(each.dropped for each in handlers if isinstance(each, LogLines))


def _time(record: logging.LogRecord) -> str:
    seconds, milliseconds = divmod(int(record.created * 1000), 1000)
    return f"{time.strftime('%Y-%m-%dT%H:%M:%S', time.gmtime(seconds))}.{milliseconds:03d}Z"


def log(event: str, level: int = logging.INFO, **fields: object) -> None:
    """One line. Never give it an item, a key, a token or an address."""
    logging.getLogger(LOGGER).log(level, event, extra={"fields": fields})


class RequestLog:
    """Wraps the routes: counts and logs each request by the pattern of its route, never by what was typed.

    What balancers and Prometheus ask all day is logged at the level debug if it succeeds.
    It also adds `SECURITY_HEADERS` to each answer.
    """

    def __init__(self, app: ASGIApp, counts: RequestCounts, patterns: Mapping[Any, str]) -> None:
        self._app, self._counts, self._patterns = app, counts, patterns

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, note the status of the answer, then log it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        started, status, begun = time.perf_counter(), 500, False

        async def noting(message: Message) -> None:
            nonlocal status, begun
            if message["type"] == "http.response.start":
                status, begun = message["status"], True
                given = message.get("headers", [])
                names = {name for name, _ in given}
                message["headers"] = [*given, *(pair for pair in SECURITY_HEADERS if pair[0] not in names)]
            await send(message)

        try:
            await self._app(scope, receive, noting)
        except asyncio.CancelledError:  # the server stops
            if not begun:
                refused = Refused(Problem.SHUTTING_DOWN, retry_after=1)
                await Response(refused.body, refused.problem.status, refused.headers)(scope, receive, noting)
        finally:
            seconds, route = time.perf_counter() - started, self._patterns.get(scope.get("endpoint"), UNKNOWN_ROUTE)
            self._counts.note(route, status, seconds)
            level = logging.DEBUG if route in OF_MACHINES and status < UNSUCCESSFUL else logging.INFO
            log(
                "request",
                level,
                method=_method(scope),
                route=route,
                status=status,
                milliseconds=round(1000 * seconds, 1),
            )


def _method(scope: Scope) -> str:
    """Only a method that HTTP knows: clients may send any text."""
    known = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")
    return scope["method"] if scope["method"] in known else "OTHER"
