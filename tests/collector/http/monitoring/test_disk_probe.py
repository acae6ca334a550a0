"""Whether the disk can be written is found out once a second, and within seconds even if it hangs."""

import asyncio
import os
import threading
from pathlib import Path

import pytest

from hgldp.collector.http.monitoring import disk_probe
from hgldp.collector.http.monitoring.disk_probe import DiskProbe
from tests.patience import PATIENCE


def test_the_probe_writes_once_a_second_however_many_ask(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[object] = []
    real = os.open
    monkeypatch.setattr(os, "open", lambda *given: opened.append(given) or real(*given))
    probe = DiskProbe(tmp_path)

    async def ask() -> list[bool]:
        return await asyncio.gather(*(probe.works() for _ in range(100)))

    assert all(asyncio.run(ask()))
    assert len(opened) == 1


def test_a_disk_that_hangs_is_reported_and_tried_only_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(disk_probe, "HANGING_SECONDS", 0.05)
    monkeypatch.setattr(disk_probe, "FRESH_SECONDS", 0.0)
    free, tried = threading.Event(), []

    def hang(_: int) -> None:
        tried.append(1)
        free.wait(PATIENCE)

    monkeypatch.setattr(os, "fsync", hang)
    probe = DiskProbe(tmp_path)

    async def ask() -> list[bool]:
        hanging = [await probe.works() for _ in range(3)]
        assert len(tried) == 1
        free.set()
        async with asyncio.timeout(PATIENCE):
            while not await probe.works():
                await asyncio.sleep(0.01)
        return [*hanging, await probe.works()]

    assert asyncio.run(ask()) == [False, False, False, True]
