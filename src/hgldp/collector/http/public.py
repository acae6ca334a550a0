"""What every client may fetch: the task's document, its bulletins, and what it costs in privacy."""

from typing import TYPE_CHECKING

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from hgldp.collector.http.documents.service import POINTER, STATEMENT
from hgldp.collector.http.request import HEX_OF_32_BYTES, Query, task_view
from hgldp.collector.http.responses import FOR_EVER, json_bytes, tagged_answer
from hgldp.collector.problems import Problem, Refused
from hgldp.collector.settings import Settings
from hgldp.collector.statement import as_document, privacy_statement
from hgldp.schemes.registry import class_of
from hgldp.wire import api

if TYPE_CHECKING:
    from hgldp.collector.collector import Collector
    from hgldp.collector.views import TaskView

FIRST_SECONDS = 2


def fresh_seconds(view: "TaskView", longest: int) -> int:
    """How long a client may use a bulletin: half as long as it will be accepted, if epochs keep their pace.

    Over strings only half of an epoch: each bulletin asks for the next letters, so a late report is worth less.
    """
    if view.closed is not None:
        return longest
    if not view.epoch:
        return min(longest, FIRST_SECONDS)
    epochs = class_of(view.task).useful_epochs
    return max(1, min(longest, int(epochs / 2 * view.last_epoch_seconds)))


class PublicRoutes:
    """They need no token and no cookie, and any web page may read them: clients verify all of it by its hash."""

    def __init__(self, collector: "Collector", settings: Settings) -> None:
        self._collector, self._max_age = collector, settings.bulletin_max_age

    def routes(self) -> list[Route]:
        """All of them are read-only."""
        return [
            Route(api.DOCUMENT, self.document, methods=["GET"]),
            Route(api.CURRENT_BULLETIN, self.current, methods=["GET"]),
            Route(api.PRIVACY, self.privacy, methods=["GET"]),
            Route(api.BULLETIN, self.bulletin, methods=["GET"]),
        ]

    async def document(self, request: Request) -> Response:
        """The canonical bytes of a task; SHA-256 of `hgldp task 1` and these bytes is its id."""
        Query(request)
        view = task_view(self._collector, request)
        return tagged_answer(request, view.task.canonical, view.id.hex(), api.JSON, FOR_EVER)

    async def current(self, request: Request) -> Response:
        """Which bulletin clients answer now, and how long they may do so before they ask again."""
        Query(request)
        view = task_view(self._collector, request)
        version, max_age = view.bulletin.version, fresh_seconds(view, self._max_age)
        pointer = POINTER.of(view.id, version, view.bulletin.epoch, max_age)
        cache = f"public, max-age={max_age}"
        return tagged_answer(request, json_bytes(pointer), f"{version}-{max_age}", api.JSON, cache)

    async def bulletin(self, request: Request) -> Response:
        """The canonical bytes of a bulletin; their SHA-256 is its version."""
        Query(request)
        version = request.path_params["version"]
        if not HEX_OF_32_BYTES.fullmatch(version):
            raise Refused(Problem.UNKNOWN_BULLETIN)
        body = await run_in_threadpool(self._collector.bulletin_bytes, version)
        if body is None:
            raise Refused(Problem.UNKNOWN_BULLETIN)
        return tagged_answer(request, body, version, api.BYTES, FOR_EVER)

    async def privacy(self, request: Request) -> Response:
        """The statement, computed from the task."""
        Query(request)
        view = task_view(self._collector, request)
        statement = await run_in_threadpool(privacy_statement, view.task, view.bulletin, view.state_bytes)
        body = json_bytes(STATEMENT.of(view.id, *as_document(statement).values()))
        tag = f"{view.bulletin.version}-{view.state_bytes}"
        return tagged_answer(request, body, tag, api.JSON, f"public, max-age={self._max_age}")
