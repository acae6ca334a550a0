"""A disk that is really full: uploads are refused, nothing is lost, and it goes on when there is room again."""

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from hgldp.collector.collector import Collector
from hgldp.collector.log.replay import replay
from hgldp.collector.problems import Problem, Refused
from hgldp.collector.views import Receipt, TaskView
from tests.collector.fakes import HOT, create, now, upload

REPORTS, ROOM = 2_000, 200_000


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    disk = tmp_path / "disk"
    disk.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=800k", "tmpfs", str(disk)],  # noqa: S607
        capture_output=True,
        check=False,
    )
    if mounted.returncode:
        pytest.skip("a small disk can only be mounted by root")
    yield disk
    subprocess.run(["umount", "--lazy", str(disk)], check=True)  # noqa: S607


def fill(collector: Collector, view: TaskView) -> tuple[int, bytes]:
    """Send until the disk is full; how many reports were acknowledged, and the first upload that was not."""
    acknowledged = 0
    while True:
        here = now(collector, view)
        body = upload(here, REPORTS)
        pending = collector.offer(here, body)
        collector.step()
        if isinstance(pending.outcome, Refused):
            assert pending.outcome.problem is Problem.STORAGE_FULL
            return acknowledged, body
        acknowledged += REPORTS


def test_a_full_disk(small_disk: Path) -> None:
    filler, data = small_disk / "filler", small_disk / "data"
    filler.write_bytes(bytes(ROOM))
    collector = Collector.open(data, threaded=False)
    (view,) = create(collector, HOT)
    acknowledged, refused = fill(collector, view)
    assert now(collector, view).reports == acknowledged > 0
    assert not collector.ready
    filler.unlink()
    again = collector.offer(now(collector, view), refused)
    collector.step()
    assert again.outcome == Receipt(REPORTS)
    assert collector.ready
    more, _ = fill(collector, view)
    collector.storage.close()
    collector._lock.release()
    recovered = Collector.open(data, threaded=False)
    assert now(recovered, view).reports == acknowledged + REPORTS + more
    recovered.close()
    report = replay(data)
    assert report.agrees
    assert report.reports == acknowledged + REPORTS + more
