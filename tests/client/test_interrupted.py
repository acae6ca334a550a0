"""Ctrl-C inside any call of a reporter leaves nothing held: `close` is quick, whenever the signal came."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.client.hostile_server import HostileServer
from tests.patience import PATIENCE

PROGRAM = Path(__file__).with_name("interrupted_program.py")
TRIES = 12


def closing_seconds(server: HostileServer, folder: Path, step: str, delays: list[float]) -> list[float]:
    """How long `close` took in a process of its own, for a signal after each of these delays."""
    command = [sys.executable, str(PROGRAM), server.url, server.id, str(folder), step, *map(str, delays)]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True, timeout=PATIENCE)
    took = [float(said) for said in done.stdout.split()]
    assert len(took) == len(delays)
    return took


@pytest.mark.parametrize("step", ["report", "flush", "status"])
def test_after_ctrl_c_close_is_quick(server: HostileServer, tmp_path: Path, step: str) -> None:
    delays = [0.01 + 0.04 * number / TRIES for number in range(TRIES)]
    assert max(closing_seconds(server, tmp_path, step, delays)) < 2.0


def test_after_thousands_of_interruptions_close_is_quick(server: HostileServer, tmp_path: Path) -> None:
    assert max(closing_seconds(server, tmp_path, "storm", [0.02, 0.03])) < 2.0
