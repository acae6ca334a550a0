"""For operators and their machines: is it alive, is it ready, its metrics, and its OpenAPI document."""

import os
import shutil
import time
from pathlib import Path
from typing import TYPE_CHECKING

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from hgldp.collector.http.access import Access
from hgldp.collector.http.metrics import MEDIA_TYPE, RequestCounts, write_metrics
from hgldp.collector.http.openapi import openapi_document
from hgldp.collector.http.request import Query
from hgldp.collector.http.responses import json_answer
from hgldp.collector.problems import Problem, Refused
from hgldp.collector.settings import Settings
from hgldp.wire import api

if TYPE_CHECKING:
    from hgldp.collector.collector import Collector

PROBE, RETRY_SECONDS = ".ready-probe", 10


class OperationRoutes:
    """None of them needs a token. Without one, the metrics tell nothing of a private task but what it adds to a sum."""

    def __init__(self, collector: "Collector", settings: Settings, counts: RequestCounts, access: Access) -> None:
        self._collector, self._settings, self._counts, self._access = collector, settings, counts, access
        self._started = time.time()

    def routes(self) -> list[Route]:
        """All of them are read-only."""
        return [
            Route(api.HEALTH, self.health, methods=["GET"]),
            Route(api.READY, self.ready, methods=["GET"]),
            Route(api.METRICS, self.metrics, methods=["GET"]),
            Route(api.OPENAPI, self.openapi, methods=["GET"]),
        ]

    async def health(self, request: Request) -> Response:
        """Whether the process answers."""
        Query(request)
        return json_answer({"status": "alive"})

    async def ready(self, request: Request) -> Response:
        """Whether the writer works and the disk can be written; 503 if not."""
        Query(request)
        try:
            await run_in_threadpool(_write_probe, self._settings.data)
        except OSError:
            raise Refused(Problem.STORAGE_FULL, "the data folder cannot be written", RETRY_SECONDS) from None
        if not self._collector.ready:
            raise Refused(Problem.STORAGE_FULL, "the writer is not working", RETRY_SECONDS)
        return json_answer({"status": "ready", "tasks": len(self._collector.tasks())})

    async def metrics(self, request: Request) -> Response:
        """Counters and gauges."""
        Query(request)
        free = await run_in_threadpool(lambda: shutil.disk_usage(self._settings.data).free)
        service = {
            "start_time_seconds": self._started,
            "disk_free_bytes": free,
            "ready": int(self._collector.ready),
            "uploads_waiting": self._collector.waiting,
            "commits": self._collector.commits,
        }
        page = write_metrics(
            self._collector.tasks(), self._counts, service, all_named=self._access.sees_metrics(request)
        )
        return Response(page, 200, {"cache-control": "no-store"}, MEDIA_TYPE)

    async def openapi(self, request: Request) -> Response:
        """The document that describes all of this."""
        Query(request)
        return json_answer(openapi_document(), cache="public, max-age=3600")


def _write_probe(folder: Path) -> None:
    """Write a few bytes to the disk and delete them."""
    place = os.open(folder / PROBE, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    try:
        os.write(place, b"ready")
        os.fsync(place)
    finally:
        os.close(place)
        (folder / PROBE).unlink(missing_ok=True)
