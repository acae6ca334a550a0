"""`hgldp serve` as a process, asked over HTTP."""

import json
import os
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

from tests.free_port import free_port
from tests.recorded.speeds.side import ADMIN, Side

MOST_SECONDS, BUSY = 300, (429, 503)
TASKS: dict[str, dict[str, Any]] = {
    scheme: {
        "name": scheme, "scheme": scheme, "epsilon": 2.0, "level": "event", "k": 20, "epoch": 1_000_000,
        "domain": {"range": [0, 10_000]}, "results": "public",
    }
    for scheme in ("pfr", "dsr")
}  # fmt: skip


class Collector:
    """Started at once; `ready_seconds` says how long it took until it was ready."""

    def __init__(self, side: Side, *place: str, cache: str = "warm") -> None:
        self.port, began = free_port(), time.perf_counter()
        command = [sys.executable, "-m", "hgldp.cli", "serve", *place, "--port", str(self.port), "--log", "json"]
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        self._process = subprocess.Popen(command, env=side.environment(cache), **quiet)  # type: ignore[call-overload]
        self.tasks: dict[str, dict[str, str]] = {}
        self.answer_seconds = 0.0
        while not self._is_ready():
            if self._process.poll() is not None or time.perf_counter() - began > MOST_SECONDS:
                self.stop()
                raise SystemExit(f"{side.name}: hgldp serve did not become ready ({self._process.returncode})")
            time.sleep(0.01)
        self.ready_seconds = time.perf_counter() - began

    def _is_ready(self) -> bool:
        try:
            return bool(self._asked("/ready", None))
        except OSError:
            return False

    def ask(self, path: str, document: object = None) -> Any:
        """The JSON answer to a GET, or to a POST of a document, `answer_seconds` after it was asked for.

        A collector that is busy is asked again, and so is one that limits what an address may ask.
        """
        until = time.monotonic() + MOST_SECONDS
        while True:
            began = time.perf_counter()
            try:
                answer = self._asked(path, document)
            except urllib.error.HTTPError as refusal:
                if refusal.code not in BUSY or time.monotonic() > until:
                    raise SystemExit(f"{path} was answered with {refusal.code}: {refusal.read().decode()}") from None
            else:
                self.answer_seconds = time.perf_counter() - began
                return answer
            time.sleep(0.1)

    def _asked(self, path: str, document: object) -> Any:
        body = None if document is None else json.dumps(document).encode()
        head = {"authorization": f"Bearer {ADMIN}", "content-type": "application/json"}
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}{path}", body, head)
        with urllib.request.urlopen(request, timeout=60) as answer:  # noqa: S310 - our own
            return json.loads(answer.read() or b"{}")

    def create_tasks(self) -> None:
        """One of each scheme."""
        self.tasks = {name: self.ask("/v1/tasks", fields) for name, fields in TASKS.items()}

    def settle(self, task: str, reports: int) -> None:
        """Until all that was acknowledged is counted, not more and not less."""
        until = time.monotonic() + MOST_SECONDS
        while (counted := self.ask(f"/v1/tasks/{task}")["reports"]) != reports:
            if counted > reports or time.monotonic() > until:
                raise SystemExit(f"{reports:,} reports were acknowledged, and {counted:,} counted")
            time.sleep(0.05)

    @property
    def processor_seconds(self) -> float:
        """Of the process so far; 0 where the system does not tell."""
        stat = Path(f"/proc/{self._process.pid}/stat")
        if not stat.exists():
            return 0.0
        spent = stat.read_text(encoding="ascii").rpartition(")")[2].split()
        return sum(map(int, spent[11:13])) / os.sysconf("SC_CLK_TCK")

    def stop(self) -> None:
        """In order, as an operator would."""
        if self._process.poll() is None:
            self._process.send_signal(signal.SIGTERM)
            try:
                self._process.wait(60)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
