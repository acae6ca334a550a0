"""A collector that shows what a test tells it to, and pages served from it on a real port."""

import asyncio
import threading
from collections.abc import Callable, Iterable
from contextlib import contextmanager
from dataclasses import replace
from socket import create_server

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response

from hgldp.collector.dashboard import routes
from hgldp.collector.dashboard.live import Live
from hgldp.collector.http.access import Access
from hgldp.collector.http.routes.results import ResultRoutes
from hgldp.collector.http.threads import BoundedThreads
from hgldp.collector.problems import Refused
from hgldp.collector.sessions import Sessions
from hgldp.collector.settings import Settings
from hgldp.collector.tokens import kept
from hgldp.collector.views import Answer, PublishedEpoch, RankedItem, TaskTerms, TaskView
from hgldp.model.budget import Budget
from hgldp.model.domain import RangeDomain, StringDomain
from hgldp.model.estimate import Z95
from hgldp.model.task import Task
from hgldp.tracker import Tracker

ADMIN, READER = "an admin token", "a read token"
START = 1_700_000_000.0


def line(item: int | str, estimate: float, error: float = 50.0, change: int | None = 0, **said: object) -> RankedItem:
    low, high = estimate - Z95 * error, estimate + Z95 * error
    judged = {"may_be_noise": False, **said}
    return RankedItem(item, estimate, error, low, high, estimate, error, 5_000, change, **judged)


def strings_task(**terms: object) -> Task:
    return Task("pfr", Budget(2.0), StringDomain(), k=10, **terms)


def numbers_task(**terms: object) -> Task:
    return Task("pfr", Budget(1.0), RangeDomain(1000), k=10, other=True, **terms)


def view(task: Task, lines: Iterable[RankedItem] = (), *, name: str = "Words of the week", **over: object) -> TaskView:
    bulletin = Tracker(task, seed=1).bulletin
    found = TaskView(
        id=task.id,
        number=1,
        task=task,
        terms=TaskTerms(name, "public"),
        write_digest=bytes(32),
        read_digest=kept(READER),
        created=START,
        closed=None,
        bulletin=bulletin,
        published=START + 60,
        bulletins=(bulletin,),
        formats={},
        epoch=0,
        reports=0,
        in_epoch=0,
        epoch_length=5000,
        state_bytes=15_432,
        top=tuple(lines),
        top_epoch=over.get("epoch", 0),
        top_reports=over.get("reports", 0),
        accepted=0,
        duplicate=0,
        refused=0,
    )
    found = replace(found, **over)
    if found.epoch_sizes or task.domain.size is None:
        return found
    whole, begun = divmod(found.reports, found.epoch_length)
    return replace(found, epoch_sizes=(*([begun] if begun else []), *[found.epoch_length] * whole))


def published(epoch: int, reports: int, lines: Iterable[RankedItem]) -> PublishedEpoch:
    return PublishedEpoch(epoch, START + 60 * epoch, reports, "0" * 64, tuple(lines))


class FakeCollector:
    """As much of a collector as a page can see."""

    def __init__(self, *views: TaskView) -> None:
        self.views = {each.id: each for each in views}
        self.epochs: dict[bytes, list[PublishedEpoch]] = {}
        self.asked: list[tuple[int, int | None]] = []
        self.listeners: list[Callable[..., None]] = []
        self.loop: asyncio.AbstractEventLoop | None = None

    def tasks(self) -> tuple[TaskView, ...]:
        return tuple(self.views.values())

    def view(self, task_id: bytes) -> TaskView | None:
        return self.views.get(task_id)

    def tasks_that_keep(self, read_digest: bytes) -> list[TaskView]:
        return [each for each in self.tasks() if each.read_digest == read_digest]

    def history(self, task_id: bytes, first: int, last: int) -> list[PublishedEpoch]:
        return [each for each in self.epochs.get(task_id, []) if first <= each.epoch <= last]

    def top(self, task_id: bytes, k: int, window: int | None) -> Answer:
        self.asked.append((k, window))
        found = self.views[task_id]
        lines = found.top if window is None else tuple(reversed(found.top))
        return Answer(
            k, window, found.epoch, found.reports, found.reports if window is None else window * 17 // 20, lines
        )

    def listen(self, callback: Callable[..., None]) -> None:
        self.listeners.append(callback)

    def unlisten(self, callback: Callable[..., None]) -> None:
        self.listeners.remove(callback)

    def put(self, found: TaskView) -> None:
        self.views[found.id] = found
        for each in self.listeners:
            if self.loop is not None and self.loop.is_running():
                self.loop.call_soon_threadsafe(each, found)


def fake_app(collector: FakeCollector, live: Live | None = None) -> Starlette:
    access, threads = Access(Settings(admin_digest=kept(ADMIN)), lambda: START, Sessions(bytes(32))), BoundedThreads()

    async def refused(_: Request, wrong: Exception) -> Response:
        return Response(wrong.body, wrong.problem.status, wrong.headers)

    pages = routes(collector, Settings(), access, threads, live or Live(collector))
    results = ResultRoutes(collector, access, threads).routes()
    return Starlette(routes=[*pages, *results], exception_handlers={Refused: refused})


@contextmanager
def served(collector: FakeCollector, port: int = 0, live: Live | None = None):
    """The pages of a fake on a real port of this machine, until the block ends."""
    listening = create_server(("127.0.0.1", port))
    app = fake_app(collector, live)
    config = uvicorn.Config(app, log_level="critical", timeout_graceful_shutdown=0, lifespan="off")
    server = uvicorn.Server(config)

    async def serve() -> None:
        collector.loop = asyncio.get_running_loop()
        await server.serve([listening])

    thread = threading.Thread(target=asyncio.run, args=(serve(),))
    thread.start()
    try:
        while not server.started:
            threading.Event().wait(0.01)
        yield listening.getsockname()[1]
    finally:
        server.should_exit = True
        thread.join()
        listening.close()
