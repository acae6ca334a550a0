"""The demo's collector: a separate process on a free port, with a folder that is deleted when it ends."""

import os
import secrets
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from hgldp.cli.service import Service, Turned, Unreachable
from hgldp.cli.terminal import progress_bar
from hgldp.errors import HgldpError
from hgldp.wire import api

START_SECONDS, END_SECONDS = 600.0, 15.0


class NotStarted(HgldpError):
    """The collector did not come up."""


@dataclass(frozen=True)
class RunningServer:
    """Where it is, and its owner's access."""

    url: str
    service: Service
    process: "subprocess.Popen[bytes]"


@contextmanager
def running_server(port: int) -> Iterator[RunningServer]:
    """Up when it is ready to take reports; ended and cleaned away at the end. Ctrl-C reaches the demo alone."""
    port, token = free_port(port), secrets.token_urlsafe(32)
    with TemporaryDirectory(prefix="hgldp-demo-") as folder, (Path(folder) / "log").open("wb") as log:
        serve = ["serve", "--data", f"{folder}/data", "--port", str(port)]
        command = [sys.executable, "-m", "hgldp.cli.commands.demo.child", *serve]
        environment = {**os.environ, "HGLDP_ADMIN_TOKEN": token}
        with subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=log, stderr=log, env=environment, start_new_session=True
        ) as process:
            url = f"http://127.0.0.1:{port}"
            try:
                service = Service(url, token)
                with progress_bar("the collector starts", wanted=True) as advance:
                    _wait(service, process, Path(folder) / "log", advance)
                yield RunningServer(url, service, process)
            finally:
                process.terminate()
                try:
                    process.wait(END_SECONDS)
                except subprocess.TimeoutExpired:
                    process.kill()


def free_port(wanted: int = 0) -> int:
    """The wanted port (any for 0), refused if another server listens there: it would answer for the collector."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", wanted))
        except OSError as failure:
            raise NotStarted(f"--port must be free, got {wanted} ({failure.strerror})") from None
        return int(probe.getsockname()[1])


def _wait(service: Service, process: "subprocess.Popen[bytes]", log: Path, advance: Callable[[int, int], None]) -> None:
    """The first start on a machine compiles for a while."""
    end = time.monotonic() + START_SECONDS
    while time.monotonic() < end:
        if process.poll() is not None:
            last = log.read_text(encoding="utf-8", errors="replace").strip().splitlines()[-1:]
            raise NotStarted(f"the collector did not start: {' '.join(last)[:300] or 'no reason given'}")
        try:
            service.get(api.READY)
        except (Unreachable, Turned):
            with suppress(Unreachable, Turned):
                health = service.get(api.HEALTH)
                advance(health.get("done", 0), health.get("total") or 1)
            time.sleep(0.05)
        else:
            return
    raise NotStarted(f"the collector is not ready after {START_SECONDS:g} seconds")
