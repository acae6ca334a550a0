"""The collector where nothing can be written but its own folder: it starts, takes an upload, ends, and starts again."""

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
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
from hgldp.system.code_folder import COMPLETE, VARIABLE
from hgldp.wire.bulletin import read_bulletin
from hgldp.wire.task import read_task
from hgldp.wire.upload import Upload
from tests.collector.fakes import HOT, FakeClock, create, open_by_hand
from tests.collector.fakes import upload as some_reports
from tests.free_port import free_port
from tests.patience import PATIENCE, until
from tests.slow.deploy.locked_room import ADMIN, inside, start
from tests.slow.deploy.programs import require

TASK = {"name": "Pages", "epsilon": 3.0, "k": 2, "domain": {"range": [0, 50]}, "results": "public"}
WRITE_EVERYWHERE = "import os; open(os.path.join({folder!r}, 'probe'), 'w').close()"


@pytest.fixture
def data() -> Iterator[Path]:
    """A folder that nobody may own: pytest's own temporary folders are closed to other users."""
    require("bwrap", "setpriv")
    around = Path(mkdtemp(prefix="hgldp-locked-"))
    around.chmod(0o755)
    (around / "data").mkdir()
    yield around / "data"
    shutil.rmtree(around)


def compiled_already(data: Path) -> dict[str, str]:
    """A folder beside it with the machine code that these tests have, as an image brings it: nothing can be added."""
    place, found = data.with_name("code"), code_folder()
    if found is not None:
        shutil.copytree(found, place / Path(found).name)
        (place / Path(found).name / COMPLETE).touch()
    return {VARIABLE: str(place)}


@contextmanager
def serving(data: Path, **environment: str) -> Iterator[tuple[subprocess.Popen[str], httpx.Client]]:
    """A collector that is ready. It is told to end when the block is left, and must obey."""
    port = free_port()
    words = [sys.executable, "-m", "hgldp.cli", "serve", "--data", str(data), "--port", str(port)]
    process = start(data, *words, **environment)
    headers = {"authorization": f"Bearer {ADMIN}"}
    try:
        url = f"http://127.0.0.1:{port}"
        with httpx.Client(base_url=url, trust_env=False, timeout=PATIENCE, headers=headers) as http:
            until(lambda: process.poll() is not None or is_ready(http))
            assert process.poll() is None, process.communicate()[1]
            yield process, http
    finally:
        if process.poll() is None:
            process.kill()
        process.communicate()


def ran(data: Path, *words: str, **environment: str) -> tuple[int, str, str]:
    """The exit status of a command in the room, and what it said."""
    with start(data, *words, **environment) as process:
        try:
            said, wrong = process.communicate(timeout=PATIENCE)
        finally:
            process.kill()
    return process.returncode, said, wrong


def is_ready(http: httpx.Client) -> bool:
    """The port answers 503 while the collector starts."""
    try:
        return http.get("/ready").status_code == 200
    except httpx.TransportError:
        return False


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
    return process.wait(PATIENCE)


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
        assert any((data / "compiled").rglob("*.nbc"))
        assert any((data / "compiled").rglob(COMPLETE))
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
    copy, environment = data.with_name("copy.tar"), compiled_already(data)
    shutil.move(data / "copy.tar", copy)
    words = ["-m", "hgldp.cli", "restore", str(copy), "--data", str(data)]
    code, said, wrong = ran(data, sys.executable, *words, **environment)
    assert code == 0, wrong
    assert "reports    6" in said
    with serving(data, **environment) as (process, http):
        (task,) = http.get("/v1/tasks").json()["tasks"]
        assert task["reports"] == 6
        assert end(process) == 0


@pytest.mark.parametrize("folder", ["/", "/tmp", "/var", str(Path(__file__).parent)])  # noqa: S108
def test_the_room_is_locked(data: Path, folder: str) -> None:
    """The check itself: without this, a room with an open door would prove nothing."""
    code, _, said = ran(data, sys.executable, "-c", WRITE_EVERYWHERE.format(folder=folder))
    assert code == 1
    assert "Read-only file system" in said or "Permission denied" in said


def test_the_room_runs_the_same_python(data: Path) -> None:
    _, said, wrong = ran(data, sys.executable, "-c", "import os, hgldp; print(os.__file__, hgldp.__file__)")
    assert said.split() == [os.__file__, hgldp.__file__], wrong


def test_the_room_has_no_privileges_and_no_home(data: Path) -> None:
    ask = "import os; print(os.environ.get('HOME'), open('/proc/self/status').read())"
    _, said, _ = ran(data, sys.executable, "-c", ask)
    assert said.startswith("None ")
    assert "CapEff:\t0000000000000000" in said
    assert "NoNewPrivs:\t1" in said
