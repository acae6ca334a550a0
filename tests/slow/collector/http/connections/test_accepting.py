"""Newcomers are let in together, however long a turn of the event loop takes, and nothing makes the loop spin."""

import asyncio
import socket
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from errno import EMFILE
from typing import Any

import pytest
import uvloop

from hgldp.collector.http.connections.accepting import Accepting
from hgldp.collector.http.connections.places import Places
from hgldp.collector.server import CollectorServer, configuration
from tests.patience import PATIENCE

CROWD, TURNS = 100, 20
LOOPS: list[Callable[[], asyncio.AbstractEventLoop]] = [uvloop.new_event_loop, asyncio.new_event_loop]
both_loops = pytest.mark.parametrize("loop", LOOPS, ids=["uvloop", "asyncio"])


class Listening(socket.socket):
    """Has no descriptors for the first `failures` who come."""

    failures, attempts = 0, 0

    def accept(self) -> Any:
        self.attempts += 1
        if self.attempts <= self.failures:
            raise OSError(EMFILE, "Too many open files")
        return super().accept()


@contextmanager
def listening_socket() -> Iterator[Listening]:
    with Listening() as found:
        found.bind(("127.0.0.1", 0))
        yield found


def newcomer(listening: socket.socket) -> socket.socket:
    return socket.create_connection(listening.getsockname(), timeout=PATIENCE)


class Guests(list[asyncio.BaseTransport]):
    def one(self) -> asyncio.Protocol:
        made = self.append

        class Guest(asyncio.Protocol):
            def connection_made(self, transport: asyncio.BaseTransport) -> None:
                made(transport)

            def data_received(self, data: bytes) -> None:
                guests[-1].write(data)  # type: ignore[attr-defined]

        guests = self
        return Guest()


def run(loop: Callable[[], asyncio.AbstractEventLoop], scene: Any) -> Any:
    with asyncio.Runner(loop_factory=loop) as runner:
        return runner.run(scene())


@both_loops
def test_a_crowd_gets_in_within_a_few_turns_of_the_loop(loop: Any) -> None:
    """uvloop on its own lets in one in each turn."""

    async def app(_: Any, __: Any, ___: Any) -> None: ...

    async def scene() -> int:
        places = Places(1_000, 1_000)
        with listening_socket() as listening:
            server = CollectorServer(configuration(app, places))
            serving = asyncio.create_task(server.serve(sockets=[listening]))
            while not server.started:
                await asyncio.sleep(0.01)
            crowd = [newcomer(listening) for _ in range(CROWD)]
            for _ in range(TURNS):
                await asyncio.sleep(0)
            found = places.taken
            for each in crowd:
                each.close()
            server.should_exit = True
            await serving
            return found

    assert run(loop, scene) == CROWD


@both_loops
def test_without_descriptors_it_waits_for_a_moment_and_says_so_once(
    loop: Any, caplog: pytest.LogCaptureFixture
) -> None:
    async def scene() -> tuple[int, float]:
        guests = Guests()
        with listening_socket() as listening:
            listening.failures = 3
            accepting, begin = Accepting(listening, guests.one, 10, breath=0.1), time.monotonic()
            with newcomer(listening):
                while not guests:
                    await asyncio.sleep(0.001)
            accepting.close()
            await accepting.wait_closed()
            return listening.attempts, time.monotonic() - begin

    with caplog.at_level("WARNING", "hgldp.collector"):
        attempts, taken = run(loop, scene)
    assert attempts <= 3 + 2
    assert taken > 0.29
    assert [record.getMessage() for record in caplog.records] == ["cannot accept a connection: Too many open files"]


@both_loops
def test_after_the_end_nobody_gets_in_and_who_is_there_stays(loop: Any) -> None:
    async def scene() -> None:
        guests = Guests()
        with listening_socket() as listening:
            accepting = Accepting(listening, guests.one, 10)
            with newcomer(listening) as early:
                while not guests:
                    await asyncio.sleep(0.001)
                accepting.close()
                with newcomer(listening):
                    await asyncio.sleep(0.05)
                assert len(guests) == 1
                early.sendall(b"hello")
                assert await asyncio.to_thread(early.recv, 5) == b"hello"

    run(loop, scene)


@both_loops
def test_the_end_comes_while_it_waits_for_descriptors(loop: Any) -> None:
    async def scene() -> int:
        with listening_socket() as listening:
            listening.failures = 1_000
            accepting = Accepting(listening, Guests().one, 10, breath=0.02)
            with newcomer(listening):
                await asyncio.sleep(0.05)
                accepting.close()
                before = listening.attempts
                await asyncio.sleep(0.1)
                return listening.attempts - before

    assert run(loop, scene) == 0


@both_loops
@pytest.mark.parametrize("how", ["reset", "end"])
def test_who_has_gone_already_gets_no_connection(loop: Any, how: str) -> None:
    """Before, who ended the connection did: honest uploads waited for 600 ms behind those who ask and leave."""
    if how == "end" and sys.platform != "linux":
        pytest.skip("other systems do not tell")

    async def scene() -> int:
        guests = Guests()
        with listening_socket() as listening:
            accepting = Accepting(listening, guests.one, 10)
            line = newcomer(listening)
            line.sendall(b"hello")
            if how == "reset":
                line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
            line.close()
            with newcomer(listening):
                while not guests:
                    await asyncio.sleep(0.001)
            accepting.close()
            return len(guests)

    assert run(loop, scene) == 1
