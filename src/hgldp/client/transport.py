"""Bytes to one host and back, within bounds: no redirect, no proxy, no cookie, no ETag, no answer without an end."""

import ssl
from contextlib import suppress
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from socket import SHUT_RDWR, socket
from threading import Lock, Timer

from hgldp.client.address import Address
from hgldp.client.refusals import Unreachable

MOST_ANSWER = 1 << 16
CHUNK = 1 << 16


@dataclass(frozen=True)
class Answer:
    """A status, a body no longer than was allowed, and how many seconds the server asks to wait."""

    status: int
    body: bytes
    wait: float | None = None


class Transport:
    """Requests one after another over one connection, which is given up after anything unexpected."""

    def __init__(self, address: Address, timeout: float, deadline: float, tls: ssl.SSLContext | None = None) -> None:
        self._address, self._timeout, self._deadline = address, timeout, deadline
        self._tls = (tls or ssl.create_default_context()) if address.encrypted else None
        self._connection: HTTPConnection | None = None
        self._socket: socket | None = None  # http.client lets go of it as soon as an answer says it will close
        self._stopped, self._lock = False, Lock()

    def get(self, path: str, most_bytes: int = MOST_ANSWER) -> Answer:
        """Fetch. Nothing that an earlier answer said is ever sent back, or it would be a cookie."""
        return self._request("GET", path, None, most_bytes)

    def post(self, path: str, body: bytes) -> Answer:
        """Send bytes as they are."""
        return self._request("POST", path, body, MOST_ANSWER)

    def rest(self) -> None:
        """Let the connection go until there is something to say again."""
        with self._lock:
            connection, self._connection = self._connection, None
        if connection is not None:
            connection.close()

    def stop(self) -> None:
        """Break off what is under way and refuse what comes."""
        with self._lock:
            self._stopped = True
        _cut(self._socket)

    def resume(self) -> None:
        """Take requests again."""
        self._stopped = False

    def _request(self, method: str, path: str, body: bytes | None, most_bytes: int) -> Answer:
        reused = self._connection is not None
        try:
            return self._attempt(method, path, body, most_bytes)
        except (OSError, HTTPException, ValueError) as failure:
            self.rest()
            if not reused or self._stopped:
                raise Unreachable(f"no usable answer ({type(failure).__name__})") from None
        try:  # the server may have closed an idle connection; the bytes are the same, so nothing is counted twice
            return self._attempt(method, path, body, most_bytes)
        except (OSError, HTTPException, ValueError) as failure:
            self.rest()
            raise Unreachable(f"no usable answer ({type(failure).__name__})") from None

    def _attempt(self, method: str, path: str, body: bytes | None, most_bytes: int) -> Answer:
        connection = self._open()
        watch = Timer(self._deadline, _cut, (self._socket,))
        watch.daemon = True
        watch.start()
        try:
            headers = {"Content-Type": "application/octet-stream"} if body is not None else {}
            connection.request(method, self._address.prefix + path, body, headers)
            response = connection.getresponse()
            answer = Answer(response.status, _read(response, most_bytes), _wait(response.getheader("Retry-After")))
            if response.will_close:
                self.rest()
            return answer
        finally:
            watch.cancel()

    def _open(self) -> HTTPConnection:
        if self._connection is None:
            host, port = self._address.host, self._address.port
            fresh = (
                HTTPSConnection(host, port, timeout=self._timeout, context=self._tls)
                if self._tls
                else HTTPConnection(host, port, timeout=self._timeout)
            )
            fresh.connect()
            self._connection, self._socket = fresh, fresh.sock
        with self._lock:
            if self._stopped or self._connection is None:
                raise ConnectionAbortedError
            return self._connection


def _read(response: HTTPResponse, most_bytes: int) -> bytes:
    body = bytearray()
    read = response.read1 if response.chunked else response.read  # read() takes a chunk of "-1" bytes for all there is
    while piece := read(min(CHUNK, most_bytes + 1 - len(body))):
        body += piece
        if len(body) > most_bytes:
            raise ValueError("too long")
    if response.length:
        raise ValueError("cut short")
    return bytes(body)


def _wait(header: str | None) -> float | None:
    return float(header) if header is not None and header.isascii() and header.isdigit() and len(header) < 10 else None


def _cut(found: socket | None) -> None:
    with suppress(OSError):
        if found is not None:
            found.shutdown(SHUT_RDWR)
