"""The pages and their streams. A visitor who may not read a task gets a page that asks for its token."""

from collections.abc import Callable
from typing import TYPE_CHECKING, TypedDict

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from hgldp.collector.dashboard.ask_box import Asking
from hgldp.collector.dashboard.distribution_box import DistributionBoxes
from hgldp.collector.dashboard.live import Live
from hgldp.collector.dashboard.live.feed import Feed, Parts, write_state
from hgldp.collector.dashboard.live.stream import EventStream, beat, comment, regions_writer
from hgldp.collector.dashboard.overview import Audience, Cards, Overview, whole_list
from hgldp.collector.dashboard.pages import icon, no_page, page, static_file
from hgldp.collector.dashboard.plan.page import PlanPage
from hgldp.collector.dashboard.regions import Regions, Where, past_regions
from hgldp.collector.dashboard.sign_in import FOR_ALL, NOT_PUBLIC, SignIn, sign_in_page
from hgldp.collector.dashboard.task_page import PastEpochs, TaskPage
from hgldp.collector.http.access import Access, cookie_names
from hgldp.collector.http.answers.responses import json_answer
from hgldp.collector.http.connections.client_address import address_of, networks_of
from hgldp.collector.http.documents.task import state_document
from hgldp.collector.http.request import Query, find_view, whole_number
from hgldp.collector.http.threads import BoundedThreads
from hgldp.collector.problems import Problem, Refused
from hgldp.collector.settings import Settings
from hgldp.collector.views import TaskView
from hgldp.wire import api

if TYPE_CHECKING:
    from hgldp.collector.collector import Collector

OVERVIEW_PAUSE, TASK_PAUSE, STATE_PAUSE = 2.0, 1.0, 0.5
NOBODY: frozenset[bytes] = frozenset()
ADMINS = b""


class Holder(TypedDict):
    """The name that a stream has among all that are open."""

    whose: str
    known: bool


def routes(
    collector: "Collector", settings: Settings, access: Access, threads: BoundedThreads, live: Live
) -> list[Route]:
    """Everything that people look at, and the stream of events for programs."""
    board = Dashboard(collector, settings, access, threads, live)
    return [
        *SignIn(collector, settings, access).routes(),
        *PlanPage(settings, access).routes(),
        Route("/", board.overview, methods=["GET"]),
        Route("/live", board.overview_stream, methods=["GET"]),
        Route("/tasks/{id}", board.task, methods=["GET", "POST"]),
        Route("/tasks/{id}/live", board.task_stream, methods=["GET"]),
        Route("/tasks/{id}/epochs/{epoch}", board.epoch, methods=["GET"]),
        Route(api.EVENTS, board.events, methods=["GET"]),
        Route("/assets/{name}", static_file, methods=["GET"]),
        Route("/favicon.ico", icon, methods=["GET"]),
    ]


class Dashboard:
    """Handlers over one collector."""

    def __init__(
        self, collector: "Collector", settings: Settings, access: Access, threads: BoundedThreads, live: Live
    ) -> None:
        self._collector, self._access, self._threads, self._live = collector, access, threads, live
        self._where = Where(settings.url, settings.mount)
        self._trusted = networks_of(settings.trusted_proxies)
        self._cards = Cards(live, settings.mount)
        self._past = PastEpochs(collector, live, threads)
        self._asking = Asking(collector, settings, threads, live)
        self._distributions = DistributionBoxes(collector, threads, live, settings.mount)
        self._write_regions = regions_writer(live.now)

    async def overview(self, request: Request) -> Response:
        """The page of all tasks that the visitor may see."""
        try:
            number, audience = _page_number(Query(request, "page", "token")), self._audience(request)
            feed = await self._live.fresh(self._overview_feed(audience, number))
        except Refused as refused:
            return no_page(refused, self._where.base)
        values = {"sign_in_label": None if audience is None else FOR_ALL, "signed_in": bool(cookie_names(request))}
        live = "/live" + (f"?page={number}" if number > 1 else "")
        with self._live.budget.measured():
            tasks = whole_list(feed.parts, self._where, all_seen=audience is None)
            answer = self._page("overview", feed, live, {}, title="Tasks", tasks=tasks, **values)
        self._access.forget_stale(request, answer)
        return answer

    async def overview_stream(self, request: Request) -> "EventStream":
        """The same, live."""
        number, audience = _page_number(Query(request, "page", "since")), self._audience(request)
        feed, token = self._overview_feed(audience, number), ADMINS if audience is None else min(audience, default=None)
        return self._stream(request, feed, lambda: self._sees(request, audience), token)

    async def task(self, request: Request) -> Response:
        """The page of a task: now, for the last reports only, or for a past epoch; posted, with an item's estimate."""
        try:
            view = find_view(self._collector, request)
            if view is None or not self._access.may_read(request, view):
                return self._no_task(request)
            query = Query(request, "window", "epoch", "distribution", "token")
            window, epoch = query.integer("window", 1), query.integer("epoch", 0)
            box = await self._asking.box(request, view, window)
            distribution = await self._distributions.box(view, window, wanted=query.integer("distribution", 0) == 1)
            feed = await self._live.fresh(self._task_feed(view, window))
            past = await self._at_epoch(view, epoch) if epoch is not None and epoch < view.epoch else {}
        except Refused as refused:
            return no_page(refused, self._where.base)
        live = f"/tasks/{view.id.hex()}/live" + (f"?window={window}" if window else "")
        signed_in = bool(cookie_names(request))
        with self._live.budget.measured():
            boxes = {"ask": box, "distribution": distribution}
            return self._page("task", feed, live, past, title=view.terms.name, signed_in=signed_in, **boxes)

    def _no_task(self, request: Request) -> Response:
        """For a stranger it is the same whether the task is private or does not exist."""
        try:
            self._access.readable(request, None)
        except Refused as refused:
            if refused.problem is not Problem.TOKEN_NEEDED:
                return no_page(refused, self._where.base)
        task = request.path_params["id"]
        answer = sign_in_page(task, base=self._where.base, title="Token needed", reason=NOT_PUBLIC)
        self._access.forget_stale(request, answer, bytes.fromhex(task))
        return answer

    async def task_stream(self, request: Request) -> "EventStream":
        """The same, live."""
        view, window = self._readable(request), Query(request, "window", "since").integer("window", 1)
        feed, token = self._task_feed(view, window), self._token(request, view)
        if window is not None:
            holder = self._holder(request, token)
            self._live.places.check(holder["whose"], known=holder["known"])  # before any work is done for it
            await self._live.fresh(feed)  # it may be refused
        return self._stream(request, feed, lambda: self._reads(request, view.id), token)

    async def epoch(self, request: Request) -> Response:
        """The regions of a past epoch, for a page that is open already."""
        Query(request)
        view, epoch = self._readable(request), whole_number(request.path_params["epoch"])
        return json_answer(await self._at_epoch(view, view.epoch if epoch is None else epoch))

    async def events(self, request: Request) -> "EventStream":
        """Server-sent events for programs: a `state` with all there is after each change, at most twice a second."""
        Query(request)
        view = self._readable(request)
        state = State(self._collector, self._live, view.id)
        feed = self._live.feed(("state", view.id), lambda: Feed(state, write_state, STATE_PAUSE))
        return EventStream(
            self._live,
            feed,
            **self._holder(request, self._token(request, view)),
            allowed=lambda: self._reads(request, view.id),
            alive=comment,
        )

    def _audience(self, request: Request) -> Audience:
        """Which private tasks the visitor may see; nearly all visitors show no token."""
        if not {"authorization", "cookie"} & set(request.headers):
            return NOBODY
        if self._access.sees_all(request):
            return None
        opened = self._access.opened(request, self._collector.tasks_that_keep)
        return frozenset(view.id for view in opened if view.terms.results != "public")

    def _sees(self, request: Request, audience: Audience) -> bool:
        """Whether the visitor still belongs to an audience."""
        if audience is None:
            return self._access.sees_all(request)
        return all(self._reads(request, task_id) for task_id in audience)

    def _reads(self, request: Request, task_id: bytes) -> bool:
        """Whether the visitor still may see a task; of one that is gone there is nothing to hide."""
        view = self._collector.view(task_id)
        return view is None or self._access.may_read(request, view)

    def _overview_feed(self, audience: Audience, number: int) -> Feed:
        def make() -> Feed:
            look = Overview(self._collector, self._live, self._cards, self._where, audience, number)
            return Feed(look, self._write_regions, OVERVIEW_PAUSE)

        return self._live.feed(("overview", audience, number), make)

    def _task_feed(self, view: TaskView, window: int | None) -> Feed:
        def make() -> Feed:
            look = TaskPage(self._collector, self._live, self._threads, self._where, view.id, window)
            return Feed(look, self._write_regions, TASK_PAUSE)

        return self._live.feed(("task", view.id, window), make)

    def _stream(self, request: Request, feed: Feed, allowed: Callable[[], bool], token: bytes | None) -> EventStream:
        mark, holder = request.query_params.get("since", ""), self._holder(request, token)
        return EventStream(self._live, feed, **holder, allowed=allowed, alive=beat, mark=mark)

    def _token(self, request: Request, view: TaskView) -> bytes | None:
        """Whose token lets a reader see a task: an admin's or its own, and for a public one nobody's."""
        if view.terms.results == "public":
            return None
        return ADMINS if self._access.sees_all(request) else view.id

    def _holder(self, request: Request, token: bytes | None) -> Holder:
        """Who has a stream: whoever shares a token, and strangers by their addresses."""
        if token is None:
            return {"whose": address_of(request.scope, self._trusted), "known": False}
        return {"whose": token.hex(), "known": True}

    def _page(self, template: str, feed: Feed, live: str, over: Regions, *, title: str, **values: object) -> Response:
        """What the feed shows, and the stream that goes on from there; from the start, if some is of another time."""
        base, mark, now = self._where.base, "" if over else feed.mark, f"{self._live.now():.1f}"
        values |= {"live": base + live, "mark": mark, "now": now, "regions": feed.parts | over}
        return page(template, title=title, base=base, **values)

    def _readable(self, request: Request) -> TaskView:
        return self._access.readable(request, find_view(self._collector, request))

    async def _at_epoch(self, view: TaskView, epoch: int) -> Regions:
        published = await self._past.at(view, epoch)
        with self._live.budget.measured():
            return past_regions(view, published, self._where.base)


class State:
    """A task as programs see it."""

    def __init__(self, collector: "Collector", live: Live, task_id: bytes) -> None:
        self._collector, self._live, self._task_id = collector, live, task_id
        self._found: tuple[TaskView | None, Parts] = None, {}

    async def __call__(self, *, waits: bool) -> Parts | None:  # noqa: ARG002 - it never has to
        """Its document; None if it is gone."""
        view = self._collector.view(self._task_id)
        if view is not None and view is not self._found[0]:
            async with self._live.budget.turn():
                self._found = view, {"state": state_document(view)}
        return None if view is None else self._found[1]


def _page_number(query: Query) -> int:
    return query.integer("page", 1) or 1
