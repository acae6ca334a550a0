"""The server of the load test: the whole collector as `hgldp serve` runs it, and a handler that only says thanks."""

import json
import sys
from pathlib import Path
from typing import Any

import uvicorn
import uvloop

from hgldp.collector.app import build_app
from hgldp.collector.collector import Collector
from hgldp.collector.server import configuration, freeze_gc
from hgldp.collector.settings import Settings
from hgldp.collector.views import TaskTerms
from hgldp.model.budget import Budget
from hgldp.model.domain import RangeDomain
from hgldp.model.task import Task
from hgldp.system.clock import SystemClock

THANKS = b'{"accepted":1}'
EPOCH = 1_000_000


async def empty(receive: Any, send: Any) -> None:
    while (await receive()).get("more_body"):
        pass
    await answer(send, THANKS)


async def answer(send: Any, body: bytes) -> None:
    headers = [(b"content-type", b"application/json"), (b"content-length", b"%d" % len(body))]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": body})


def build(collector: Collector, settings: Settings) -> Any:
    collecting = build_app(collector, settings)

    async def app(scope: Any, receive: Any, send: Any) -> None:
        if scope["path"] == "/empty":
            await empty(receive, send)
        elif scope["path"] == "/now":
            await answer(send, state(collector))
        else:
            await collecting(scope, receive, send)

    return app


def state(collector: Collector) -> bytes:
    """What a client of the load test needs to know."""
    (now,) = collector.tasks()
    symbols = now.formats[bytes.fromhex(now.bulletin.version)]
    return json.dumps({"version": symbols.version.hex(), "width": symbols.width, "reports": now.reports}).encode()


def main(folder: str, port: str, scheme: str, store: str = "") -> None:
    """With a store, the first of several collectors makes the task, and the others find it there."""
    settings = Settings(data=Path(folder), port=int(port), store=store)
    if store:
        collector = Collector.join(store, limits=settings.limits)
    else:
        collector = Collector.open(settings.data, clock=SystemClock(), limits=settings.limits)
    task = Task(scheme, Budget(2.0), RangeDomain(10_000), k=20, epoch=EPOCH)
    made = "" if collector.tasks() else collector.create_task(task, TaskTerms("load")).write_key
    print(made, flush=True)
    app = build(collector, settings)
    freeze_gc()
    told = configuration(app)
    told.port = settings.port
    uvloop.run(uvicorn.Server(told).serve())
    collector.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
