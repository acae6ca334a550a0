"""The pages and their streams. A visitor who may not read a task gets a page that asks for its token."""

from contextlib import suppress
from typing import TYPE_CHECKING

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from hgldp.collector.dashboard.live import (
    BEAT_EVENT,
    COMMENT,
    Live,
    State,
    changed_parts,
    event_stream,
    full_state,
)
from hgldp.collector.dashboard.page_cache import PageCache
from hgldp.collector.dashboard.pages import icon, no_page, page, static_file
from hgldp.collector.dashboard.regions import Regions, overview_regions, past_regions
from hgldp.collector.http.access import Access
from hgldp.collector.http.documents.task import state_document
from hgldp.collector.http.request import Query, task_view, whole_number
from hgldp.collector.http.responses import json_answer
from hgldp.collector.http.threads import BoundedThreads
from hgldp.collector.problems import Problem, Refused
from hgldp.collector.views import TaskView
from hgldp.wire import api

if TYPE_CHECKING:
    from hgldp.collector.collector import Collector

NO_EPOCH = "epoch must be one that was published"


def routes(collector: "Collector", url: str, access: Access, threads: BoundedThreads, live: Live) -> list[Route]:
    """Everything that people look at, and the stream of events for programs."""
    board = Dashboard(collector, url, access, threads, live)
    return [
        Route("/", board.overview, methods=["GET"]),
        Route("/live", board.overview_stream, methods=["GET"]),
        Route("/tasks/{id}", board.task, methods=["GET"]),
        Route("/tasks/{id}/live", board.task_stream, methods=["GET"]),
        Route("/tasks/{id}/epochs/{epoch}", board.epoch, methods=["GET"]),
        Route(api.EVENTS, board.events, methods=["GET"]),
        Route("/assets/{name}", static_file, methods=["GET"]),
        Route("/favicon.ico", icon, methods=["GET"]),
    ]


class Dashboard:
    """Handlers over one collector."""

    def __init__(self, collector: "Collector", url: str, access: Access, threads: BoundedThreads, live: Live) -> None:
        self._collector = collector
        self._url = url
        self._access = access
        self._live = live
        self._pages = PageCache(collector, live, url, threads)

    async def overview(self, request: Request) -> Response:
        """The page of all tasks that the visitor may see."""
        if signed_in := self._access.sign_in(request):
            return signed_in
        label = None if self._access.sees_all(request) else "Sign in with the admin token to see all tasks"
        return page("overview", title="Tasks", live="/live", regions=self._overview(request), sign_in_label=label)

    async def overview_stream(self, request: Request) -> Response:
        """The same, live."""

        async def look() -> State:
            return dict(self._overview(request))

        return event_stream(self._live, look, name="regions", news=changed_parts, beat=BEAT_EVENT)

    async def task(self, request: Request) -> Response:
        """The page of a task: now, for the last reports only, or for a past epoch."""
        try:
            view = task_view(self._collector, request)
            if signed_in := self._access.sign_in(request, view):
                return signed_in
            if not self._access.may_read(request, view):
                label = "Sign in with the read token of this task, or with the admin token"
                reason = "The results of this task are not public"
                return page("message", 401, title="Token needed", reason=reason, sign_in_label=label)
            query = Query(request, "window", "epoch", "token")
            window, epoch = query.integer("window", 1), query.integer("epoch", 0)
            shown = await self._pages.regions(view, window)
            past = await self._past(view, epoch) if epoch is not None and epoch < view.epoch else {}
        except Refused as refused:
            return no_page(refused)
        live = f"/tasks/{view.id.hex()}/live" + (f"?window={window}" if window else "")
        return page("task", title=view.terms.name, live=live, regions=shown | past)

    async def task_stream(self, request: Request) -> Response:
        """The same, live."""
        view, window = self._readable(request), Query(request, "window").integer("window", 1)
        shown = await self._pages.regions(view, window)

        async def look() -> State | None:
            nonlocal shown
            found = self._collector.view(view.id)
            with suppress(Refused):
                shown = await self._pages.regions(found, window, waits=False) if found else shown
            return dict(shown) if found else None

        return event_stream(self._live, look, name="regions", news=changed_parts, beat=BEAT_EVENT)

    async def epoch(self, request: Request) -> Response:
        """The regions of a past epoch, for a page that is open already."""
        Query(request)
        view, epoch = self._readable(request), whole_number(request.path_params["epoch"])
        if epoch is None:
            raise Refused(Problem.MALFORMED_QUERY, NO_EPOCH)
        return json_answer(await self._past(view, epoch))

    async def events(self, request: Request) -> Response:
        """Server-sent events for programs: a `state` with all there is after each change, at most twice a second."""
        Query(request)
        view = self._readable(request)

        async def look() -> State | None:
            found = self._collector.view(view.id)
            return state_document(found) if found else None

        return event_stream(self._live, look, name="state", news=full_state, beat=COMMENT)

    def _overview(self, request: Request) -> Regions:
        views = [view for view in self._collector.tasks() if self._access.may_read(request, view)]
        return overview_regions(views, self._live, self._url, all_seen=self._access.sees_all(request))

    def _readable(self, request: Request) -> TaskView:
        return self._access.readable(request, task_view(self._collector, request))

    async def _past(self, view: TaskView, epoch: int) -> Regions:
        published = await self._pages.past.at(view, epoch) if epoch < view.epoch else None
        if published is None:
            raise Refused(Problem.MALFORMED_QUERY, NO_EPOCH)
        return past_regions(view, published)
