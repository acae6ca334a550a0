"""After a full disk or a foreign lock, the service says that it is ready again by itself.

Behind a load balancer no upload comes while it says that it is not, so it must not wait for one.
"""

import os
import sqlite3
import subprocess
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from hgldp.collector.log.sqlite import FILE
from hgldp.collector.settings import Limits
from tests.collector.live_service import NUMBERS, Made, Service, live_service
from tests.patience import until

ROOM = 4 << 20


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    disk = tmp_path / "disk"
    disk.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={ROOM}", "tmpfs", str(disk)],  # noqa: S607
        capture_output=True,
        check=False,
    )
    if mounted.returncode:
        pytest.skip("a small disk can only be mounted by root")
    yield disk
    subprocess.run(["umount", "--lazy", str(disk)], check=True)  # noqa: S607


def until_ready(service: Service) -> None:
    until(lambda: service.http.get("/ready").status_code == 200)


def refuse_one(service: Service, made: Made) -> None:
    """One upload is refused, and then the service says that it is not ready."""
    answer = service.upload(made, [7] * 200)
    assert (answer.status_code, answer.json()["type"]) == (503, "urn:hgldp:problem:storage-full")
    assert service.http.get("/ready").status_code == 503


def fill(file: Path) -> None:
    """Up to the last byte of its disk."""
    with open(file, "wb", buffering=0) as target:
        for size in (1 << 16, 1 << 9, 1):
            try:
                while target.write(os.urandom(size)):
                    pass
            except OSError:
                continue


def test_a_disk_that_has_room_again(small_disk: Path) -> None:
    with live_service(small_disk / "data", limits=Limits(free_bytes=0)) as service:
        made = service.create(**NUMBERS)
        assert service.upload(made, [7] * 10).status_code == 200
        fill(small_disk / "filler")
        try:
            refuse_one(service, made)
        finally:
            (small_disk / "filler").unlink()
        until_ready(service)
        assert service.upload(made, [7] * 10).status_code == 200


@pytest.mark.parametrize("an_upload_heals_it", [False, True])
def test_a_database_that_another_process_had_locked(tmp_path: Path, an_upload_heals_it: bool) -> None:
    with live_service(tmp_path / "data", limits=Limits(busy_milliseconds=100)) as service:
        made = service.create(**NUMBERS)
        with closing(sqlite3.connect(tmp_path / "data" / FILE, isolation_level=None)) as foreign:
            foreign.execute("BEGIN IMMEDIATE")
            refuse_one(service, made)
            foreign.execute("ROLLBACK")
        if not an_upload_heals_it:
            until_ready(service)
        assert service.upload(made, [7] * 10).status_code == 200
        until_ready(service)
