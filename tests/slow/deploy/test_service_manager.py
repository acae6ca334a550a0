"""`hgldp serve` as systemd sees it: ready, alive, stopping."""

import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

from tests.free_port import free_port
from tests.patience import PATIENCE


def test_systemd_is_told_when_it_is_ready_alive_and_stopping(tmp_path: Path) -> None:
    words = [sys.executable, "-m", "hgldp.cli", "serve", "--data", str(tmp_path / "data"), "--port", str(free_port())]
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.bind(str(tmp_path / "notify"))
        manager.settimeout(PATIENCE)
        known = os.environ | {"NOTIFY_SOCKET": str(tmp_path / "notify"), "WATCHDOG_USEC": "200000"}
        process = subprocess.Popen(words, env=known, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            assert manager.recv(100) == b"READY=1"
            assert {manager.recv(100) for _ in range(5)} == {b"WATCHDOG=1"}
            process.send_signal(signal.SIGTERM)
            heard = b"WATCHDOG=1"
            while heard == b"WATCHDOG=1":
                heard = manager.recv(100)
            assert heard == b"STOPPING=1"
            assert process.wait(PATIENCE) == 0
        finally:
            if process.poll() is None:
                process.kill()
            process.wait()
