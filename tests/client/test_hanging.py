"""Opening a connection has an end, whatever the look-up of a name and the greeting do, and nothing piles up."""

import socket
import ssl
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress

import pytest

from hgldp.client import Reporter
from hgldp.system.http import Address, Connection, Unreachable
from tests.client.conftest import QUICK
from tests.client.hostile_server import HostileServer, answer
from tests.patience import PATIENCE, until

FOR_EVER = 2 * PATIENCE
"""How long a name is looked up."""


@pytest.fixture
def hanging(monkeypatch: pytest.MonkeyPatch) -> Iterator[threading.Event]:
    """Names that are not found before the event is set."""
    found, look_up = threading.Event(), socket.getaddrinfo

    def slow(*given: object, **named: object) -> object:
        found.wait(FOR_EVER)
        return look_up(*given, **named)  # type: ignore[arg-type]

    monkeypatch.setattr(socket, "getaddrinfo", slow)
    yield found
    found.set()


def dialling() -> int:
    return sum(each.name == "hgldp dialling" for each in threading.enumerate())


def seconds_of(step: Callable[[], object]) -> float:
    started = time.monotonic()
    with suppress(Unreachable):
        step()
    return time.monotonic() - started


def test_a_name_that_is_never_found_is_given_up_at_the_deadline_and_asked_for_once(
    server: HostileServer, hanging: threading.Event
) -> None:
    server.lies["/"] = lambda _: answer(200, b"tea")
    found = Connection(Address.of(server.url), timeout=1.0, deadline=0.2)
    took = [seconds_of(lambda: found.request("GET", "/", None, {}, 100)) for _ in range(20)]
    assert max(took) < PATIENCE
    assert dialling() == 1
    hanging.set()
    until(lambda: not dialling())
    assert found.request("GET", "/", None, {}, 100).body == b"tea"
    found.rest()


def test_a_connection_that_comes_too_late_is_closed(server: HostileServer, hanging: threading.Event) -> None:
    found = Connection(Address.of(server.url), timeout=1.0, deadline=0.05)
    with pytest.raises(Unreachable, match="TimeoutError"):
        found.open()
    hanging.set()
    until(lambda: len(server._open) == 1)
    until(lambda: server._open[0].fileno() < 0)  # the server hangs up after the client


def test_a_reporter_closes_at_once_while_a_name_is_looked_up(make: Callable[..., Reporter], hanging: object) -> None:
    reporter = make(pace=type(QUICK)(gather=0.01))
    assert reporter.report("tea")
    time.sleep(0.1)
    assert seconds_of(lambda: reporter.close(wait=0)) < PATIENCE
    assert reporter.report("tea").name == "CLOSED"


def test_a_greeting_that_drips_ends_at_the_deadline() -> None:
    """TLS: each byte comes in time, and the record never ends."""
    listening, over = socket.create_server(("127.0.0.1", 0)), threading.Event()

    def drip() -> None:
        with suppress(OSError):
            there, _ = listening.accept()
            with there:
                there.sendall(b"\x16\x03\x03\x3f\xff")
                while not over.wait(0.05):
                    there.sendall(b"x")

    thread = threading.Thread(target=drip, daemon=True)
    thread.start()
    url = f"https://127.0.0.1:{listening.getsockname()[1]}"
    found = Connection(Address.of(url), timeout=1.0, deadline=0.5, tls=ssl.create_default_context())
    try:
        assert 0.3 < seconds_of(lambda: found.request("GET", "/", None, {}, 100)) < PATIENCE
    finally:
        over.set()
        thread.join()
        listening.close()
