"""The one HTTP client: which URLs it takes, what it shows of one it refuses, and that every answer has an end."""

import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

import pytest

from hgldp.errors import InvalidField
from hgldp.model.budget import Budget
from hgldp.model.domain import RangeDomain
from hgldp.model.task import Task
from hgldp.system.http import Address, Connection, Unreachable, pieces
from tests.client.hostile_server import HostileServer, Request, answer
from tests.patience import PATIENCE

LARGE = 1 << 25  # more than the system takes before the other side has read any of it


@pytest.fixture
def server() -> Iterator[HostileServer]:
    server = HostileServer(Task("dsr", Budget(1.0), RangeDomain(10), k=1, other=True))
    yield server
    server.close()


@pytest.fixture
def connection(server: HostileServer) -> Iterator[Connection]:
    connection = Connection(Address.of(server.url), timeout=PATIENCE, deadline=PATIENCE)
    yield connection
    connection.rest()


@pytest.mark.parametrize(
    ("url", "host", "port", "encrypted", "prefix", "origin"),
    [
        ("https://example.org", "example.org", 443, True, "", "https://example.org"),
        ("https://Example.org:8443/a/b/", "example.org", 8443, True, "/a/b", "https://example.org:8443"),
        ("http://127.0.0.1:8080", "127.0.0.1", 8080, False, "", "http://127.0.0.1:8080"),
        ("http://localhost/", "localhost", 80, False, "", "http://localhost"),
        ("http://[::1]:81", "::1", 81, False, "", "http://[::1]:81"),
        ("https://tée.example", "tée.example", 443, True, "", "https://tée.example"),
    ],
)
def test_a_url_is_taken_apart(url: str, host: str, port: int, encrypted: bool, prefix: str, origin: str) -> None:
    address = Address.of(url)
    assert address == Address(host, port, encrypted, prefix)
    assert address.origin == origin


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("", "''"),
        ("example.org", "'example.org'"),
        ("ftp://example.org", "'ftp://example.org'"),
        ("http://example.org", "'http://example.org'"),
        ("https://", "'https://'"),
        ("https://example.org:99999", "'https://example.org:99999'"),
        ("https://example.org:0", "'https://example.org:0'"),
        ("https://exa mple.org", "'https://exa mple.org'"),
        ("https://example.org/a\r\nb", r"'https://example.org/a\r\nb'"),
        ("https://example.org/ä", "'https://example.org/ä'"),
        ("https://[::1", "'https://[::1'"),
        ("https://" + "x " * 300, "'https://" + "x " * 96 + "'"),
    ],
)
def test_a_url_that_is_none_is_refused_and_shown(url: str, shown: str) -> None:
    with pytest.raises(InvalidField, match="url must") as refused:
        Address.of(url)
    assert refused.value.value == shown


@pytest.mark.parametrize(
    "url",
    [
        "https://me:secret@example.org",
        "https://me:sec?ret@example.org",
        "https://me:secret@",
        "me:secret@example.org",
        "https://example.org/tasks?token=secret",
        "https://example.org/#secret",
        "https://me:secret@example.org/?token=secret#secret",
        "https://me:secret@exam ple.org\n",
    ],
)
def test_a_password_or_a_token_in_a_refused_url_is_not_shown(url: str) -> None:
    with pytest.raises(InvalidField, match="url must") as refused:
        Address.of(url)
    assert "sec" not in str(refused.value)


def test_a_url_that_is_no_text_is_refused() -> None:
    with pytest.raises(InvalidField, match=r"url must be a text such as https://example.org, got NoneType"):
        Address.of(None)  # type: ignore[arg-type]


def test_an_answer_names_its_status_its_body_and_the_wait(server: HostileServer, connection: Connection) -> None:
    server.lies["/"] = lambda _: answer(503, b"later", "Retry-After: 7")
    found = connection.request("GET", "/", None, {}, 100)
    assert (found.status, found.body, found.wait) == (503, b"later", 7.0)


def test_a_kept_connection_that_the_server_closed_is_replaced_and_the_same_bytes_are_sent(
    server: HostileServer, connection: Connection
) -> None:
    server.lies["/first"] = lambda _: iter([answer(200, b"one")])  # the server hangs up after it, without a word
    server.lies["/second"] = lambda _: answer(200, b"two")
    assert connection.request("POST", "/first", b"x" * 64, {}, 100).body == b"one"
    time.sleep(0.05)
    assert connection.request("POST", "/second", b"y" * 64, {}, 100).body == b"two"
    assert [request.body for request in server.requests] == [b"x" * 64, b"y" * 64]


def test_a_fresh_connection_that_fails_is_not_tried_twice(server: HostileServer, connection: Connection) -> None:
    server.lies["/"] = lambda _: b""
    with pytest.raises(Unreachable, match="no usable answer"):
        connection.request("POST", "/", b"x", {}, 100)
    assert len(server.requests) == 1


@contextmanager
def refusing_unread(reply: bytes) -> Iterator[tuple[str, list[bytes]]]:
    """A server that answers after the head and hangs up, with the body unread; the heads that it saw."""
    heads: list[bytes] = []
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def serve() -> None:
            with suppress(OSError):
                while True:
                    with listening.accept()[0] as line:
                        heads.append(line.recv(64))
                        line.sendall(reply)

        threading.Thread(target=serve, daemon=True).start()
        yield f"http://127.0.0.1:{listening.getsockname()[1]}", heads
        listening.shutdown(socket.SHUT_RDWR)


@pytest.mark.skipif(sys.platform != "linux", reason="other systems forget the answer when the server hangs up")
def test_an_answer_is_read_though_the_server_hangs_up_before_it_has_the_whole_body() -> None:
    with refusing_unread(answer(413, b"too large")) as (url, heads):
        connection = Connection(Address.of(url), timeout=PATIENCE, deadline=PATIENCE)
        for _ in range(3):
            found = connection.request("POST", "/", bytes(LARGE), {}, 100)
            assert (found.status, found.body) == (413, b"too large")
        assert len(heads) == 3
        connection.rest()


def test_a_server_that_hangs_up_without_an_answer_gave_none() -> None:
    with refusing_unread(b"") as (url, heads):
        with pytest.raises(Unreachable, match=r"no usable answer \((BrokenPipe|ConnectionReset)Error\)") as refused:
            Connection(Address.of(url), timeout=PATIENCE, deadline=PATIENCE).request("POST", "/", bytes(LARGE), {}, 100)
        assert (refused.value.begun, len(heads)) == (False, 1)


def drip(_: Request) -> Iterator[bytes]:
    yield b"HTTP/1.1 200 OK\r\nContent-Length: 500000\r\n\r\n"
    while True:
        time.sleep(0.05)
        yield b"x"


def test_an_answer_that_drips_ends_at_the_deadline(server: HostileServer) -> None:
    server.lies["/"] = drip
    started = time.monotonic()
    with pytest.raises(Unreachable, match="no usable answer") as refused:
        Connection(Address.of(server.url), timeout=1.0, deadline=0.2).request("GET", "/", None, {}, 500_000)
    assert time.monotonic() - started < PATIENCE  # each byte comes in time, and all of them in hours
    assert refused.value.begun


def chunked(*chunks: bytes) -> Callable[[Request], Iterator[bytes]]:
    def reply(_: Request) -> Iterator[bytes]:
        yield b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
        yield from (b"%x\r\n%b\r\n" % (len(chunk), chunk) for chunk in chunks)

    return reply


def test_a_body_is_streamed_whole_whether_its_length_is_known_or_not(
    server: HostileServer, connection: Connection
) -> None:
    body = bytes(range(256)) * 1000
    server.lies["/known"] = lambda _: answer(200, body)
    server.lies["/chunked"] = chunked(body[:100], body[100:], b"")
    for path in ("/known", "/chunked"):
        with connection.exchange("GET", path, None, {}) as response:
            assert b"".join(pieces(response)) == body


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        (lambda _: iter([b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n12345"]), "4 bytes are missing"),
        (chunked(b"12345"), "IncompleteRead"),
        (lambda _: answer(200, bytes(101)), "more than 100 bytes"),
    ],
)
def test_a_body_that_breaks_off_or_is_too_long_is_no_answer(
    server: HostileServer, connection: Connection, reply: Callable[[Request], object], reason: str
) -> None:
    server.lies["/"] = reply
    with pytest.raises(Unreachable, match="no usable answer") as refused:
        connection.request("GET", "/", None, {}, 100)
    assert refused.value.begun
    assert refused.value.reason == reason


def test_what_a_server_of_another_kind_says_is_not_repeated(server: HostileServer, connection: Connection) -> None:
    server.lies["/"] = lambda _: b"\x1b[31mSSH-2.0-secret\r\n\r\n"
    with pytest.raises(Unreachable) as refused:
        connection.request("GET", "/", None, {}, 100)
    assert not refused.value.begun
    assert "SSH" not in f"{refused.value} {refused.value.reason}"


def test_a_stopped_connection_refuses_requests_until_it_is_resumed(
    server: HostileServer, connection: Connection
) -> None:
    server.lies["/"] = lambda _: answer(200, b"tea")
    connection.stop()
    with pytest.raises(Unreachable, match="ConnectionAbortedError"):
        connection.request("GET", "/", None, {}, 100)
    connection.resume()
    assert connection.request("GET", "/", None, {}, 100).body == b"tea"
