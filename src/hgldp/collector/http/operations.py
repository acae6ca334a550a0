"""For operators and their machines: is it alive, is it ready, its metrics, and its OpenAPI document."""

import asyncio
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from hgldp.collector.http.access import Access
from hgldp.collector.http.logs import lines_dropped
from hgldp.collector.http.metrics import MEDIA_TYPE, RequestCounts, write_metrics
from hgldp.collector.http.openapi import openapi_document
from hgldp.collector.http.places import Places
from hgldp.collector.http.process_numbers import disk_numbers, process_numbers
from hgldp.collector.http.request import Query
from hgldp.collector.http.responses import json_answer
from hgldp.collector.http.upload_counts import UploadCounts
from hgldp.collector.problems import Problem, Refused
from hgldp.collector.settings import Settings
from hgldp.wire import api

if TYPE_CHECKING:
    from hgldp.collector.collector import Collector

PROBE, PROBE_SECONDS, RETRY_SECONDS = ".ready-probe", 1.0, 10


class OperationRoutes:
    """None of them needs a token. Without one, the metrics tell nothing of a private task but what it adds to a sum."""

    def __init__(
        self,
        collector: "Collector",
        settings: Settings,
        counts: RequestCounts,
        uploads: UploadCounts,
        streams: Callable[[], int],
        access: Access,
        places: Places | None = None,
    ) -> None:
        self._collector, self._settings, self._counts, self._places = collector, settings, counts, places
        self._uploads, self._streams, self._access = uploads, streams, access
        self._started = time.time()
        self._probe = Probe(settings.data)

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
        if not await self._probe.works():
            raise Refused(Problem.STORAGE_FULL, "the data folder cannot be written", RETRY_SECONDS)
        if not self._collector.ready:
            raise Refused(Problem.STORAGE_FULL, "the writer is not working", RETRY_SECONDS)
        return json_answer({"status": "ready", "tasks": len(self._collector.tasks())})

    async def metrics(self, request: Request) -> Response:
        """Counters and gauges."""
        Query(request)
        backlog, timings = self._collector.backlog, self._collector.timings
        service = await run_in_threadpool(lambda: disk_numbers(self._settings.data) | process_numbers())
        service |= {
            "start_time_seconds": self._started,
            "ready": int(self._collector.ready),
            "uploads_under_way": self._uploads.under_way,
            "uploads_waiting": backlog.uploads,
            "waiting_bytes": backlog.bytes,
            "waiting_seconds": round(backlog.seconds, 3),
            "commits": self._collector.commits,
            "log_lines_dropped": lines_dropped(),
            "connections": self._places.taken if self._places else 0,
            "connections_refused": self._places.refused if self._places else 0,
            "connections_cut": self._places.cut if self._places else 0,
            "held_bytes": self._places.held if self._places else 0,
            "last_commit_timestamp_seconds": round(timings.commit.last, 3),
            "streams": self._streams(),
            "log_entries_damaged": self._collector.proofreading.damaged,
            "log_read_through_timestamp_seconds": round(self._collector.proofreading.finished, 3),
        }
        named = self._access.sees_metrics(request)
        tasks = self._collector.tasks()
        page = write_metrics(tasks, self._counts, service, self._uploads, timings, all_named=named)
        return Response(page, 200, {"cache-control": "no-store"}, MEDIA_TYPE)

    async def openapi(self, request: Request) -> Response:
        """The document that describes all of this."""
        Query(request)
        return json_answer(openapi_document(self._settings.public_url), cache="public, max-age=3600")


class Probe:
    """Whether the data folder can be written: tried at most once a second, however many ask."""

    def __init__(self, folder: Path) -> None:
        self._folder, self._trying = folder, asyncio.Lock()
        self._tried, self._works = -PROBE_SECONDS, False

    async def works(self) -> bool:
        """As it was within the last second."""
        async with self._trying:
            if time.monotonic() - self._tried >= PROBE_SECONDS:
                try:
                    await run_in_threadpool(_write_probe, self._folder)
                    self._works = True
                except OSError:
                    self._works = False
                self._tried = time.monotonic()
        return self._works


def _write_probe(folder: Path) -> None:
    """Write a few bytes to the disk and delete them."""
    place = os.open(folder / PROBE, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    try:
        os.write(place, b"ready")
        os.fsync(place)
    finally:
        os.close(place)
        (folder / PROBE).unlink(missing_ok=True)
