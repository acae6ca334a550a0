"""The first start of a collector compiles in another process: its port answers meanwhile, and a stop is a stop."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import httpx
import pytest

from hgldp.collector.compiling import STEPS
from hgldp.system.code_folder import COMPLETE, VARIABLE
from tests.collector.live_service import ADMIN, Made, Service
from tests.free_port import free_port
from tests.patience import PATIENCE, until

KINDS: list[dict[str, Any]] = [
    *({"scheme": scheme, "domain": {"range": [0, 50]}} for scheme in ("pfr", "bgr", "dsr", "bdr", "cnr")),
    {"scheme": "pfr", "domain": {"range": [0, 5000]}},
    {"scheme": "pfr", "domain": {"strings": 8}},
]

Started = tuple["subprocess.Popen[str]", httpx.Client]


@contextmanager
def serving(folder: Path, cache: Path | str) -> Iterator[Started]:
    """From its first breath on."""
    port = free_port()
    words = [sys.executable, "-m", "hgldp.cli", "serve", "--data", str(folder), "--port", str(port)]
    known = {**os.environ, VARIABLE: str(cache), "HGLDP_ADMIN_TOKEN": ADMIN, "TMPDIR": str(folder.parent)}
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=known) as process:
        try:
            with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=PATIENCE, trust_env=False) as http:
                yield process, http
        finally:
            process.kill()
            process.communicate()


def lives_and(process: "subprocess.Popen[str]", holds: Callable[[], object]) -> object:
    """Also while its port does not answer yet."""
    assert process.poll() is None, process.communicate()
    with suppress(httpx.TransportError):
        return holds()
    return False


def child_of(process: "subprocess.Popen[str]") -> int | None:
    """The process that it started, if there is one."""
    found: list[str] = []
    for thread in Path(f"/proc/{process.pid}/task").iterdir():
        found += (thread / "children").read_text().split()
    return int(found[0]) if found else None


def is_gone(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return True
    return state == "Z"


def events(err: str) -> list[str]:
    return [json.loads(line)["event"] for line in err.splitlines()]


def code_in(cache: Path) -> set[str]:
    return {path.name for path in cache.rglob("*.nbc")}


def compiles(process: "subprocess.Popen[str]", http: httpx.Client, cache: Path) -> int:
    """Wait until another process has compiled something, and say which it is."""
    compiling = lambda: http.get("/health").json()["total"] == STEPS and child_of(process) and code_in(cache)  # noqa: E731
    until(lambda: lives_and(process, compiling))
    return child_of(process) or 0


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="asks /proc for processes")
def test_a_stop_does_not_wait_for_the_compiler_and_the_next_start_goes_on(tmp_path: Path) -> None:
    """Before: SIGTERM took 29 to 53 seconds, because the collector compiled in its own process."""
    cache = tmp_path / "cache"
    with serving(tmp_path / "data", cache) as (process, http):
        child = compiles(process, http, cache)
        refused = http.post("/v1/tasks", json={})
        assert (refused.status_code, refused.json()["type"]) == (503, "urn:hgldp:problem:starting")
        process.send_signal(signal.SIGTERM)
        _, err = process.communicate(timeout=PATIENCE)
        assert (process.returncode, events(err)[-1]) == (0, "stopped before it had recovered")
        assert is_gone(child)
        (folder,) = cache.iterdir()
        assert not (folder / COMPLETE).exists(), "it was compiled to the end before it stopped"
        assert not list(folder.glob("hgldp-compiling-*"))
        kept = code_in(cache)
    with serving(tmp_path / "data", cache) as (process, http):
        until(lambda: lives_and(process, lambda: http.get("/ready").status_code == 200))
        assert (folder / COMPLETE).exists()
        assert not list(folder.glob("hgldp-compiling-*"))
        assert child_of(process) is None
        before = code_in(cache)
        assert before > kept
        goes_through_all(Service(str(http.base_url), tmp_path, None, http, None))  # type: ignore[arg-type]
        assert code_in(cache) == before, "the collector has compiled something itself"
        process.send_signal(signal.SIGTERM)
        _, err = process.communicate(timeout=PATIENCE)
        assert (process.returncode, events(err)[-1]) == (0, "stopped")


def goes_through_all(service: Service) -> None:
    """Tasks of every kind, with reports, the end of an epoch, and answers."""
    for kind in KINDS:
        made = service.create(name="N", epsilon=2.0, k=2, level="event", results="public", **kind)
        item = "a" if "strings" in kind["domain"] else 7
        for seed in range(2):
            assert service.upload(made, [item] * 50, seed).status_code == 200
            assert service.http.get(f"{made.path}/top").status_code == 200
            sealed(service, made)


def sealed(service: Service, made: Made) -> None:
    answer = service.http.post(f"{made.path}/seal", headers=service.admin)
    assert answer.status_code in (200, 204), answer.text


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="asks /proc for processes")
def test_a_collector_that_is_killed_leaves_no_compiler(tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    with serving(tmp_path / "data", cache) as (process, http):
        child = compiles(process, http, cache)
        process.kill()
        process.wait()
        until(lambda: is_gone(child))
        (folder,) = cache.iterdir()
        assert not (folder / COMPLETE).exists(), "it went on to the end"


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="asks /proc for processes")
def test_where_nothing_is_to_be_kept_a_temporary_folder_is_gone_after_the_stop(tmp_path: Path) -> None:
    with serving(tmp_path / "data", "off") as (process, http):
        child = compiles(process, http, tmp_path)
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=PATIENCE)
        assert process.returncode == 0
        assert is_gone(child)
    assert code_in(tmp_path) == set()
    assert not list(tmp_path.glob("hgldp-compiling-*"))
