"""Greedy addresses against a collector with limits: what honest addresses get meanwhile.

Every loopback address is an address of its own: attackers come from 127.2.x.x, honest ones from 127.3.x.x. Attackers,
honest clients and the collector share the machine.
"""

import http.client
import json
import os
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from hgldp.schemes.registry import scheme_of
from hgldp.wire.bulletin import read_bulletin
from hgldp.wire.task import read_task
from hgldp.wire.upload import Upload
from tests.slow.attack.attacked_server import JUDGED
from tests.slow.collector.crash_loop import Server

PER_DAY, PER_SECOND = 64 * 64, 2_000
TASK = {
    "name": "shared", "scheme": "dsr", "epsilon": 2, "domain": {"range": [0, 500]}, "k": 5, "epoch": 1_000_000,
    "results": "public",
}  # fmt: skip
THREADS, SECONDS, HONEST, PAUSE = 4, 6.0, 40, 0.05
GONE = (OSError, http.client.HTTPException)


@dataclass
class Crowd:
    """Statuses of all answers, and how long the honest waited for theirs."""

    server: Server
    made: dict[str, Any]
    attackers: Counter[int] = field(default_factory=Counter)
    honest: Counter[int] = field(default_factory=Counter)
    waits: list[float] = field(default_factory=list)

    def request(self, address: str, method: str, path: str, body: bytes | None = None) -> int:
        connection = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=20, source_address=(address, 0))
        try:
            connection.request(method, path, body, {"content-type": "application/octet-stream"} if body else {})
            answer = connection.getresponse()
            answer.read()
            return answer.status
        finally:
            connection.close()

    @property
    def share(self) -> float:
        return self.honest[200] / sum(self.honest.values())

    @property
    def slow(self) -> float:
        return sorted(self.waits)[int(0.99 * len(self.waits))]


def uploads(server: Server, made: dict[str, Any]) -> Callable[[int], bytes]:
    """Fresh uploads of so many reports."""
    path = f"/v1/tasks/{made['id']}"
    task = read_task(server.ask("GET", f"{path}/document")[1])
    version = json.loads(server.ask("GET", f"{path}/bulletin")[1])["bulletin"]
    bulletin = read_bulletin(server.ask("GET", f"/v1/bulletins/{version}")[1], version)
    limit = scheme_of(task).symbol_limit(bulletin)  # type: ignore[arg-type]
    return lambda size: Upload.of(os.urandom(16), bytes.fromhex(version), [0] * size, limit).encode()


@contextmanager
def started(folder: Path, **terms: int) -> Iterator[Crowd]:
    server = Server(folder)
    server.start()
    try:
        status, answer = server.ask("POST", "/v1/tasks", json.dumps(TASK | terms).encode())
        assert status == 201, answer
        yield Crowd(server, json.loads(answer))
        server.stop()
    finally:
        if server.process.poll() is None:
            server.kill()


def run(crowd: Crowd, addresses: int, attack: Callable[[str], int], ask: Callable[[str], int]) -> None:
    """Attackers as fast as they can, from all their addresses in turn; forty honest addresses, one request each."""
    end, turn = time.monotonic() + SECONDS, count()

    def attacking() -> None:
        while time.monotonic() < end:
            number = next(turn) % addresses
            with suppress(*GONE):
                crowd.attackers[attack(f"127.2.{number // 200}.{number % 200 + 1}")] += 1

    threads = [threading.Thread(target=attacking) for _ in range(THREADS)]
    for thread in threads:
        thread.start()
    time.sleep(SECONDS / 3)
    for number in range(HONEST):
        begun = time.perf_counter()
        crowd.honest[ask(f"127.3.0.{number + 1}")] += 1
        crowd.waits.append(time.perf_counter() - begun)
        time.sleep(PAUSE)
    for thread in threads:
        thread.join()


@pytest.mark.parametrize("addresses", [1, 100])
def test_the_day_of_a_task_is_not_used_up_by_greedy_addresses(tmp_path: Path, addresses: int) -> None:
    """They send 64 reports at a time, and the day has room for 64 such uploads. Before: 0 % of the honest got in."""
    with started(tmp_path / "data", reports_per_day=PER_DAY, reports_per_second=PER_SECOND) as crowd:
        fresh, path = uploads(crowd.server, crowd.made), f"/v1/in/{crowd.made['write_key']}"
        run(
            crowd,
            addresses,
            lambda address: crowd.request(address, "POST", path, fresh(64)),
            lambda address: crowd.request(address, "POST", path, fresh(1)),
        )
    taken = crowd.attackers[200] * 64 / PER_DAY
    print(f"\nday, {addresses} greedy: {taken:.0%} of the day taken, {crowd.share:.0%} of the honest, {crowd.honest}")
    assert crowd.honest[200] > 0
    if JUDGED:  # shares go by time: on a busy machine attackers ask for less than theirs
        assert crowd.attackers[429] > 0
        assert crowd.share >= 0.95


def test_questions_of_strangers_do_not_keep_others_from_asking(tmp_path: Path) -> None:
    """Histories, exports, statements and pages without end, from ten addresses."""
    with started(tmp_path / "data") as crowd:
        path = f"/v1/tasks/{crowd.made['id']}"
        costly = [f"{path}/history", f"{path}/export", f"{path}/privacy", f"{path}/top?k=5", "/"]
        turn = count()
        run(
            crowd,
            10,
            lambda address: crowd.request(address, "GET", costly[next(turn) % len(costly)]),
            lambda address: crowd.request(address, "GET", f"{path}/top?k=5"),
        )
    print(f"\nquestions: attackers {crowd.attackers}, honest {crowd.honest}, p99 {1000 * crowd.slow:.0f} ms")
    assert crowd.honest[200] > 0
    if JUDGED:
        assert crowd.attackers[429] > crowd.attackers[200]
        assert crowd.share >= 0.95
