"""`hgldp serve` as a process of its own in a temporary folder, for tests that attack it."""

import http.client
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.free_port import free_port
from tests.patience import PATIENCE

ADMIN = "the admin token of the attack tests"
QUICK_END_SECONDS = 6.0
JUDGED = os.environ.get("HGLDP_JUDGE_SPEED") == "1"  # by `make test-attack`, on a machine with nothing else to do
PUBLIC = {
    "name": "Public", "scheme": "pfr", "epsilon": 2, "domain": {"range": [0, 1000]}, "k": 5, "results": "public",
}  # fmt: skip


@dataclass
class AttackedServer:
    """A running collector: its port, its process and its folder."""

    port: int
    process: "subprocess.Popen[bytes]"
    folder: Path

    def ask(
        self, method: str, path: str, body: Any = None, headers: dict[str, str] | None = None, timeout: float = PATIENCE
    ) -> tuple[int, bytes]:
        """One request of the admin on a connection of its own; a body that is not bytes is sent as JSON."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=timeout)
        try:
            sent = body if body is None or isinstance(body, bytes) else json.dumps(body).encode()
            connection.request(method, path, sent, {"authorization": f"Bearer {ADMIN}", **(headers or {})})
            answer = connection.getresponse()
            return answer.status, answer.read()
        finally:
            connection.close()

    def create(self, **changes: Any) -> dict[str, Any]:
        """A task as POST /v1/tasks answers it: `PUBLIC` with these changes."""
        status, answer = self.ask("POST", "/v1/tasks", PUBLIC | changes)
        assert status == 201, answer
        return dict(json.loads(answer))

    def reports(self, task_id: str) -> int:
        """How many reports of a task were counted."""
        return int(json.loads(self.ask("GET", f"/v1/tasks/{task_id}")[1])["reports"])

    def megabytes(self, what: str = "VmRSS") -> float:
        """Resident memory now, or the most there ever was (`VmHWM`)."""
        lines = Path(f"/proc/{self.process.pid}/status").read_text(encoding="ascii").splitlines()
        return next(int(line.split()[1]) / 1000 for line in lines if line.startswith(what))

    def end(self) -> float:
        """SIGTERM: the process must end with 0, whatever strangers hold open. How many seconds it needed."""
        before = time.monotonic()
        self.process.send_signal(signal.SIGTERM)
        assert self.process.wait(PATIENCE) == 0
        taken = time.monotonic() - before
        assert taken < QUICK_END_SECONDS or not JUDGED, f"ended after {taken:.1f} s"
        return taken

    @property
    def log(self) -> str:
        """What it wrote to standard error so far."""
        return (self.folder / "stderr").read_text(encoding="utf-8", errors="replace")


@contextmanager
def attacked_server(
    folder: Path, config: str = "", descriptors: int | None = None, wait: bool = True
) -> Iterator[AttackedServer]:
    """Started in `folder`, with a TOML text as its settings and at most so many open files; killed at the end."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "hgldp.toml").write_text(f'log_level = "warning"\n{config}', encoding="utf-8")
    port = free_port()
    words = [sys.executable, "-m", "hgldp.cli", "serve", "--data", str(folder / "data"), "--port", str(port)]
    words += ["--config", str(folder / "hgldp.toml")]
    if descriptors is not None:
        words = ["sh", "-c", f'ulimit -n {descriptors}; exec "$@"', "sh", *words]
    with (folder / "stdout").open("wb") as out, (folder / "stderr").open("wb") as err:
        process = subprocess.Popen(words, stdout=out, stderr=err, env=os.environ | {"HGLDP_ADMIN_TOKEN": ADMIN})
    server = AttackedServer(port, process, folder)
    try:
        if wait:
            _wait_until_ready(server)
        yield server
    finally:
        if process.poll() is None:
            process.kill()
        process.wait()


def _wait_until_ready(server: AttackedServer) -> None:
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end and server.process.poll() is None:
        with suppress(OSError, http.client.HTTPException):
            if server.ask("GET", "/ready")[0] == 200:
                return
        time.sleep(0.05)
    raise AssertionError(f"the collector does not start: {server.log[-2000:]}")
