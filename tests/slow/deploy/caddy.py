"""Caddy as a process, with one of our files."""

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx

from tests.free_port import free_port
from tests.patience import PATIENCE, until


@contextmanager
def running_caddy(folder: Path, caddyfile: str) -> Iterator[tuple[httpx.Client, Path]]:
    """Without TLS, which needs a name and a certificate; everything else as it is deployed. Also where its log is."""
    port, log = free_port(), folder / "caddy.log"
    (folder / "Caddyfile").write_text(caddyfile)
    known = os.environ | {
        "HGLDP_HOST": f"http://127.0.0.1:{port}", "WATCH_HOST": f"http://127.0.0.1:{free_port()}",
        "HOME": str(folder), "XDG_DATA_HOME": str(folder), "XDG_CONFIG_HOME": str(folder),
    }  # fmt: skip
    words = ["caddy", "run", "--adapter", "caddyfile", "--config", str(folder / "Caddyfile")]
    with log.open("w") as out:
        process = subprocess.Popen(words, env=known, stdout=out, stderr=out)
    try:
        with httpx.Client(base_url=f"http://127.0.0.1:{port}", trust_env=False, timeout=PATIENCE) as http:
            until(lambda: process.poll() is not None or _answers(http))
            yield http, log
    finally:
        process.terminate()
        process.wait(PATIENCE)


def _answers(http: httpx.Client) -> bool:
    try:
        http.get("/")
    except httpx.TransportError:
        return False
    return True
