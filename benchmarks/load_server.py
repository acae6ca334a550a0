"""The server of the load test: the whole collector, and beside it a handler that reads a body and says thanks."""

import json
import sys
from pathlib import Path
from typing import Any

import uvicorn

from hgldp.collector.clock import SystemClock
from hgldp.collector.collector import Collector
from hgldp.collector.ingest import Ingest
from hgldp.collector.views import TaskTerms
from hgldp.model.budget import Budget
from hgldp.model.domain import RangeDomain
from hgldp.model.task import Task

THANKS = b'{"accepted":1}'
HEADERS = [(b"content-type", b"application/json"), (b"content-length", b"%d" % len(THANKS))]


async def empty(receive: Any, send: Any) -> None:
    while (await receive()).get("more_body"):
        pass
    await send({"type": "http.response.start", "status": 200, "headers": HEADERS})
    await send({"type": "http.response.body", "body": THANKS})


def build(collector: Collector) -> Any:
    ingest = Ingest(collector)

    async def app(scope: Any, receive: Any, send: Any) -> None:
        path = scope.get("path", "")
        if path.startswith("/v1/in/"):
            await ingest(scope, receive, send)
        elif path == "/empty":
            await empty(receive, send)
        elif path == "/now":
            (now,) = collector.tasks()
            gate = now.gates[bytes.fromhex(now.bulletin.version)]
            body = json.dumps({"version": gate.version.hex(), "width": gate.width, "reports": now.reports}).encode()
            headers = [(b"content-length", b"%d" % len(body))]
            await send({"type": "http.response.start", "status": 200, "headers": headers})
            await send({"type": "http.response.body", "body": body})

    return app


def main(folder: str, port: str) -> None:
    collector = Collector.open(Path(folder), clock=SystemClock())
    task = Task("dsr", Budget(2.0), RangeDomain(10_000), k=20, epoch=1_000_000)
    new = collector.create_task(task, TaskTerms("load"))
    print(new.write_key, flush=True)
    options: dict[str, Any] = {"loop": "uvloop", "http": "httptools", "log_level": "warning", "access_log": False}
    uvicorn.run(build(collector), port=int(port), lifespan="off", **options)
    collector.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
