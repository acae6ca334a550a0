"""What systemd is told, as it would hear it."""

import asyncio
import socket
from pathlib import Path

import pytest

from hgldp.system.service_manager import READY, stay_alive, tell
from tests.patience import PATIENCE


@pytest.fixture
def manager(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> socket.socket:
    ear = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    ear.bind(str(tmp_path / "notify"))
    ear.settimeout(PATIENCE)
    monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "notify"))
    return ear


def test_it_hears_what_it_is_told(manager: socket.socket) -> None:
    with manager:
        tell(READY)
        assert manager.recv(100) == b"READY=1"


def test_it_hears_twice_in_an_interval_that_the_loop_is_alive(
    manager: socket.socket, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WATCHDOG_USEC", "20000")
    with manager:

        async def listen() -> list[bytes]:
            alive = asyncio.create_task(stay_alive())
            heard = [await asyncio.to_thread(manager.recv, 100) for _ in range(3)]
            alive.cancel()
            return heard

        assert asyncio.run(listen()) == [b"WATCHDOG=1"] * 3


@pytest.mark.parametrize("address", ["", "nonsense", "/nobody/listens"])
def test_without_a_manager_nothing_happens(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NOTIFY_SOCKET", address)
    monkeypatch.setenv("WATCHDOG_USEC", "nonsense")
    tell(READY)
    asyncio.run(asyncio.wait_for(stay_alive(), PATIENCE))
