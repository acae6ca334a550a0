"""Tasks for whoever runs the collector: list, create, inspect, close, end the epoch."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from hgldp.collector.access import Access
from hgldp.collector.answers import json_answer
from hgldp.collector.logs import log
from hgldp.collector.problems import Problem, Refused
from hgldp.collector.request_parts import Query, limited_body, task_view
from hgldp.collector.shapes import task_document
from hgldp.collector.task_request import LONGEST_DETAIL, MOST_BYTES, read_task_request
from hgldp.errors import HgldpError

if TYPE_CHECKING:
    from hgldp.collector.collector import Collector

JSON_TYPES = ("", "application/json")


class TaskRoutes:
    """Every one of them needs the admin token."""

    def __init__(self, collector: "Collector", access: Access) -> None:
        self._collector, self._access = collector, access

    def routes(self) -> list[Route]:
        """Reading is GET, changing is POST."""
        return [
            Route("/v1/tasks", self.tasks, methods=["GET", "POST"]),
            Route("/v1/tasks/{id}", self.inspect, methods=["GET"]),
            Route("/v1/tasks/{id}/close", self.close, methods=["POST"]),
            Route("/v1/tasks/{id}/seal", self.seal, methods=["POST"]),
        ]

    async def tasks(self, request: Request) -> Response:
        """List or create."""
        return await (self.create(request) if request.method == "POST" else self.list_all(request))

    async def list_all(self, request: Request) -> Response:
        """All tasks, the oldest first."""
        self._access.check_admin(request)
        Query(request)
        return json_answer({"tasks": [task_document(view) for view in self._collector.tasks()]})

    async def create(self, request: Request) -> Response:
        """A new task; its write key and its read token are shown here and never again."""
        self._access.check_admin(request)
        Query(request)
        if request.headers.get("content-type", "").partition(";")[0].strip().lower() not in JSON_TYPES:
            raise Refused(Problem.WRONG_MEDIA_TYPE, "the body must be application/json")
        task, terms = await run_in_threadpool(read_task_request, await limited_body(request, MOST_BYTES))
        try:
            made = await run_in_threadpool(self._collector.create_task, task, terms)
        except Refused:
            raise
        except HgldpError as wrong:
            raise Refused(Problem.MALFORMED_TASK, str(wrong)[:LONGEST_DETAIL]) from None
        log("task created", task=made.id.hex(), scheme=task.scheme)
        document = {
            "id": made.id.hex(),
            "write_key": made.write_key,
            "read_token": made.read_token,
            "upload": f"/v1/in/{made.write_key}",
        }
        return json_answer(document, 201, location=f"/v1/tasks/{made.id.hex()}")

    async def inspect(self, request: Request) -> Response:
        """One task."""
        self._access.check_admin(request)
        Query(request)
        return json_answer(task_document(task_view(self._collector, request)))

    async def close(self, request: Request) -> Response:
        """Take no more reports; results and bulletins stay."""
        return await self._change(request, self._collector.close_task, "task closed")

    async def seal(self, request: Request) -> Response:
        """End the epoch now."""
        return await self._change(request, self._collector.seal, "epoch ended")

    async def _change(self, request: Request, change: Callable[[bytes], None], event: str) -> Response:
        self._access.check_admin(request)
        Query(request)
        view = task_view(self._collector, request)
        await run_in_threadpool(change, view.id)
        log(event, task=view.id.hex())
        return json_answer(task_document(task_view(self._collector, request)))
