"""A whole collector on a port of this machine, in a thread: real bytes over real HTTP."""

import asyncio
import os
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from hashlib import sha512
from itertools import count
from pathlib import Path
from typing import Any

import httpx
import uvicorn

from hgldp.client import Randomizer
from hgldp.collector.app import build_app
from hgldp.collector.collector import Collector
from hgldp.collector.settings import Limits, Settings
from hgldp.collector.tokens import kept
from hgldp.model.randomness import SeededWords
from hgldp.schemes.registry import scheme_of
from hgldp.system.clock import Clock, SystemClock
from hgldp.wire.bulletin import read_bulletin
from hgldp.wire.task import read_task
from hgldp.wire.upload import Upload
from tests.patience import PATIENCE

ADMIN = "the admin token of the tests"
WORDS = {
    "name": "Drinks", "scheme": "dsr", "epsilon": 2.0, "k": 2, "cells": 3, "epoch": 100,
    "domain": {"words": ["tea", "=coffee", "mate", "juice", "milk", "water"]}, "results": "token",
}  # fmt: skip
NUMBERS = {
    "name": "Pages", "scheme": "pfr", "epsilon": 3.0, "k": 3, "domain": {"range": [-5, 100]}, "results": "public",
    "epoch": 200, "daily_reports": 4,
}  # fmt: skip


@dataclass
class Made:
    """A task as its creator knows it."""

    id: str
    key: str
    token: str
    path: str = field(init=False)

    def __post_init__(self) -> None:
        self.path = f"/v1/tasks/{self.id}"


@dataclass
class Service:
    """A running collector and a client of it."""

    url: str
    folder: Path
    collector: Collector
    http: httpx.Client
    settings: Settings

    @property
    def admin(self) -> dict[str, str]:
        return {"authorization": f"Bearer {ADMIN}"}

    def create(self, **fields: Any) -> Made:
        answer = self.http.post("/v1/tasks", json=fields, headers=self.admin)
        assert answer.status_code == 201, answer.text
        made = answer.json()
        return Made(made["id"], made["write_key"], made["read_token"])

    def upload(self, made: Made, items: list[object], seed: int = 1, upload_id: bytes | None = None) -> httpx.Response:
        """What one client would send."""
        return self.http.post(f"/v1/in/{made.key}", content=self.draw(made, items, seed, upload_id))

    def draw(self, made: Made, items: list[object], seed: int = 1, upload_id: bytes | None = None) -> bytes:
        key = {"authorization": f"Bearer {made.key}"}
        task = read_task(self.http.get(f"{made.path}/document", headers=key).content)
        version = self.http.get(f"{made.path}/bulletin", headers=key).json()["bulletin"]
        bulletin = read_bulletin(self.http.get(f"/v1/bulletins/{version}", headers=key).content, version)
        client = Randomizer(task, 10.0, SeededWords(seed))
        symbols = [client.report(item, bulletin).symbol for item in items]
        limit = scheme_of(task).symbol_limit(bulletin)  # type: ignore[arg-type]
        return Upload.of(upload_id or os.urandom(16), bytes.fromhex(version), symbols, limit).encode()


def steady_entropy() -> Callable[[int], bytes]:
    """The same bytes in every run, so that what the server's coins decide is the same too."""
    numbers = count()
    return lambda size: sha512(b"tests %d" % next(numbers)).digest()[:size]


@contextmanager
def live_service(folder: Path, clock: Clock | None = None, **settings: Any) -> Iterator[Service]:
    """Started, and ended when the block is left."""
    settings = {"limits": Limits(wrong_tokens=100_000), **settings}
    chosen = Settings(data=folder, admin_digest=kept(ADMIN), **settings)
    clock = clock or SystemClock()
    collector = Collector.open(folder, clock=clock, entropy=steady_entropy(), limits=chosen.limits)
    listening = socket.create_server(("127.0.0.1", 0))
    started, servers = threading.Event(), []

    async def run() -> None:
        config = uvicorn.Config(
            build_app(collector, chosen), http="httptools", lifespan="off", log_config=None, access_log=False,
            timeout_graceful_shutdown=1,
        )  # fmt: skip
        servers.append(uvicorn.Server(config))
        started.set()
        await servers[0].serve(sockets=[listening])

    thread = threading.Thread(target=lambda: asyncio.run(run()), daemon=True)
    thread.start()
    assert started.wait(PATIENCE)
    url = f"http://127.0.0.1:{listening.getsockname()[1]}"
    try:
        with httpx.Client(base_url=url, timeout=PATIENCE, trust_env=False) as http:
            yield Service(url, folder, collector, http, chosen)
    finally:
        servers[0].should_exit = True
        thread.join(PATIENCE)
        collector.close()
        listening.close()
