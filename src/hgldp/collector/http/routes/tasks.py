"""For the operator of the collector: list, create, inspect and close tasks, and end their epochs."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from hgldp.collector.http.access import Access
from hgldp.collector.http.answers.responses import json_answer
from hgldp.collector.http.deeds import Deeds
from hgldp.collector.http.documents.new_task import MOST_BYTES, read_new_task
from hgldp.collector.http.documents.task import CREATED_TASK, task_document, tasks_document
from hgldp.collector.http.request import Query, limited_body, task_view
from hgldp.collector.http.threads import BoundedThreads
from hgldp.collector.problems import Problem, Refused
from hgldp.wire import api

if TYPE_CHECKING:
    from hgldp.collector.collector import Collector

JSON_TYPES = ("", api.JSON)


class TaskRoutes:
    """Every one of them needs an admin's token. What changes something is in the admin log."""

    def __init__(
        self, collector: "Collector", access: Access, deeds: Deeds, mount: str, commands: BoundedThreads
    ) -> None:
        self._collector, self._access, self._deeds, self._mount = collector, access, deeds, mount
        self._commands = commands

    def routes(self) -> list[Route]:
        """Reading is GET, changing is POST."""
        return [
            Route(api.TASKS, self.tasks, methods=["GET", "POST"]),
            Route(api.TASK, self.inspect, methods=["GET"]),
            Route(api.CLOSE, self.close, methods=["POST"]),
            Route(api.SEAL, self.seal, methods=["POST"]),
        ]

    async def tasks(self, request: Request) -> Response:
        """List or create."""
        return await (self.create(request) if request.method == "POST" else self.list_all(request))

    async def list_all(self, request: Request) -> Response:
        """All tasks, the oldest first."""
        self._access.check_admin(request)
        Query(request)
        return json_answer(tasks_document(self._collector.tasks()))

    async def create(self, request: Request) -> Response:
        """A new task; its write key and its read token are shown here and never again."""
        who = self._access.check_admin(request)
        Query(request)
        if request.headers.get("content-type", "").partition(";")[0].strip().lower() not in JSON_TYPES:
            raise Refused(Problem.WRONG_MEDIA_TYPE, f"the body must be {api.JSON}")
        body = await limited_body(request, MOST_BYTES, self._collector.limits.body_seconds)
        task, terms, given = await run_in_threadpool(read_new_task, body)
        made = await self._commands.run(self._collector.create_task, task, terms, given)
        await self._deeds.note(who, "task created", made.id, task.scheme)
        task_id, upload = made.id.hex(), self._mount + api.UPLOAD.format(write_key=made.write_key)
        document = CREATED_TASK.of(task_id, made.write_key, made.read_token, upload)
        return json_answer(document, 201, location=self._mount + api.TASK.format(id=task_id))

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
        who = self._access.check_admin(request)
        Query(request)
        view = task_view(self._collector, request)
        await self._deeds.carry_out(self._commands.run(change, view.id), who, event, view.id)
        await self._deeds.note(who, event, view.id)
        return json_answer(task_document(task_view(self._collector, request)))
