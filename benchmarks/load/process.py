"""The process under load: started, asked, watched and stopped from outside."""

import json
import os
import subprocess
import sys
import time
import urllib.request
from pathlib import Path
from typing import Any

from hgldp.cli.commands.demo.server import free_port


class Server:
    """`benchmarks.load.server` in a process of its own."""

    def __init__(self, folder: Path) -> None:
        self.port = free_port()
        command = [sys.executable, "-m", "benchmarks.load.server", str(folder), str(self.port)]
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
        spent = Path(f"/proc/{self.process.pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
        return (int(spent[11]) + int(spent[12])) / os.sysconf("SC_CLK_TCK")

    @property
    def resident_bytes(self) -> int:
        status = Path(f"/proc/{self.process.pid}/status").read_text(encoding="ascii")
        return next(int(line.split()[1]) << 10 for line in status.splitlines() if line.startswith("VmRSS"))

    def stop(self) -> None:
        self.process.terminate()
        self.process.communicate(timeout=30)
