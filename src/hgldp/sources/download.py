"""One file from the web, all of it: a part that was cut off is gone on with if it is still the same file.

It uses urllib and not `hgldp.system.http`, because public files are often behind redirects and proxies.
"""

import http.client
from collections.abc import Callable
from dataclasses import dataclass
from http import HTTPStatus
from http.client import HTTPMessage
from pathlib import Path
from typing import IO
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
from urllib.request import (
    HTTPDefaultErrorHandler,
    HTTPErrorProcessor,
    HTTPHandler,
    HTTPRedirectHandler,
    HTTPSHandler,
    OpenerDirector,
    ProxyHandler,
    Request,
)

from hgldp.errors import InvalidField
from hgldp.sources.datasets import SCHEMES, check_address

BLOCK = 1 << 16
SECONDS_OF_SILENCE = 60.0
RULE = "must be served whole"
Advance = Callable[[int, int], None]


class _CarefulRedirects(HTTPRedirectHandler):
    """To the web alone, and never from a protected address to an open one."""

    def redirect_request(
        self, req: Request, fp: IO[bytes], code: int, msg: str, headers: HTTPMessage, newurl: str
    ) -> Request | None:
        """The request that follows, or a refusal."""
        kind = urlsplit(newurl).scheme
        if kind not in SCHEMES or (req.type == "https" and kind != "https"):
            fp.close()
            raise InvalidField("address", "must lead to http or https, and from https only to https", newurl)
        return super().redirect_request(req, fp, code, msg, headers, newurl)


def _opener() -> OpenerDirector:
    opener = OpenerDirector()
    handlers = (ProxyHandler, HTTPHandler, HTTPSHandler, HTTPErrorProcessor, HTTPDefaultErrorHandler, _CarefulRedirects)
    for handler in handlers:
        opener.add_handler(handler())
    return opener


@dataclass(frozen=True)
class _Part:
    """What has arrived so far, and beside it the mark by which the server knows the file it is a part of."""

    path: Path

    @property
    def _mark_path(self) -> Path:
        return self.path.with_name(self.path.name + "-of")

    @property
    def size(self) -> int:
        return self.path.stat().st_size if self.path.exists() else 0

    @property
    def mark(self) -> str:
        return self._mark_path.read_text(encoding="latin-1") if self._mark_path.exists() else ""

    def begin(self, mark: str) -> None:
        self.path.unlink(missing_ok=True)
        self._mark_path.write_text(mark, encoding="latin-1")

    def forget_mark(self) -> None:
        self._mark_path.unlink(missing_ok=True)


def download(address: str, path: Path, advance: Advance | None = None, *, silence: float = SECONDS_OF_SILENCE) -> None:
    """All of an address in a file. If it fails, what has arrived stays there for the next time."""
    check_address(address)
    part = _Part(path)
    headers = {"User-Agent": "hgldp", "Accept-Encoding": "identity"}
    if part.size and part.mark:
        headers |= {"Range": f"bytes={part.size}-", "If-Range": part.mark}
    try:
        with _opener().open(Request(address, headers=headers), timeout=silence) as answer:  # noqa: S310 - checked
            _receive(answer, part, advance)
    except HTTPError as refusal:
        refusal.close()
        if refusal.code == HTTPStatus.REQUESTED_RANGE_NOT_SATISFIABLE:
            part.begin("")
            return download(address, path, advance, silence=silence)
        raise InvalidField(address, RULE, f"{refusal.code} {refusal.reason}") from None
    except TimeoutError:
        raise InvalidField(address, RULE, f"silence for {silence:g} seconds") from None
    except (URLError, http.client.HTTPException, ConnectionError) as failure:
        reason = failure.reason if isinstance(failure, URLError) else failure
        raise InvalidField(address, RULE, f"a failure ({reason or type(failure).__name__})") from None
    part.forget_mark()
    return None


def _receive(answer: http.client.HTTPResponse, part: _Part, advance: Advance | None) -> None:
    done, whole = _extent(answer)
    if answer.status != HTTPStatus.PARTIAL_CONTENT:
        part.begin(_mark(answer))
    elif done != part.size:
        raise InvalidField(answer.url, RULE, "another part than was asked for")
    with part.path.open("ab") as file:
        while block := answer.read(BLOCK):
            file.write(block)
            done += len(block)
            if advance is not None:
                advance(done, max(done, whole or 0))
    if whole is not None and done != whole:
        raise InvalidField(answer.url, RULE, f"{done} of {whole} bytes; what has arrived is kept for the next time")


def _extent(answer: http.client.HTTPResponse) -> tuple[int, int | None]:
    """Where the answer starts in the file, and how long the whole file is, if the server says so."""
    length = answer.headers.get("Content-Length", "")
    if answer.status != HTTPStatus.PARTIAL_CONTENT:
        return 0, int(length) if length.isdecimal() else None
    span, _, whole = answer.headers.get("Content-Range", "").removeprefix("bytes ").partition("/")
    first = span.partition("-")[0]
    if not (first.isdecimal() and whole.isdecimal()):
        raise InvalidField(answer.url, RULE, "a part that does not say which")
    return int(first), int(whole)


def _mark(answer: http.client.HTTPResponse) -> str:
    """A strong ETag or the time of the last change; nothing if there is neither."""
    tag = answer.headers.get("ETag", "")
    return answer.headers.get("Last-Modified", "") if not tag or tag.startswith("W/") else tag
