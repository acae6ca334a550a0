"""Ctrl-C inside any call of a reporter leaves nothing held: `close` ends the thread, whenever the signal came."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.client.hostile_server import HostileServer
from tests.patience import PATIENCE

PROGRAM = Path(__file__).with_name("interrupted_program.py")
TRIES = 12


def closings(server: HostileServer, folder: Path, step: str, delays: list[float]) -> list[str]:
    """What became of the reporter's thread, in a process of its own for a signal after each of these delays."""
    command = [sys.executable, str(PROGRAM), server.url, server.id, str(folder), step, str(PATIENCE), *map(str, delays)]
    return subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout.split()


@pytest.mark.parametrize("step", ["report", "flush", "status"])
def test_after_ctrl_c_close_ends_the_thread(server: HostileServer, tmp_path: Path, step: str) -> None:
    delays = [0.01 + 0.04 * number / TRIES for number in range(TRIES)]
    assert closings(server, tmp_path, step, delays) == ["ended"] * TRIES


def test_after_thousands_of_interruptions_close_ends_the_thread(server: HostileServer, tmp_path: Path) -> None:
    assert closings(server, tmp_path, "storm", [0.02, 0.03]) == ["ended"] * 2
