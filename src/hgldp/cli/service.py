"""Questions to a collector over HTTP: one connection a question, and every refusal one sentence."""

import json
import os
import ssl
from collections.abc import Iterator
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from typing import Any
from urllib.parse import SplitResult, urlencode, urlsplit

from hgldp.errors import HgldpError, InvalidField

TIMEOUT_SECONDS = 30
MOST_BYTES = 1 << 26
TOKEN_VARIABLE = "HGLDP_TOKEN"  # noqa: S105 - a variable's name

HOW_TO = {401: f" (give it with --token, or set {TOKEN_VARIABLE})"}


class Unreachable(HgldpError):
    """Nobody answers, or not in HTTP."""


class Turned(HgldpError):
    """The collector answered with a problem."""

    def __init__(self, status: int, reason: str) -> None:
        super().__init__(f"the collector answered {status}: {reason}")
        self.status = status


class Service:
    """A collector at a URL, and the token to show it, from the command line or the environment."""

    def __init__(self, url: str, token: str | None = None) -> None:
        self._parts = _checked(url)
        self._token = token if token is not None else os.environ.get(TOKEN_VARIABLE, "")
        if not self._token.isascii() or not self._token.isprintable():
            raise InvalidField("token", "must be plain letters, digits, - and _", "another text (withheld)")

    def get(self, path: str, **query: object) -> Any:
        """A JSON document."""
        return self._document("GET", path, None, query)

    def post(self, path: str, document: object = None) -> Any:
        """The JSON answer to a JSON document."""
        body = b"" if document is None else json.dumps(document).encode()
        return self._document("POST", path, body, {})

    def download(self, path: str, **query: object) -> Iterator[bytes]:
        """A file, piece by piece; nothing comes before the answer is known to be good."""
        connection, answer = self._ask("GET", path, None, query)
        try:
            while part := answer.read(1 << 16):
                yield part
            if answer.length:
                raise Unreachable(f"the collector at {self._name} broke off")
        except (OSError, HTTPException):
            raise Unreachable(f"the collector at {self._name} broke off") from None
        finally:
            connection.close()

    @property
    def _name(self) -> str:
        return f"{self._parts.scheme}://{self._parts.netloc}"

    def _document(self, method: str, path: str, body: bytes | None, query: dict[str, object]) -> Any:
        connection, answer = self._ask(method, path, body, query)
        try:
            return json.loads(_limited(answer))
        except (OSError, HTTPException, ValueError, RecursionError):
            raise Unreachable(f"the answer of {self._name} must be JSON: is it a collector?") from None
        finally:
            connection.close()

    def _ask(
        self, method: str, path: str, body: bytes | None, query: dict[str, object]
    ) -> tuple[HTTPConnection, HTTPResponse]:
        given = {name: value for name, value in query.items() if value is not None}
        target = f"{path}?{urlencode(given)}" if given else path
        headers = {"accept": "*/*", **({"authorization": f"Bearer {self._token}"} if self._token else {})}
        if body is not None:
            headers["content-type"] = "application/json"
        connection = self._connect()
        try:
            connection.request(method, target, body, headers)
            answer = connection.getresponse()
            if answer.status not in (200, 201):
                raise Turned(answer.status, _reason(_limited(answer)) + HOW_TO.get(answer.status, ""))
        except (OSError, HTTPException) as failure:
            connection.close()
            reason = getattr(failure, "strerror", None) or type(failure).__name__
            raise Unreachable(f"no collector answers at {self._name} ({reason})") from None
        except HgldpError:
            connection.close()
            raise
        return connection, answer

    def _connect(self) -> HTTPConnection:
        host, port = self._parts.hostname or "", self._parts.port
        if self._parts.scheme == "https":
            return HTTPSConnection(host, port, timeout=TIMEOUT_SECONDS, context=ssl.create_default_context())
        return HTTPConnection(host, port, timeout=TIMEOUT_SECONDS)


def _checked(url: str) -> SplitResult:
    rule = "must be like http://127.0.0.1:8080, without a path"
    try:
        parts = urlsplit(url)
        _ = parts.port
        legal = parts.scheme in ("http", "https") and bool(parts.hostname) and url.isascii() and url.isprintable()
        if not legal or parts.path.strip("/") or parts.query or parts.username:
            raise InvalidField("url", rule, "another")
    except ValueError:
        raise InvalidField("url", rule, "another") from None
    return parts


def _limited(answer: HTTPResponse) -> bytes:
    body = answer.read(MOST_BYTES + 1)
    if len(body) > MOST_BYTES:
        raise Unreachable(f"an answer must have at most {MOST_BYTES} bytes")
    return body


def _reason(body: bytes) -> str:
    """The words of a problem document, made safe for a terminal."""
    try:
        problem = json.loads(body)
        text = ": ".join(str(problem[name]) for name in ("title", "detail") if name in problem)
    except (ValueError, TypeError, KeyError, RecursionError):
        text = ""
    printable = "".join(letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in text)
    return printable[:500] or "no reason given"
