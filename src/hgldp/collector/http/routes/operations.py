"""For operators and their machines: is it alive, is it ready, its metrics, and its OpenAPI document."""

import time
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from hgldp.collector.http.access import Access
from hgldp.collector.http.answers.responses import json_answer, json_bytes
from hgldp.collector.http.connections.places import Places
from hgldp.collector.http.documents.openapi import openapi_document
from hgldp.collector.http.monitoring.disk_probe import DiskProbe
from hgldp.collector.http.monitoring.logs import lines_dropped
from hgldp.collector.http.monitoring.metrics import MEDIA_TYPE, RequestCounts, write_metrics
from hgldp.collector.http.monitoring.process_numbers import disk_numbers, process_numbers
from hgldp.collector.http.monitoring.shared_page import SharedPage
from hgldp.collector.http.monitoring.upload_counts import UploadCounts
from hgldp.collector.http.request import Query
from hgldp.collector.problems import Problem, Refused
from hgldp.collector.settings import Settings
from hgldp.system.clock import Clock
from hgldp.wire import api

if TYPE_CHECKING:
    from hgldp.collector.collector import Collector

RETRY_SECONDS = 10


class OperationRoutes:
    """None of them needs a token. Without one, the metrics tell nothing of a private task but what it adds to a sum;
    a wrong one is refused.
    """

    def __init__(
        self,
        collector: "Collector",
        settings: Settings,
        counts: RequestCounts,
        uploads: UploadCounts,
        streams: Callable[[], int],
        access: Access,
        places: Places | None = None,
        clock: Clock | None = None,
    ) -> None:
        self._collector, self._settings, self._counts, self._places = collector, settings, counts, places
        self._uploads, self._streams, self._access = uploads, streams, access
        self._started = time.time()
        self._probe = None if settings.store else DiskProbe(settings.data)
        self._pages = {
            named: SharedPage(partial(self._write_metrics, all_named=named), clock) for named in (False, True)
        }
        self._openapi = json_bytes(openapi_document(settings.public_url))  # written once: any stranger may ask for it

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
        if self._probe is not None and not await self._probe.works():
            raise Refused(Problem.STORAGE_FULL, "the data folder cannot be written", RETRY_SECONDS)
        if not self._collector.ready:
            shared = "the database cannot be used, or the sealer is far behind: see the log"
            reason = shared if self._settings.store else "the writer is not working"
            raise Refused(Problem.STORAGE_FULL, reason, RETRY_SECONDS)
        return json_answer({"status": "ready", "tasks": len(self._collector.tasks())})

    async def metrics(self, request: Request) -> Response:
        """Counters and gauges, at most a second old."""
        Query(request)
        page = await self._pages[self._access.metrics_name_all(request)].get()
        return Response(page, 200, {"cache-control": "no-store"}, MEDIA_TYPE)

    def _write_metrics(self, *, all_named: bool) -> str:
        """In a thread: with a thousand tasks it takes a while."""
        backlog, timings, places = self._collector.backlog, self._collector.timings, self._places
        service = (
            self._collector.store_numbers
            | ({} if self._settings.store else disk_numbers(self._settings.data))
            | process_numbers()
        )
        service |= {
            "start_time_seconds": self._started,
            "ready": int(self._collector.ready),
            "uploads_under_way": self._uploads.under_way,
            "uploads_waiting": backlog.uploads,
            "waiting_bytes": backlog.bytes,
            "waiting_seconds": round(backlog.seconds, 3),
            "commits": self._collector.commits,
            "failures": self._counts.number_of(500) + self._uploads.number_of(Problem.INTERNAL),
            "log_lines_dropped": lines_dropped(),
            "connections": places.taken if places else 0,
            "connections_refused": places.refused if places else 0,
            "connections_cut": places.cut if places else 0,
            "held_bytes": places.held if places else 0,
            "last_commit_timestamp_seconds": round(timings.commit.last, 3),
            "streams": self._streams(),
            "log_entries_damaged": self._collector.proofreading.damaged,
            "log_read_through_timestamp_seconds": round(self._collector.proofreading.finished, 3),
        }
        tasks = self._collector.tasks()
        return write_metrics(tasks, self._counts, service, self._uploads, timings, all_named=all_named)

    async def openapi(self, request: Request) -> Response:
        """The document that describes all of this."""
        Query(request)
        return Response(self._openapi, 200, {"cache-control": "public, max-age=3600"}, api.JSON)
