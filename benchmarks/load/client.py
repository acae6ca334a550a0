"""The client of the load test: connections that each keep one request under way, and what comes back over them."""

import asyncio
import os
import struct
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from hgldp.wire.upload import HEAD, MAGIC, padded


@dataclass
class Tally:
    """What came back within one measurement."""

    seconds: float = 0.0
    cpu_seconds: float = 0.0
    done: int = 0
    wrong: dict[int, int] = field(default_factory=dict)
    latencies: list[float] = field(default_factory=list)

    @property
    def rate(self) -> float:
        return self.done / self.seconds

    @property
    def refused(self) -> int:
        return sum(self.wrong.values())

    @property
    def cpu_microseconds(self) -> float:
        return 1e6 * self.cpu_seconds / self.done

    def latency(self, share: float) -> float:
        return float(np.quantile(self.latencies, share)) * 1e3


class Connection(asyncio.Protocol):
    """Keeps one request under way."""

    def __init__(self, request: Callable[[], bytes], tally: Tally, until: float) -> None:
        self.request, self.tally, self.until = request, tally, until
        self.closed = asyncio.get_running_loop().create_future()
        self.rest = b""

    def connection_made(self, transport: Any) -> None:
        self.transport = transport
        self.send()

    def send(self) -> None:
        self.sent = time.perf_counter()
        self.transport.write(self.request())

    def data_received(self, data: bytes) -> None:
        self.rest += data
        head, found, body = self.rest.partition(b"\r\n\r\n")
        if not found:
            return
        at = head.lower().index(b"content-length:")
        length = int(head[at + 15 :].partition(b"\r\n")[0])
        if len(body) < length:
            return
        now, status = time.perf_counter(), int(head[9:12])
        self.rest = b""
        if status == 200:
            self.tally.done += 1
            self.tally.latencies.append(now - self.sent)
        else:
            self.tally.wrong[status] = self.tally.wrong.get(status, 0) + 1
        if now < self.until:
            self.send()
        else:
            self.transport.close()

    def connection_lost(self, _: Any) -> None:
        if not self.closed.done():
            self.closed.set_result(None)


async def drive(port: int, connections: int, seconds: float, request: Callable[[], bytes]) -> Tally:
    loop, tally = asyncio.get_running_loop(), Tally()
    begin = time.perf_counter()
    made = [
        await loop.create_connection(lambda: Connection(request, tally, begin + seconds), "127.0.0.1", port)
        for _ in range(connections)
    ]
    await asyncio.gather(*(connection.closed for _, connection in made))
    tally.seconds = time.perf_counter() - begin
    return tally


class Requests:
    """Every upload has an id of its own, and all answer the bulletin in force with its first symbol."""

    def __init__(self, path: str, reports: int) -> None:
        self.path, self.reports, self.ids = path, reports, fresh_ids()

    def renew(self, version: bytes, width: int) -> None:
        size = HEAD.size + width * self.reports
        tail = bytes(padded(size) - HEAD.size)
        head = (
            f"POST {self.path} HTTP/1.1\r\nhost: load\r\ncontent-type: application/octet-stream\r\n"
            f"content-length: {HEAD.size + len(tail)}\r\n\r\n"
        ).encode()
        self.before, self.after = head + MAGIC, version + struct.pack(">I", self.reports) + tail

    def __call__(self) -> bytes:
        return self.before + next(self.ids) + self.after


def fresh_ids() -> Iterator[bytes]:
    while True:
        some = os.urandom(16 << 10)
        for at in range(0, len(some), 16):
            yield some[at : at + 16]
