"""The port answers while the collector recovers, and SIGTERM ends it then too."""

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from hgldp.collector.http.starting import Starting, Stopped
from tests.free_port import free_port
from tests.patience import PATIENCE, until

SLOW = """
import os, time
from hgldp.collector.collector import Collector
quick = Collector.open
def slow(*words, progress=None, **more):
    for step in range({steps}):
        progress(step, {steps})
        while step == {holds} and not os.path.exists({goes!r}):
            time.sleep(0.01)
    return quick(*words, **more)
Collector.open = slow
"""


@contextmanager
def recovering(folder: Path, steps: int, holds: int) -> Iterator[tuple["subprocess.Popen[str]", httpx.Client]]:
    """A collector whose recovery stays at a step until there is a file `goes` beside its folder."""
    port = free_port()
    arguments = ["serve", "--data", str(folder), "--port", str(port)]
    slow = SLOW.format(steps=steps, holds=holds, goes=str(folder.with_name("goes")))
    program = f"{slow}\nimport sys\nfrom hgldp.cli import main\nsys.exit(main({arguments}))"
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    process: subprocess.Popen[str] = subprocess.Popen([sys.executable, "-c", program], env=os.environ, **pipes)  # type: ignore[call-overload]
    try:
        with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=PATIENCE, trust_env=False) as http:
            until(lambda: process.poll() is not None or recovers(http, steps))
            yield process, http
    finally:
        process.kill()
        process.communicate()


def recovers(http: httpx.Client, steps: int) -> bool:
    """The first start on a machine compiles before it recovers."""
    try:
        health = http.get("/health").json()
    except httpx.TransportError:
        return False
    return health["status"] != "starting" or health["total"] == steps


def test_every_request_is_told_how_far_it_is_and_then_answered(tmp_path: Path) -> None:
    with recovering(tmp_path / "data", 40, 20) as (process, http):
        alive = http.get("/health")
        assert (alive.status_code, alive.json()["status"], alive.json()["total"]) == (200, "starting", 40)
        for method, path in (("GET", "/ready"), ("GET", "/"), ("POST", "/v1/in/some-key"), ("POST", "/v1/tasks")):
            refused = http.request(method, path, content=b"x" if method == "POST" else None)
            assert (refused.status_code, refused.headers["retry-after"]) == (503, "1")
            assert refused.json()["type"] == "urn:hgldp:problem:starting"
            assert refused.json()["detail"].endswith("of 40 steps are done")
        assert http.get("/health").json()["done"] >= alive.json()["done"]
        (tmp_path / "goes").touch()
        until(lambda: http.get("/ready").status_code == 200)  # on the connection that was open before
        assert http.get("/health").json() == {"status": "alive"}
        assert http.post("/v1/in/some-key", content=b"x").status_code == 404
        process.send_signal(signal.SIGTERM)
        out, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0
    assert out.startswith("The collector is running.")
    assert "Traceback" not in err


def test_sigterm_ends_a_recovery(tmp_path: Path) -> None:
    """Also in the middle of a step that would take for ever."""
    with recovering(tmp_path / "data", 40, 20) as (process, http):
        assert http.get("/health").json()["status"] == "starting"
        process.send_signal(signal.SIGTERM)
        out, err = process.communicate(timeout=PATIENCE)
    assert (process.returncode, out) == (0, "")
    assert "stopped before it had recovered" in err
    assert "Traceback" not in err


def test_progress_ends_a_recovery_that_nobody_wants() -> None:
    starting = Starting()
    starting.progress(3, 9)
    assert (starting.done, starting.total) == (3, 9)
    starting.stop()
    with pytest.raises(Stopped):
        starting.progress(4, 9)


def test_requests_after_the_end_of_the_recovery_reach_the_app() -> None:
    starting, seen = Starting(), []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        seen.append(scope["path"])

    async def scene() -> None:
        starting.finish(app)
        await starting({"type": "http", "path": "/x", "method": "GET"}, None, None)  # type: ignore[arg-type]

    asyncio.run(scene())
    assert seen == ["/x"]
