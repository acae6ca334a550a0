"""What strangers do, as functions for processes of their own: each goes on until it is killed."""

import asyncio
import socket
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

PAUSE, ZEROS = 2.0, bytes(50_000)
KEEP_ALIVE = b"GET /health HTTP/1.1\r\nHost: x\r\n\r\n"


def crowd(port: int, number: int, head: bytes, body: int = 0, read: str = "all", rest: float = 600.0) -> None:
    """Keep so many connections open: each sends a head and some bytes, and reads "all" that is answered or "nothing".

    Whoever is cut off comes back after `PAUSE` seconds.
    """

    async def one() -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=1 << 12)
        try:
            writer.write(head)
            for size in [len(ZEROS)] * (body // len(ZEROS)) + [body % len(ZEROS)]:
                writer.write(ZEROS[:size])
                await writer.drain()
            if read == "all":
                await asyncio.wait_for(reader.read(), rest)
            else:
                writer.transport.pause_reading()  # type: ignore[attr-defined]
                await asyncio.wait_for(_closed(writer), rest)
        finally:
            writer.transport.abort()

    asyncio.run(_again_and_again(one, number))


def flood(port: int, request: bytes, number: int = 4) -> None:
    """Ask the same on so many connections, as fast as the answers come."""

    async def one() -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        try:
            while True:
                writer.write(request)
                if not await asyncio.wait_for(reader.read(1 << 16), 30):
                    return
        finally:
            writer.transport.abort()

    asyncio.run(_again_and_again(one, number))


def pour(port: int, head: bytes, piece: bytes, number: int = 4) -> None:
    """Send a head and then the same piece for ever, on so many connections; whoever is cut off comes back at once."""

    def one() -> None:
        while True:
            with suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=5) as line:
                line.sendall(head)
                while True:
                    line.sendall(piece)

    with ThreadPoolExecutor(number) as pool:
        for _ in range(number):
            pool.submit(one)


def come_anew(port: int, request: bytes, number: int = 32) -> None:
    """Ask once on a connection and come back on a new one, so many at a time, as fast as the answers come."""

    async def one() -> None:
        while True:
            with suppress(OSError, TimeoutError):
                reader, writer = await asyncio.open_connection("127.0.0.1", port)
                writer.write(request)
                await asyncio.wait_for(reader.read(1 << 12), 30)
                writer.transport.abort()

    asyncio.run(_again_and_again(one, number))


def ask_and_leave(port: int, request: bytes) -> None:
    """Ask on a new connection and be gone before the answer, as fast as it goes."""
    while True:
        with suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=5) as line:
            line.sendall(request)


def knock(port: int) -> None:
    """Connect and be gone, as fast as it goes."""
    while True:
        with socket.socket() as line, suppress(OSError):
            line.connect(("127.0.0.1", port))
            line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")


async def _closed(writer: asyncio.StreamWriter) -> None:
    """A peer that was cut off is noticed by writing to it, as its answer is not read."""
    while not writer.is_closing():
        await asyncio.sleep(1)
        peer = writer.get_extra_info("socket")
        if peer is None or peer.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR):
            return


async def _again_and_again(one: Callable[[], Awaitable[None]], number: int) -> None:
    async def for_ever() -> None:
        while True:
            with suppress(OSError, TimeoutError, asyncio.IncompleteReadError):
                await one()
            await asyncio.sleep(PAUSE)

    async with asyncio.TaskGroup() as group:
        for _ in range(number):
            group.create_task(for_ever())
            await asyncio.sleep(0.0005)
