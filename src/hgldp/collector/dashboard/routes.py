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
from hgldp.collector.dashboard.sign_in import FOR_ALL, NOT_PUBLIC, SignIn, sign_in_page
from hgldp.collector.http.access import Access, cookie_names
from hgldp.collector.http.documents.task import state_document
from hgldp.collector.http.request import Query, find_view
from hgldp.collector.http.responses import json_answer
from hgldp.collector.http.threads import BoundedThreads
from hgldp.collector.problems import Problem, Refused
from hgldp.collector.views import TaskView
from hgldp.wire import api

if TYPE_CHECKING:
    from hgldp.collector.collector import Collector


def routes(collector: "Collector", url: str, access: Access, threads: BoundedThreads, live: Live) -> list[Route]:
    """Everything that people look at, and the stream of events for programs."""
    board = Dashboard(collector, url, access, threads, live)
    return [
        *SignIn(collector, url, access).routes(),
        Route("/", board.overview, methods=["GET"]),
        Route("/live", board.overview_stream, methods=["GET"]),
        Route("/tasks/{id}", board.task, methods=["GET"]),
        Route("/tasks/{id}/live", board.task_stream, methods=["GET"]),
        Route("/tasks/{id}/epochs/{epoch:int}", board.epoch, methods=["GET"]),
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
        answer = page(
            "overview",
            title="Tasks",
            live="/live",
            signed_in=bool(cookie_names(request)),
            regions=self._overview(request),
            sign_in_label=None if self._access.sees_all(request) else FOR_ALL,
        )
        self._access.forget_stale(request, answer)
        return answer

    async def overview_stream(self, request: Request) -> Response:
        """The same, live."""

        async def look() -> State:
            return dict(self._overview(request))

        return event_stream(self._live, look, name="regions", news=changed_parts, beat=BEAT_EVENT)

    async def task(self, request: Request) -> Response:
        """The page of a task: now, for the last reports only, or for a past epoch."""
        try:
            view = find_view(self._collector, request)
            if view is None or not self._access.may_read(request, view):
                return self._no_task(request)
            query = Query(request, "window", "epoch", "token")
            window, epoch = query.integer("window", 1), query.integer("epoch", 0)
            shown = await self._pages.regions(view, window)
            past = await self._past(view, epoch) if epoch is not None and epoch < view.epoch else {}
        except Refused as refused:
            return no_page(refused)
        live = f"/tasks/{view.id.hex()}/live" + (f"?window={window}" if window else "")
        signed_in = bool(cookie_names(request))
        return page("task", title=view.terms.name, live=live, signed_in=signed_in, regions=shown | past)

    def _no_task(self, request: Request) -> Response:
        """For a stranger it is the same whether the task is private or does not exist."""
        try:
            self._access.readable(request, None)
        except Refused as refused:
            if refused.problem is not Problem.TOKEN_NEEDED:
                return no_page(refused)
        task = request.path_params["id"]
        answer = sign_in_page(task, title="Token needed", reason=NOT_PUBLIC)
        self._access.forget_stale(request, answer, bytes.fromhex(task))
        return answer

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
        return json_answer(await self._past(self._readable(request), request.path_params["epoch"]))

    async def events(self, request: Request) -> Response:
        """Server-sent events for programs: a `state` with all there is after each change, at most twice a second."""
        Query(request)
        view = self._readable(request)

        async def look() -> State | None:
            found = self._collector.view(view.id)
            return state_document(found) if found else None

        return event_stream(self._live, look, name="state", news=full_state, beat=COMMENT)

    def _overview(self, request: Request) -> Regions:
        views = self._access.visible(request, self._collector.tasks())
        return overview_regions(views, self._live, self._url, all_seen=self._access.sees_all(request))

    def _readable(self, request: Request) -> TaskView:
        return self._access.readable(request, find_view(self._collector, request))

    async def _past(self, view: TaskView, epoch: int) -> Regions:
        published = await self._pages.past.at(view, epoch) if epoch < view.epoch else None
        if published is None:
            raise Refused(Problem.MALFORMED_QUERY, "epoch must be one that was published")
        return past_regions(view, published)
