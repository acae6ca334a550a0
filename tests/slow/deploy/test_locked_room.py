"""The collector where nothing can be written but its own folder: it starts, takes an upload, ends, and starts again."""

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import mkdtemp

import httpx
import pytest

import hgldp
from hgldp.client import Randomizer
from hgldp.collector.log.backup import back_up
from hgldp.kernels.compile import code_folder
from hgldp.model.randomness import SeededWords
from hgldp.schemes.registry import scheme_of
from hgldp.system.code_folder import COMPLETE
from hgldp.wire.bulletin import read_bulletin
from hgldp.wire.task import read_task
from hgldp.wire.upload import Upload
from tests.collector.fakes import HOT, FakeClock, create, open_by_hand
from tests.collector.fakes import upload as some_reports
from tests.free_port import free_port
from tests.slow.deploy.locked_room import ADMIN, inside, start
from tests.slow.deploy.programs import require

TASK = {"name": "Pages", "epsilon": 3.0, "k": 2, "domain": {"range": [0, 50]}, "results": "public"}
WRITE_EVERYWHERE = "import os; open(os.path.join({folder!r}, 'probe'), 'w').close()"


@pytest.fixture
def data() -> Iterator[Path]:
    """A folder that nobody may own: pytest's own temporary folders are closed to other users."""
    require("bwrap", "setpriv")
    folder = Path(mkdtemp(prefix="hgldp-locked-"))
    yield folder
    shutil.rmtree(folder)


@contextmanager
def serving(data: Path, **environment: str) -> Iterator[tuple[subprocess.Popen[str], httpx.Client]]:
    """A collector that is ready. It is told to end when the block is left, and must obey."""
    port = free_port()
    words = [sys.executable, "-m", "hgldp.cli", "serve", "--data", str(data), "--port", str(port)]
    process = start(data, *words, **environment)
    headers = {"authorization": f"Bearer {ADMIN}"}
    try:
        with httpx.Client(base_url=f"http://127.0.0.1:{port}", trust_env=False, timeout=60, headers=headers) as http:
            until_ready(process, http)
            yield process, http
    finally:
        if process.poll() is None:
            process.kill()
        process.communicate()


def until_ready(process: subprocess.Popen[str], http: httpx.Client) -> None:
    """The port answers 503 while the collector starts, and without compiled code that takes long on a busy machine."""
    end = time.monotonic() + 120
    while time.monotonic() < end:
        assert process.poll() is None, process.communicate()[1]
        with suppress(httpx.TransportError):
            if http.get("/ready").status_code == 200:
                return
        time.sleep(0.05)
    raise AssertionError("not ready after two minutes")


def upload(http: httpx.Client, path: str, key: str, reports: int) -> httpx.Response:
    headers = {"authorization": f"Bearer {key}"}
    task = read_task(http.get(f"{path}/document", headers=headers).content)
    version = http.get(f"{path}/bulletin", headers=headers).json()["bulletin"]
    bulletin = read_bulletin(http.get(f"/v1/bulletins/{version}", headers=headers).content, version)
    client = Randomizer(task, 10.0, SeededWords(1))
    symbols = [client.report(7, bulletin).symbol for _ in range(reports)]
    limit = scheme_of(task).symbol_limit(bulletin)  # type: ignore[arg-type]
    body = Upload.of(os.urandom(16), bytes.fromhex(version), symbols, limit).encode()
    return http.post(f"/v1/in/{key}", content=body)


def end(process: subprocess.Popen[str]) -> int:
    """SIGTERM to the collector itself, as a service manager sends it. It may have to finish what it is compiling."""
    os.kill(inside(process), signal.SIGTERM)
    return process.wait(120)


def package_is_cold() -> bool:
    """Whether the package brings no machine code of its own; an image does."""
    folder = code_folder()
    return folder is None or not (Path(folder) / COMPLETE).exists()


def test_it_runs_with_nothing_to_write_but_its_folder(data: Path) -> None:
    """Before: 500 for the first task, and no start with a folder that has one (no place for compiled code)."""
    with serving(data) as (process, http):
        made = http.post("/v1/tasks", json=TASK)
        assert made.status_code == 201, made.text
        task, key = f"/v1/tasks/{made.json()['id']}", made.json()["write_key"]
        assert upload(http, task, key, 200).status_code == 200
        sealed = http.post(f"{task}/seal")  # on a busy machine it may compile for longer than anybody waits
        assert sealed.status_code in (200, 204) or sealed.json()["type"].endswith("task-busy")
        assert end(process) == 0
    if os.geteuid() == 0:  # in a user namespace of its own the folders above have no known owner, and none is trusted
        assert any((data / "compiled").rglob("*.nbc")) == package_is_cold()
    with serving(data) as (process, http):
        assert http.get(f"{task}/top").json()["reports"] == 200
        assert upload(http, task, key, 100).status_code == 200
        assert end(process) == 0


def test_it_runs_when_compiled_code_can_be_kept_nowhere(data: Path) -> None:
    with serving(data, HGLDP_CACHE_DIR="off") as (process, http):
        made = http.post("/v1/tasks", json=TASK).json()
        assert upload(http, f"/v1/tasks/{made['id']}", made["write_key"], 200).status_code == 200
        assert end(process) == 0
    assert not (data / "compiled").exists()


def test_a_backup_is_restored_where_nothing_can_be_written_but_the_volume(data: Path, tmp_path: Path) -> None:
    """Before: a traceback. The folder is a mount point, so nothing can be moved to its place or made beside it."""
    collector = open_by_hand(tmp_path / "data", FakeClock())
    (view,) = create(collector, HOT)
    collector.offer(view, some_reports(view, 6))
    collector.step()
    back_up(tmp_path / "data", data / "copy.tar")
    collector.close()
    (data / "copy.tar").chmod(0o444)
    copy = data.with_name(f"{data.name}.tar")
    shutil.move(data / "copy.tar", copy)
    try:
        process = start(data, sys.executable, "-m", "hgldp.cli", "restore", str(copy), "--data", str(data))
        said, wrong = process.communicate(timeout=60)
    finally:
        copy.unlink()
    assert process.returncode == 0, wrong
    assert "reports    6" in said
    with serving(data) as (process, http):
        (task,) = http.get("/v1/tasks").json()["tasks"]
        assert task["reports"] == 6
        assert end(process) == 0


@pytest.mark.parametrize("folder", ["/", "/tmp", "/var", str(Path(__file__).parent)])  # noqa: S108
def test_the_room_is_locked(data: Path, folder: str) -> None:
    """The check itself: without this, a room with an open door would prove nothing."""
    probe = start(data, sys.executable, "-c", WRITE_EVERYWHERE.format(folder=folder))
    _, said = probe.communicate(timeout=30)
    assert probe.returncode == 1
    assert "Read-only file system" in said or "Permission denied" in said


def test_the_room_runs_the_same_python(data: Path) -> None:
    probe = start(data, sys.executable, "-c", "import os, hgldp; print(os.__file__, hgldp.__file__)")
    said, wrong = probe.communicate(timeout=30)
    assert said.split() == [os.__file__, hgldp.__file__], wrong


def test_the_room_has_no_privileges_and_no_home(data: Path) -> None:
    ask = "import os; print(os.environ.get('HOME'), open('/proc/self/status').read())"
    probe = start(data, sys.executable, "-c", ask)
    said, _ = probe.communicate(timeout=30)
    assert said.startswith("None ")
    assert "CapEff:\t0000000000000000" in said
    assert "NoNewPrivs:\t1" in said
