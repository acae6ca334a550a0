"""A real server under load, killed again and again. Every upload has an id of its own, so that each can be found again.

`make test-crash` runs it at length; the tests run a short one.
"""

import argparse
import http.client
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from hgldp.collector.log.replay import replay
from hgldp.collector.log.restore import restore
from hgldp.collector.log.sqlite import SQLiteStorage
from hgldp.schemes.registry import scheme_of
from hgldp.wire.bulletin import read_bulletin
from hgldp.wire.task import read_task
from hgldp.wire.upload import Upload
from tests.free_port import free_port
from tests.patience import PATIENCE, until

ADMIN = "the admin token of the crash loop"
TASKS: list[dict[str, Any]] = [
    {"name": "hot", "scheme": "dsr", "epsilon": 2, "domain": {"range": [0, 500]}, "k": 5, "epoch": 120},
    {"name": "search", "scheme": "pfr", "epsilon": 2, "domain": {"range": [0, 5000]}, "k": 5, "epoch": 400},
]
FOLD_AT_ONCE = """
from hgldp.collector.writer import checkpoints, housekeeping
checkpoints.MOST_ENTRIES = 50
housekeeping.HOUR, housekeeping.ROUND_SECONDS = 0.001, 0.05
"""
CLIENTS_PER_TASK = 4
ENOUGH_EPOCHS, ENOUGH_UPLOADS = 6, 20
GONE = (OSError, http.client.HTTPException, ValueError)


class Server:
    """`hgldp serve` as a process of its own, always on the same port; with a planted bug, if somebody plants one."""

    def __init__(self, folder: Path, plant: str = "") -> None:
        self.folder, self.plant = folder, plant
        self.port = free_port()
        self.told = folder.with_name(f"{folder.name}.log")

    @property
    def arguments(self) -> list[str]:
        return ["serve", "--data", str(self.folder), "--port", str(self.port)]

    def start(self) -> None:
        program = f"{self.plant}\nimport sys\nfrom hgldp.cli import main\nsys.exit(main({self.arguments}))"
        command = [sys.executable, "-c", program]
        environment = os.environ | {"HGLDP_ADMIN_TOKEN": ADMIN}
        with self.told.open("ab") as told:
            self.process = subprocess.Popen(command, env=environment, stdout=told, stderr=told)
        until(self._is_ready)

    def _is_ready(self) -> bool:
        assert self.process.poll() is None, f"the server does not start again: {self.told.read_text()[-2000:]}"
        with suppress(*GONE):
            return self.ask("GET", "/ready")[0] == 200
        return False

    def kill(self) -> None:
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def end(self) -> None:
        """Whatever happens, nothing is left running."""
        if hasattr(self, "process") and self.process.poll() is None:
            self.kill()

    def stop(self) -> None:
        self.process.terminate()
        assert self.process.wait(PATIENCE) == 0

    def ask(
        self, method: str, path: str, body: bytes | None = None, kind: str = "application/json"
    ) -> tuple[int, bytes]:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        try:
            headers = {"authorization": f"Bearer {ADMIN}", "content-type": kind}
            connection.request(method, path, body, headers)
            answer = connection.getresponse()
            return answer.status, answer.read()
        finally:
            connection.close()


@dataclass
class Client:
    """Sends, and sends identical bytes again when no answer came; now and then also when one came."""

    server: Server
    task: str
    key: str
    seed: int
    acknowledged: dict[bytes, int] = field(default_factory=dict)
    stop: threading.Event = field(default_factory=threading.Event)
    unsure: bytes = b""
    again: float = 0.1
    unsure_for_ever: dict[bytes, int] = field(default_factory=dict)

    def run(self) -> None:
        draw = random.Random(self.seed)
        while not self.stop.is_set():
            try:
                self._session(draw)
            except GONE:
                time.sleep(0.02)

    def _session(self, draw: random.Random) -> None:
        """A few uploads against one bulletin; what was not answered stays in `unsure` for the next session."""
        document = self._fetch(f"/v1/tasks/{self.task}/document")
        version = json.loads(self._fetch(f"/v1/tasks/{self.task}/bulletin"))["bulletin"]
        bulletin = read_bulletin(self._fetch(f"/v1/bulletins/{version}"), version)
        limit = scheme_of(read_task(document)).symbol_limit(bulletin)  # type: ignore[arg-type]
        with closing(http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=PATIENCE)) as connection:
            for _ in range(20):
                if self._send(draw, connection, version, limit) == 410 or self.stop.is_set():
                    break

    def _fetch(self, path: str) -> bytes:
        status, body = self.server.ask("GET", path)
        if status != 200:
            raise ConnectionError(f"the server answered {status}")
        return body

    def _send(self, draw: random.Random, connection: http.client.HTTPConnection, version: str, limit: int) -> int:
        body, again = self.unsure, bool(self.unsure)
        if not body:
            symbols = [draw.randrange(limit) for _ in range(draw.choice([1, 1, 1, 3, 40]))]
            body = Upload.of(draw.randbytes(16), bytes.fromhex(version), symbols, limit).encode()
        self.unsure = body
        connection.request("POST", f"/v1/in/{self.key}", body)
        answer = connection.getresponse()
        answer.read()
        size = int.from_bytes(body[52:56], "big")
        if answer.status == 200:
            self.acknowledged[body[4:20]] = size
        elif again and answer.status == 410:
            self.unsure_for_ever[body[4:20]] = size
        if answer.status not in (502, 503):
            self.unsure = body if answer.status == 200 and not again and draw.random() < self.again else b""
        return answer.status


@dataclass
class Outcome:
    """What a crash loop found."""

    kills: int
    acknowledged: int
    counted: int
    lost: int
    twice: int
    reports_logged: int
    reports_counted: int
    replayed: str
    bulletins: int
    folded: int = 0
    unsure: int = 0


def crash_loop(kills: int, seed: int, load_seconds: float = 0.8, plant: str = "", *, folding: bool = False) -> Outcome:
    """Kill, start again, compare the log with what clients were told.

    With `folding`, reports are deleted a moment after they came, and backups and `hgldp compact` are killed as well.
    """
    draw = random.Random(seed)
    with tempfile.TemporaryDirectory() as name:
        server = Server(Path(name) / "data", f"{FOLD_AT_ONCE}\n{plant}" if folding else plant)
        server.start()
        made = [json.loads(server.ask("POST", "/v1/tasks", json.dumps(task).encode())[1]) for task in TASKS]
        clients = [
            Client(server, task["id"], task["write_key"], 1000 * seed + 10 * place + number)
            for place, task in enumerate(made)
            for number in range(CLIENTS_PER_TASK)
        ]
        threads = [threading.Thread(target=client.run, daemon=True) for client in clients]
        for thread in threads:
            thread.start()
        for _ in range(kills):
            time.sleep(draw.uniform(0.1, 2 * load_seconds))
            if folding:
                _interrupt(draw, ["backup", "--data", str(server.folder), "--output", f"{name}/copy.tar"])
            server.kill()
            if folding and draw.random() < 0.3:
                _interrupt(draw, ["compact", "--data", str(server.folder), "--all-reports"])
            server.start()
        time.sleep(load_seconds)
        until_enough(server, made, clients, kills)
        for client in clients:
            client.stop.set()
        for thread in threads:
            thread.join(PATIENCE)
        counted = sum(json.loads(server.ask("GET", f"/v1/tasks/{task['id']}")[1])["reports"] for task in made)
        server.stop()
        if folding and (Path(name) / "copy.tar").exists():
            restore(Path(name) / "copy.tar", Path(name) / "restored")
            assert replay(Path(name) / "restored").agrees
        return _compare(server.folder, clients, kills, counted)


def until_enough(server: Server, tasks: list[dict[str, Any]], clients: Sequence[Client], kills: int) -> None:
    """Wait, on a slow machine, until so much has happened that it says something."""
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        epochs = sum(json.loads(server.ask("GET", f"/v1/tasks/{task['id']}")[1])["epoch"] for task in tasks)
        if epochs >= ENOUGH_EPOCHS and sum(len(each.acknowledged) for each in clients) > ENOUGH_UPLOADS * kills:
            return
        time.sleep(0.1)


def _interrupt(draw: random.Random, arguments: list[str]) -> None:
    """Kill a command in the middle of its work, or let it end."""
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    command = subprocess.Popen([sys.executable, "-m", "hgldp.cli", *arguments], **quiet)  # type: ignore[call-overload]
    with suppress(subprocess.TimeoutExpired):
        command.wait(draw.uniform(0.3, 2.0))
    command.kill()
    command.wait()


def _compare(folder: Path, clients: list[Client], kills: int, reports_counted: int) -> Outcome:
    storage, logged = SQLiteStorage(folder), Counter[bytes]()
    sizes: dict[bytes, int] = {}
    for entry in storage.entries():
        logged.update(entry.upload_ids)
        sizes |= zip(entry.upload_ids, entry.upload_counts, strict=True)
    storage.close()
    acknowledged = {key: size for client in clients for key, size in client.acknowledged.items()}
    report = replay(folder)
    outcome = Outcome(
        kills=kills,
        acknowledged=len(acknowledged),
        counted=len(logged),
        lost=sum(sizes.get(each) != size for each, size in acknowledged.items()),
        twice=sum(times > 1 for times in logged.values()),
        reports_logged=sum(sizes.values()),
        reports_counted=reports_counted,
        replayed="every bulletin and result, bit for bit" if report.agrees else str(report.difference),
        bulletins=report.bulletins,
        folded=report.folded,
    )
    return _by_number(outcome, clients, acknowledged) if report.folded else outcome


def _by_number(outcome: Outcome, clients: list[Client], acknowledged: dict[bytes, int]) -> Outcome:
    """Where reports are gone, the numbers must be right: all that was acknowledged, and at most what is unsure."""
    left = {each.unsure[4:20]: int.from_bytes(each.unsure[52:56], "big") for each in clients if each.unsure}
    unsure = {key: size for each in clients for key, size in each.unsure_for_ever.items()} | left
    least = sum(acknowledged.values())
    most = least + sum(size for key, size in unsure.items() if key not in acknowledged)
    counted = outcome.reports_counted
    return replace(
        outcome,
        lost=max(0, least - counted),
        twice=outcome.twice + max(0, counted - most),
        reports_logged=counted,
        unsure=most - least,
    )


def check(outcome: Outcome) -> None:
    assert outcome.lost == 0, outcome
    assert outcome.twice == 0, outcome
    assert outcome.reports_logged == outcome.reports_counted, outcome
    assert outcome.replayed.startswith("every"), outcome
    assert outcome.bulletins >= ENOUGH_EPOCHS, outcome
    assert outcome.acknowledged > ENOUGH_UPLOADS * outcome.kills, outcome


def main() -> None:
    parser = argparse.ArgumentParser(description="Kill the collector under load and count what it kept")
    parser.add_argument("--kills", type=int, default=25)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(10**6))
    typed = parser.parse_args()
    for part, folding in ((typed.kills - typed.kills // 3, False), (typed.kills // 3, True)):
        outcome = crash_loop(part, typed.seed, folding=folding)
        print(f"seed {typed.seed}: {outcome}", flush=True)
        check(outcome)


if __name__ == "__main__":
    main()
