"""The process under load: started, asked, watched and stopped from outside."""

import json
import os
import subprocess
import sys
import time
import urllib.request
from pathlib import Path
from typing import Any

from tests.free_port import free_port


class Server:
    """`benchmarks.load.server` in a process of its own."""

    def __init__(self, folder: Path, store: str = "", scheme: str = "dsr") -> None:
        self.port = free_port()
        place = [str(folder), str(self.port), scheme, *([store] if store else [])]
        command = [sys.executable, "-m", "benchmarks.load.server", *place]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        self.key = self.process.stdout.readline().strip() if self.process.stdout else ""
        for _ in range(200):
            try:
                self.now()
                break
            except OSError:
                time.sleep(0.05)

    @property
    def upload_path(self) -> str:
        return f"/v1/in/{self.key}"

    def now(self) -> dict[str, Any]:
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/now", timeout=10) as answer:
            found: dict[str, Any] = json.load(answer)
            return found

    @property
    def cpu_seconds(self) -> float:
        return cpu_seconds(self.process.pid)

    @property
    def resident_bytes(self) -> int:
        status = Path(f"/proc/{self.process.pid}/status").read_text(encoding="ascii")
        return next(int(line.split()[1]) << 10 for line in status.splitlines() if line.startswith("VmRSS"))

    def stop(self) -> None:
        self.process.terminate()
        self.process.communicate(timeout=30)


def cpu_seconds(process: int) -> float:
    """Of a process, and of its children that have ended. Of one that has ended its parent tells."""
    try:
        spent = Path(f"/proc/{process}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    except (FileNotFoundError, ProcessLookupError):
        return 0.0
    return sum(map(int, spent[11:15])) / os.sysconf("SC_CLK_TCK")


def with_children(process: int) -> list[int]:
    """A process and those that it has started and that still run."""
    tasks = Path(f"/proc/{process}/task").iterdir()
    return [process, *(int(each) for task in tasks for each in (task / "children").read_text().split())]
