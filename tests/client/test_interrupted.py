"""Ctrl-C inside any call of a reporter leaves nothing held: `close` is quick, whenever the signal came."""

import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.client.hostile_server import HostileServer

PROGRAM = Path(__file__).with_name("interrupted_program.py")
TRIES, AT_ONCE = 12, 2


def closing_seconds(server: HostileServer, folder: Path, step: str, delays: list[float]) -> list[float]:
    """How long `close` took in a process of its own, for a signal after each of these delays."""
    took = []
    for at in range(0, len(delays), AT_ONCE):
        running = []
        for number, delay in enumerate(delays[at : at + AT_ONCE], start=at):
            command = [sys.executable, str(PROGRAM), server.url, server.id, str(folder / f"{step}-{number}"), step]
            process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
            assert process.stdout is not None
            assert process.stdout.readline() == "started\n"
            time.sleep(delay)
            process.send_signal(signal.SIGINT)
            running.append(process)
        try:
            for process in running:
                said, _ = process.communicate(timeout=60)
                assert process.returncode == 0
                took.append(float(said))
        finally:
            for process in running:
                process.kill()
    return took


@pytest.mark.parametrize("step", ["report", "flush", "status"])
def test_after_ctrl_c_close_is_quick(server: HostileServer, tmp_path: Path, step: str) -> None:
    delays = [0.01 + 0.04 * number / TRIES for number in range(TRIES)]
    assert max(closing_seconds(server, tmp_path, step, delays)) < 2.0


def test_after_thousands_of_interruptions_close_is_quick(server: HostileServer, tmp_path: Path) -> None:
    assert max(closing_seconds(server, tmp_path, "storm", [0.02, 0.03])) < 2.0
