"""`make load`: durable uploads a second, against an empty handler of the same server; batches; latency; memory.

One server process with one worker, one client process, loopback. Single reports and the empty handler get the same
requests over the same number of connections, by turns, so that a busy machine disturbs both.
"""

import argparse
import asyncio
import json
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import uvloop

from benchmarks.load.client import Requests, Tally, drive
from benchmarks.load.process import Server

BATCH, BATCH_CONNECTIONS = 4_096, 16


class Load:
    """One server, several measurements. Every upload's answer is kept count of."""

    def __init__(self, server: Server, connections: int) -> None:
        self.server, self.connections = server, connections
        self.acknowledged = self.refused = self.miscounted = 0

    async def empty(self, seconds: float) -> Tally:
        tally = await self._measure("/empty", 1, seconds, self.connections)
        self.refused += tally.refused
        return tally

    async def uploads(self, reports: int, seconds: float) -> Tally:
        """What was acknowledged must be in the server's own count afterwards."""
        connections = self.connections if reports == 1 else BATCH_CONNECTIONS
        before = self.server.now()["reports"]
        tally = await self._measure(self.server.upload_path, reports, seconds, connections)
        counted = self.server.now()["reports"] - before
        self.acknowledged += tally.done * reports
        self.refused += tally.refused
        self.miscounted += abs(tally.done * reports - counted)
        return tally

    async def _measure(self, path: str, reports: int, seconds: float, connections: int) -> Tally:
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


async def compare(load: Load, rounds: int, seconds: float) -> dict[str, float]:
    """Empty handler and durable single reports by turns; the median of the rounds' ratios counts."""
    empty, single = [], []
    for _ in range(rounds):
        empty.append(await load.empty(seconds))
        single.append(await load.uploads(1, seconds))
        for name, tally in (("empty handler", empty[-1]), ("durable single reports", single[-1])):
            print(
                f"{name:24}{tally.rate:8,.0f}/s  {tally.cpu_microseconds:6.1f} µs CPU  "
                f"p50 {tally.latency(0.5):7.1f} ms  p99 {tally.latency(0.99):7.1f} ms  {tally.wrong or ''}"
            )
    ratios = sorted(one.rate / other.rate for one, other in zip(single, empty, strict=True))
    return {"ratio": ratios[len(ratios) // 2], "single_p99_ms": max(each.latency(0.99) for each in single)}


async def batches(load: Load, seconds: float) -> dict[str, float]:
    tally = await load.uploads(BATCH, seconds)
    rate, slowest = tally.rate * BATCH, tally.latency(0.99)
    print(f"batches of {BATCH:,}: {rate:,.0f} durable reports/s, p99 {slowest:.1f} ms {tally.wrong or ''}")
    return {"batch_reports_per_second": rate, "batch_p99_ms": slowest}


async def memory(load: Load, seconds: float) -> dict[str, float]:
    """Resident bytes while single reports and batches go on; the first tenth is for caches to fill."""
    sizes, begin = [], time.perf_counter()
    while time.perf_counter() - begin < seconds:
        await load.uploads(1, seconds / 40)
        await load.uploads(BATCH, seconds / 40)
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
            await load.empty(1)
            await load.uploads(1, 1)
            found = await compare(load, rounds, seconds)
            found |= await batches(load, seconds)
            if memory_seconds:
                found |= await memory(load, memory_seconds)
            counts = {"acknowledged": load.acknowledged, "refused": load.refused, "miscounted": load.miscounted}
            return found | counts
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
    missed += [f"{found['miscounted']:.0f} reports are missing or too many"] if found["miscounted"] else []
    if found.get("memory_growth", 0.0) > 0.02:
        missed.append(f"memory grew by {found['memory_growth']:.1%}")
    print(json.dumps(found))
    sys.exit("; ".join(missed) or 0)


if __name__ == "__main__":
    main()
