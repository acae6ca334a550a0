"""HTTP to one host: where it is, and one connection to it whose every answer has an end.

No redirect is followed, no proxy of the environment is used, and no header is sent that the caller did not name, apart
from the three that HTTP needs (Host, Accept-Encoding: identity, Content-Length).
"""

import re
import ssl
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from ipaddress import ip_address
from socket import SHUT_RDWR, socket
from threading import Timer
from urllib.parse import urlsplit

from hgldp.errors import HgldpError, InvalidField
from hgldp.system.dialling import Dialler

CHUNK = 1 << 16
LONGEST_SHOWN = 200
_PATH = re.compile(r"[A-Za-z0-9._~/-]*")
_HOST = re.compile(r"[A-Za-z0-9._-]+")


class Unreachable(HgldpError):
    """No usable answer came; the next attempt may go better.

    The message names no address. `reason` is for the person who gave the URL, and may. `begun` says whether an answer
    had started to come.
    """

    def __init__(self, message: str, reason: str = "", *, begun: bool = False) -> None:
        super().__init__(message)
        self.reason, self.begun = reason, begun


class AnswerTooLong(ValueError):
    """A body with more bytes than were allowed."""


class AnswerCutShort(ValueError):
    """A body with fewer bytes than its head promised."""


NOT_TLS = ("WRONG_VERSION_NUMBER", "RECORD_LAYER_FAILURE")  # as older and newer versions of OpenSSL call it
FAILURES = (OSError, HTTPException, ValueError)  # http.client raises ValueError for some heads and chunks


@dataclass(frozen=True)
class Address:
    """A URL taken apart. Plain http is for this machine only, unless the caller explicitly allows it.

    >>> Address.of("https://example.org/collector/")
    Address(host='example.org', port=443, encrypted=True, prefix='/collector')
    """

    host: str
    port: int
    encrypted: bool
    prefix: str = ""

    @classmethod
    def of(cls, url: str, *, allow_plain_http: bool = False) -> "Address":
        """Read a URL without user, query or fragment; the error shows it, but never a password or a token in it."""
        if not isinstance(url, str):
            raise InvalidField("url", "must be a text such as https://example.org", type(url).__name__)
        shown = _without_secrets(url)
        try:
            parts = urlsplit(url)
            host = parts.hostname
            port = parts.port
        except ValueError:
            raise InvalidField("url", "must be a URL such as https://example.org", shown) from None
        rest = (parts.username, parts.password, parts.query or None, parts.fragment or None)
        if parts.scheme not in ("https", "http") or not host or any(part is not None for part in rest):
            raise InvalidField("url", "must be https://HOST[:PORT][/PATH], without user, query or fragment", shown)
        if not url.isprintable() or not _is_host(host) or port == 0:
            raise InvalidField("url", "must be a URL such as https://example.org", shown)
        if not _PATH.fullmatch(parts.path):
            raise InvalidField("url", "must have a path of letters, digits and -._~/", shown)
        encrypted = parts.scheme == "https"
        if not encrypted and not allow_plain_http and not _is_loopback(host):
            raise InvalidField("url", "must be https, or http on this machine (allow_plain_http lifts this)", shown)
        return cls(host, port or _usual_port(encrypted), encrypted, parts.path.rstrip("/"))

    @property
    def origin(self) -> str:
        """The URL without its path, as a person would write it."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        port = "" if self.port == _usual_port(self.encrypted) else f":{self.port}"
        return f"{'https' if self.encrypted else 'http'}://{host}{port}"


@dataclass(frozen=True)
class Answer:
    """A status, a body no longer than was allowed, and how many seconds the server asks to wait."""

    status: int
    body: bytes
    wait: float | None = None


class Connection:
    """Requests one after another over one connection, which is given up after anything unexpected.

    `timeout` bounds each wait for the network. `deadline` bounds the opening of a connection, whatever the look-up of
    its name does, and then a whole request with its answer (None: no bound).
    """

    def __init__(
        self, address: Address, timeout: float, deadline: float | None, tls: ssl.SSLContext | None = None
    ) -> None:
        self._address, self._timeout, self._deadline = address, timeout, deadline
        self._tls = (tls or ssl.create_default_context()) if address.encrypted else None
        self._dialler = Dialler(self._dial)
        self._connection: HTTPConnection | None = None
        self._socket: socket | None = None  # http.client lets go of it as soon as an answer says it will close
        self._kept = False
        self._stopped = False

    def open(self) -> None:
        """Connect if there is no connection: until this has succeeded, nothing of a request has left."""
        try:
            self._open()
        except FAILURES as failure:
            self.rest()
            raise Unreachable(f"no usable answer ({type(failure).__name__})", _reason(failure)) from None

    def request(
        self, method: str, path: str, body: bytes | None, headers: Mapping[str, str], most_bytes: int
    ) -> Answer:
        """The whole answer. A kept connection that fails is replaced once: the server may have closed it while idle."""
        kept = self._kept
        try:
            return self._attempt(method, path, body, headers, most_bytes)
        except Unreachable:
            if not kept or self._stopped:
                raise
        return self._attempt(method, path, body, headers, most_bytes)

    @contextmanager
    def exchange(
        self, method: str, path: str, body: bytes | None, headers: Mapping[str, str]
    ) -> Iterator[HTTPResponse]:
        """The answer's head; read its body inside the block, with `pieces`. Any failure there is `Unreachable`."""
        watch: Timer | None = None
        begun = False
        try:
            connection = self._open()
            watch = self._watch()
            response = _answer(connection, method, self._address.prefix + path, body, headers)
            begun = True
            yield response
            self._kept = True
            if response.will_close:
                self.rest()
        except FAILURES as failure:
            self.rest()
            raise Unreachable(f"no usable answer ({type(failure).__name__})", _reason(failure), begun=begun) from None
        except BaseException:
            self.rest()
            raise
        finally:
            if watch is not None:
                watch.cancel()

    def rest(self) -> None:
        """Close the connection; the next request opens another."""
        connection, self._connection, self._kept = self._connection, None, False
        if connection is not None:
            connection.close()

    def stop(self) -> None:
        """Break off the request under way and refuse every later one; any thread may call this."""
        self._stopped = True
        self._dialler.hang_up()
        _cut(self._socket)

    def resume(self) -> None:
        """Allow requests again after `stop`."""
        self._stopped = False

    def _attempt(
        self, method: str, path: str, body: bytes | None, headers: Mapping[str, str], most_bytes: int
    ) -> Answer:
        with self.exchange(method, path, body, headers) as response:
            return Answer(response.status, b"".join(pieces(response, most_bytes)), _wait(response))

    def _open(self) -> HTTPConnection:
        if self._stopped:
            raise ConnectionAbortedError
        if self._connection is None:
            self._connection = self._dialler.connection(self._deadline)
            self._socket = self._connection.sock
        if self._stopped:  # whoever said so may have missed this socket
            raise ConnectionAbortedError
        return self._connection

    def _dial(self) -> HTTPConnection:
        host, port = self._address.host, self._address.port
        fresh = (
            HTTPSConnection(host, port, timeout=self._timeout, context=self._tls)
            if self._tls
            else HTTPConnection(host, port, timeout=self._timeout)
        )
        fresh.connect()
        return fresh

    def _watch(self) -> Timer | None:
        if self._deadline is None:
            return None
        watch = Timer(self._deadline, _cut, (self._socket,))
        watch.daemon = True
        watch.start()
        return watch


def _answer(
    connection: HTTPConnection, method: str, path: str, body: bytes | None, headers: Mapping[str, str]
) -> HTTPResponse:
    """The answer's head. Whoever refuses a large body may answer and hang up before all of it was sent."""
    try:
        connection.request(method, path, body, headers)
    except ConnectionError as failure:
        try:
            response = connection.getresponse()
        except FAILURES:
            raise failure from None
        response.will_close = True
        return response
    return connection.getresponse()


def pieces(response: HTTPResponse, most_bytes: int = sys.maxsize) -> Iterator[bytes]:
    """A body as it comes, up to a bound. A body that is longer, or shorter than its head promised, is an error."""
    read = response.read1 if response.chunked else response.read  # read() takes a chunk of "-1" bytes for all there is
    size = 0
    while piece := read(min(CHUNK, most_bytes + 1 - size)):
        size += len(piece)
        if size > most_bytes:
            raise AnswerTooLong(f"more than {most_bytes} bytes")
        yield piece
    if response.length:
        raise AnswerCutShort(f"{response.length} bytes are missing")


def _reason(failure: Exception) -> str:
    """In the system's words or ours, never in the server's: http.client repeats what it could not read."""
    if isinstance(failure, ssl.SSLError) and failure.reason in NOT_TLS:
        return "it does not speak TLS; check the port, or use http:// if it runs on this machine"
    told = str(failure) if isinstance(failure, AnswerTooLong | AnswerCutShort) else getattr(failure, "strerror", None)
    return told or type(failure).__name__


def _wait(response: HTTPResponse) -> float | None:
    header = response.getheader("Retry-After")
    return float(header) if header is not None and header.isascii() and header.isdigit() and len(header) < 10 else None


def _cut(found: socket | None) -> None:
    """End the connection below TLS: `SSLSocket.shutdown` would take that layer away from the thread that reads."""
    with suppress(OSError):
        if found is not None:
            socket.shutdown(found, SHUT_RDWR)


def _usual_port(encrypted: bool) -> int:
    return 443 if encrypted else 80


def _is_host(host: str) -> bool:
    try:
        ip_address(host)
    except ValueError:
        try:
            return bool(_HOST.fullmatch(host if host.isascii() else host.encode("idna").decode()))
        except UnicodeError:
            return False
    return True


def _is_loopback(host: str) -> bool:
    """Whether a host is this machine: by its number, or by the one name that always is."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _without_secrets(url: str) -> str:
    """Without a user and password, and without a query or fragment, which may hold a token."""
    _, at, rest = url.rpartition("@")
    public = re.split(r"[?#]", rest, maxsplit=1)
    shown = ("…@" if at else "") + public[0] + ("…" if len(public) > 1 else "")
    return repr(shown[:LONGEST_SHOWN])
