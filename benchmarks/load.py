"""`make load`: durable uploads a second, against an empty handler of the same server; batches; latency; memory.

One server process with one worker, one client process, loopback. Single reports and the empty handler get the same
requests over the same number of connections, by turns, so that a busy machine disturbs both.
"""

import argparse
import asyncio
import json
import os
import socket
import struct
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import uvloop

from hgldp.wire.upload import HEAD, MAGIC, PADDED_TO

BATCH = 4_096


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


class Server:
    """The other process."""

    def __init__(self, folder: Path) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        command = [sys.executable, "-m", "benchmarks.load_server", str(folder), str(self.port)]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        self.key = self.process.stdout.readline().strip() if self.process.stdout else ""
        for _ in range(200):
            try:
                self.now()
                break
            except OSError:
                time.sleep(0.05)

    def now(self) -> dict[str, Any]:
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/now", timeout=10) as answer:
            found: dict[str, Any] = json.load(answer)
            return found

    @property
    def cpu_seconds(self) -> float:
        spent = Path(f"/proc/{self.process.pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
        return (int(spent[11]) + int(spent[12])) / os.sysconf("SC_CLK_TCK")

    @property
    def resident_bytes(self) -> int:
        status = Path(f"/proc/{self.process.pid}/status").read_text(encoding="ascii")
        return next(int(line.split()[1]) << 10 for line in status.splitlines() if line.startswith("VmRSS"))

    def stop(self) -> None:
        self.process.terminate()
        self.process.communicate(timeout=30)


class Requests:
    """Every upload has an id of its own, and all answer the bulletin in force with its first symbol."""

    def __init__(self, path: str, reports: int) -> None:
        self.path, self.reports, self.ids = path, reports, fresh_ids()

    def renew(self, version: bytes, width: int) -> None:
        size = HEAD.size + width * self.reports
        tail = bytes(width * self.reports + -size % PADDED_TO)
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


class Load:
    """One server, several measurements."""

    def __init__(self, server: Server, connections: int) -> None:
        self.server, self.connections = server, connections

    async def measure(self, path: str, reports: int, seconds: float, connections: int) -> Tally:
        request = Requests(path, reports)
        await self._renew(request)
        watch, spent = asyncio.create_task(self._watch(request)), self.server.cpu_seconds
        tally = await drive(self.server.port, connections, seconds, request)
        tally.cpu_seconds = self.server.cpu_seconds - spent
        watch.cancel()
        return tally

    async def _watch(self, request: Requests) -> None:
        while True:
            await asyncio.sleep(0.05)
            await self._renew(request)

    async def _renew(self, request: Requests) -> None:
        now = await asyncio.to_thread(self.server.now)
        request.renew(bytes.fromhex(now["version"]), now["width"])

    def upload_path(self) -> str:
        return f"/v1/in/{self.server.key}"


async def compare(load: Load, rounds: int, seconds: float) -> dict[str, float]:
    """Empty handler and durable single reports by turns; the median of the rounds' ratios counts."""
    empty, single = [], []
    for _ in range(rounds):
        empty.append(await load.measure("/empty", 1, seconds, load.connections))
        single.append(await load.measure(load.upload_path(), 1, seconds, load.connections))
        for name, tally in (("empty handler", empty[-1]), ("durable single reports", single[-1])):
            print(
                f"{name:24}{tally.rate:8,.0f}/s  {tally.cpu_microseconds:6.1f} µs CPU  "
                f"p50 {tally.latency(0.5):7.1f} ms  p99 {tally.latency(0.99):7.1f} ms  {tally.wrong or ''}"
            )
    ratios = sorted(one.rate / other.rate for one, other in zip(single, empty, strict=True))
    return {"ratio": ratios[len(ratios) // 2], "single_p99_ms": max(each.latency(0.99) for each in single)}


async def batches(load: Load, seconds: float) -> dict[str, float]:
    before = load.server.now()["reports"]
    tally = await load.measure(load.upload_path(), BATCH, seconds, 16)
    counted = load.server.now()["reports"] - before
    rate = counted / tally.seconds
    print(f"batches of {BATCH:,}: {rate:,.0f} durable reports/s, p99 {tally.latency(0.99):.1f} ms {tally.wrong or ''}")
    if counted < tally.done * BATCH:
        raise SystemExit(f"{tally.done * BATCH - counted} acknowledged reports are missing")
    return {"batch_reports_per_second": rate, "batch_p99_ms": tally.latency(0.99)}


async def memory(load: Load, seconds: float) -> dict[str, float]:
    """Resident bytes while single reports and batches go on; the first tenth is for caches to fill."""
    sizes, begin = [], time.perf_counter()
    while time.perf_counter() - begin < seconds:
        await load.measure(load.upload_path(), 1, seconds / 40, load.connections)
        await load.measure(load.upload_path(), BATCH, seconds / 40, 16)
        sizes.append(load.server.resident_bytes)
    settled = sizes[len(sizes) // 10 :]
    half = len(settled) // 2
    growth = float(np.mean(settled[half:]) / np.mean(settled[:half])) - 1
    print(f"memory {settled[0] >> 20} … {settled[-1] >> 20} MB over {seconds:.0f} s; second half {growth:+.1%}")
    return {"memory_growth": growth, "memory_bytes": float(settled[-1])}


async def run(seconds: float, rounds: int, memory_seconds: float, connections: int) -> dict[str, float]:
    with tempfile.TemporaryDirectory() as folder:
        server = Server(Path(folder))
        try:
            load = Load(server, connections)
            await load.measure("/empty", 1, 1, connections)
            await load.measure(load.upload_path(), 1, 1, connections)
            found = await compare(load, rounds, seconds)
            found |= await batches(load, seconds)
            if memory_seconds:
                found |= await memory(load, memory_seconds)
            return found
        finally:
            server.stop()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--seconds", type=float, default=10, help="of each measurement")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--memory-seconds", type=float, default=600)
    parser.add_argument("--connections", type=int, default=256)
    typed = parser.parse_args()
    found = uvloop.run(run(typed.seconds, typed.rounds, typed.memory_seconds, typed.connections))
    wanted = {"ratio": 0.5, "batch_reports_per_second": 2e6}
    missed = [f"{name} {found[name]:.3g} < {least:g}" for name, least in wanted.items() if found[name] < least]
    if found.get("memory_growth", 0.0) > 0.02:
        missed.append(f"memory grew by {found['memory_growth']:.1%}")
    print(json.dumps(found))
    sys.exit("; ".join(missed) or 0)


if __name__ == "__main__":
    main()
