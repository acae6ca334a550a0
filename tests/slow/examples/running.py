"""An example as its README tells people to start it: the same lines, in a copy of its folder, on a free port."""

import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.collector.live_service import ADMIN, Service
from tests.free_port import free_port
from tests.patience import PATIENCE

ROOT = Path(__file__).resolve().parents[3]
EXAMPLES = ROOT / "examples"
PORT = "8000"
_BLOCK = re.compile(r"^```sh\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def lines_to_start(name: str) -> list[str]:
    """The last block of commands in a README: one that makes the task, and one that starts the example."""
    found = _BLOCK.findall((EXAMPLES / name / "README.md").read_text(encoding="utf-8"))
    return [line for line in found[-1].splitlines() if line]


@dataclass(frozen=True)
class Example:
    """A copy of an example that may be run, and the collector that it knows."""

    folder: Path
    service: Service
    port: int

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def environment(self) -> dict[str, str]:
        path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
        modules = os.pathsep.join(filter(None, [str(ROOT / "src"), os.environ.get("PYTHONPATH", "")]))
        ours = {"HGLDP_URL": self.service.url, "HGLDP_TOKEN": ADMIN, "XDG_STATE_HOME": str(self.folder / "state")}
        return os.environ | {"PATH": path, "PYTHONPATH": modules} | ours

    def line(self, command: str) -> list[str]:
        """A line of the README for a shell. Only the port is another one."""
        shell = re.sub(rf"\b{PORT}\b", str(self.port), command)
        return ["bash", "-o", "pipefail", "-c", shell]

    def run(self, command: str, **environment: str) -> subprocess.CompletedProcess[str]:
        """One command that ends by itself, and must end well."""
        done = subprocess.run(
            self.line(command), cwd=self.folder, env=self.environment | environment, capture_output=True, text=True,
            check=False, timeout=PATIENCE,
        )  # fmt: skip
        assert done.returncode == 0, done.stdout + done.stderr
        return done

    @contextmanager
    def serving(self, command: str) -> Iterator[None]:
        """One command that serves pages until it is told to end."""
        log = (self.folder / "log").open("w+b")
        line = self.line(f"exec {command}")
        process = subprocess.Popen(
            line, cwd=self.folder, env=self.environment, stdout=log, stderr=log, start_new_session=True
        )
        try:
            self._wait_for(process, log.name)
            yield
        finally:
            os.killpg(process.pid, signal.SIGTERM)  # npm would leave the server that it started
            process.wait(PATIENCE)
            log.close()

    def _wait_for(self, process: subprocess.Popen[bytes], log: str) -> None:
        end = time.monotonic() + PATIENCE
        while True:
            try:
                socket.create_connection(("127.0.0.1", self.port), 1).close()
            except OSError:
                said = Path(log).read_text(encoding="utf-8")
                assert process.poll() is None, said
                assert time.monotonic() < end, said
                time.sleep(0.1)
            else:
                return

    def counted(self, reports: int) -> int:
        """How many reports the collector has of the only task there is; it waits until there are so many."""
        end = time.monotonic() + PATIENCE
        while True:
            (task,) = self.service.http.get("/v1/tasks", headers=self.service.admin).json()["tasks"]
            if task["reports"] >= reports or time.monotonic() > end:
                return int(task["reports"])
            time.sleep(0.1)


def _files(name: str) -> list[str]:
    """All but what the commands make, which examples/.gitignore lists."""
    made = (EXAMPLES / ".gitignore").read_text(encoding="utf-8").splitlines()
    found = (path for path in (EXAMPLES / name).rglob("*") if path.is_file() and "node_modules" not in path.parts)
    paths = (path.relative_to(EXAMPLES) for path in found)
    return [each.as_posix() for each in paths if not any(each.match(one.rstrip("/")) for one in made if one)]


def copied(name: str, service: Service, folder: Path) -> Example:
    """A copy of the files that git knows, on a free port."""
    for path in _files(name):
        copy = folder / path
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_bytes((EXAMPLES / path).read_bytes())
    return Example(folder / name, service, free_port())
