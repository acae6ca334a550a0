"""Questions to a collector over HTTP: JSON in, JSON out, and every refusal one sentence."""

import json
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPResponse
from time import monotonic
from typing import Any
from urllib.parse import urlencode

from hgldp.errors import HgldpError, InvalidField, MalformedBytes
from hgldp.system.http import Address, Connection, Unreachable, pieces
from hgldp.wire import api
from hgldp.wire.strict_json import read_json

__all__ = ["Service", "Turned", "Unreachable"]

TIMEOUT_SECONDS = 30
WHOLE_SECONDS = 120
MOST_BYTES = 1 << 26
LONGEST_REASON = 500
TOKEN_VARIABLE = "HGLDP_TOKEN"  # noqa: S105 - a variable's name

MALFORMED, NO_TOKEN = 400, 401
WHICH_TOKEN = f"give the admin token, or for results the read token of the task, with --token or {TOKEN_VARIABLE}"
WHERE = "start one with hgldp serve, or give --url or HGLDP_URL"
_OF_A_FIELD = re.compile(r"(\w+) (.+), got (.*)")


class Turned(HgldpError):
    """The collector answered with a problem."""

    def __init__(self, status: int, reason: str) -> None:
        super().__init__(f"the collector answered {status}: {reason}")
        self.status, self.reason = status, reason


class Service:
    """A collector at a URL, and the token to show it, from the command line or the environment."""

    def __init__(self, url: str, token: str | None = None) -> None:
        self._address = _address(url)
        self._token = token if token is not None else os.environ.get(TOKEN_VARIABLE, "")
        if not self._token.isascii() or not self._token.isprintable():
            raise InvalidField("token", "must be plain letters, digits, - and _", "other characters (withheld)")

    @property
    def has_token(self) -> bool:
        """Whether there is a token to send."""
        return bool(self._token)

    def get(self, path: str, **query: object) -> Any:
        """A JSON document. A query's None is left out."""
        return self._document("GET", path, None, query)

    def post(self, path: str, document: object = None) -> Any:
        """The JSON answer to a JSON document."""
        body = b"" if document is None else json.dumps(document).encode()
        return self._document("POST", path, body, {})

    def download(self, path: str, **query: object) -> Iterator[bytes]:
        """A file of any length, piece by piece. Nothing is yielded before the collector has answered with success."""
        with self._answer("GET", path, None, query, within=None) as answer:
            yield from pieces(answer)

    def fetch(self, path: str, document: object = None, *, most_bytes: int = MOST_BYTES, **query: object) -> bytes:
        """A file in one piece; the answer to a JSON document if there is one. A longer or slow one is refused."""
        method, body = ("GET", None) if document is None else ("POST", json.dumps(document).encode())
        return self._whole(method, path, body, query, most_bytes)

    def _whole(
        self, method: str, path: str, body: bytes | None, query: dict[str, object], most_bytes: int = MOST_BYTES
    ) -> bytes:
        with self._answer(method, path, body, query, within=WHOLE_SECONDS) as answer:
            return b"".join(pieces(answer, most_bytes))

    def _document(self, method: str, path: str, body: bytes | None, query: dict[str, object]) -> Any:
        data = self._whole(method, path, body, query)
        try:
            return read_json(data)
        except MalformedBytes:
            raise Unreachable(
                f"the answer of {self._address.origin}{self._address.prefix} must be JSON: is it a collector?"
            ) from None

    @contextmanager
    def _answer(
        self, method: str, path: str, body: bytes | None, query: dict[str, object], *, within: float | None
    ) -> Iterator[HTTPResponse]:
        """A successful answer with its body still unread, on a new connection: people ask rarely.

        All of it must come `within` so many seconds, if there is such a limit.
        """
        given = {name: value for name, value in query.items() if value is not None}
        target = f"{path}?{urlencode(given)}" if given else path
        connection, begun = Connection(self._address, TIMEOUT_SECONDS, deadline=within), monotonic()
        try:
            with connection.exchange(method, target, body, self._headers(body)) as answer:
                if answer.status in (200, 201):
                    yield answer
                    if _is_late(begun, within):  # cut off, which looks like an end if the head promised no length
                        raise TimeoutError
                    return
                problem = b"".join(pieces(answer, MOST_BYTES))
            raise self._refusal(answer.status, problem)
        except Unreachable as failure:
            place = self._address.origin + self._address.prefix
            if _is_late(begun, within):
                raise Unreachable(f"the collector at {place} took more than {within:g} seconds to answer") from None
            if failure.begun:
                raise Unreachable(f"the collector at {place} broke off ({failure.reason})") from None
            raise Unreachable(f"no collector answers at {place} ({failure.reason}); {WHERE}") from None
        finally:
            connection.rest()

    def _refusal(self, status: int, body: bytes) -> HgldpError:
        """A wrong value is raised as if it had been found here, so that the message names the option that was typed."""
        if status == NO_TOKEN:
            found = "this is not the right token" if self._token else "this needs a token"
            return Turned(status, f"{found}: {WHICH_TOKEN}")
        title, detail = _problem(body)
        if status == MALFORMED and (wrong := _OF_A_FIELD.fullmatch(detail)):
            return InvalidField(*wrong.groups())
        return Turned(status, ": ".join(part for part in (title, detail) if part) or "no reason given")

    def _headers(self, body: bytes | None) -> dict[str, str]:
        headers = {"accept": "*/*"}
        if self._token:
            headers["authorization"] = f"Bearer {self._token}"
        if body is not None:
            headers["content-type"] = api.JSON
        return headers


def _is_late(begun: float, within: float | None) -> bool:
    return within is not None and monotonic() - begun >= within


def _address(url: str) -> Address:
    rule = "must be like http://127.0.0.1:8080 or https://example.org/path"
    try:
        address = Address.of(url, allow_plain_http=True)
    except InvalidField as wrong:
        raise InvalidField("url", rule, wrong.value) from None
    if not url.isascii():
        raise InvalidField("url", rule, repr(url))
    return address


def _problem(body: bytes) -> tuple[str, str]:
    """The title and the detail of a problem document, made safe for a terminal."""
    try:
        problem: Any = read_json(body)
        return _printable(problem.get("title", "")), _printable(problem.get("detail", ""))
    except (MalformedBytes, AttributeError):
        return "", ""


def _printable(text: object) -> str:
    shown = str(text)[:LONGEST_REASON]
    return "".join(letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in shown)
