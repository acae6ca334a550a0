"""The whole service as one ASGI application: uploads go straight to their handler, all else through the routes."""

import asyncio
from typing import TYPE_CHECKING

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from hgldp.collector.admin_log import AdminLog
from hgldp.collector.dashboard.live import Live
from hgldp.collector.dashboard.pages import no_page
from hgldp.collector.dashboard.routes import routes as dashboard_routes
from hgldp.collector.http.access import COUNTED, WRONG_SECONDS, Access
from hgldp.collector.http.connections.client_address import networks_of
from hgldp.collector.http.connections.places import Places
from hgldp.collector.http.deeds import Deeds
from hgldp.collector.http.hosts import Hosts
from hgldp.collector.http.monitoring.logs import RequestLog
from hgldp.collector.http.monitoring.metrics import RequestCounts
from hgldp.collector.http.monitoring.upload_counts import UploadCounts
from hgldp.collector.http.question_limits import Free, QuestionLimits, has_no_query
from hgldp.collector.http.routes.ask import AskRoutes
from hgldp.collector.http.routes.changes import ChangeRoutes
from hgldp.collector.http.routes.distribution import DistributionRoutes
from hgldp.collector.http.routes.operations import OperationRoutes
from hgldp.collector.http.routes.public import PublicRoutes
from hgldp.collector.http.routes.results import ResultRoutes
from hgldp.collector.http.routes.tasks import TaskRoutes
from hgldp.collector.http.threads import BoundedThreads
from hgldp.collector.http.turns import Turns, in_turn
from hgldp.collector.http.upload import PREFIX, Uploads
from hgldp.collector.problems import Problem, Refused
from hgldp.collector.sdk.routes import routes as sdk_routes
from hgldp.collector.settings import Settings
from hgldp.errors import StorageFailed
from hgldp.wire import api

if TYPE_CHECKING:
    from hgldp.collector.collector import Collector

OF_A_STATUS = {404: Problem.NOT_FOUND, 405: Problem.METHOD_NOT_ALLOWED, 413: Problem.TOO_LARGE}
COMMANDS_AT_ONCE = 16


def build_app(
    collector: "Collector", settings: Settings, live: Live | None = None, places: Places | None = None
) -> ASGIApp:
    """The application of an open collector. The code that opened the collector ends the streams and then closes it.

    `places` are those of the server around it, for the metrics.
    """
    counts, trusted = RequestCounts(), networks_of(settings.trusted_proxies)
    hosts = Hosts(settings)
    uploads = Uploads(collector, hosts, trusted)
    access = Access(settings, collector.now, collector.sessions, collector.office)
    limits = QuestionLimits(settings.limits, trusted)
    routes = all_routes(collector, settings, counts, uploads.counts, live or Live(collector), places, access, limits)
    limits.guard(routes, _free(collector, access))
    mount = settings.mount

    async def no_route(request: Request, wrong: Exception) -> Response:
        return _no_route(request, wrong, mount)

    async def refused(request: Request, why: Exception) -> Response:
        return await _refused(request, why, mount)

    handlers = {Refused: refused, HTTPException: no_route, StorageFailed: _unwritten, Exception: _failed}
    pages = Starlette(routes=routes, exception_handlers=handlers)
    pages.router.redirect_slashes = False

    async def inner(scope: Scope, receive: Receive, send: Send) -> None:
        try:
            if scope["type"] == "http":
                hosts.check(scope["path"][len(mount) :], scope["headers"])
        except Refused as wrong:
            await answer_to(wrong)(scope, receive, send)
        else:
            await pages(scope, receive, send)

    others = RequestLog(in_turn(inner, Turns()), counts, {route.endpoint: route.path for route in routes})

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and scope["path"].startswith(PREFIX):
            await uploads(scope, receive, send)
        else:
            await others(scope, receive, send)

    async def app_below(scope: Scope, receive: Receive, send: Send) -> None:
        """Below a path, whether the proxy in front passes that path on or takes it off."""
        inner = scope.get("path", "")
        if inner == mount or inner.startswith(f"{mount}/"):
            inner = inner[len(mount) :] or "/"
        if scope["type"] == "http" and inner.startswith(PREFIX):
            scope["path"] = inner
            await uploads(scope, receive, send)
        else:
            scope.update({"path": mount + inner, "root_path": mount})
            await others(scope, receive, send)

    return app_below if mount else app


def all_routes(
    collector: "Collector",
    settings: Settings,
    counts: RequestCounts,
    uploads: UploadCounts,
    live: Live,
    places: Places | None = None,
    access: Access | None = None,
    limits: QuestionLimits | None = None,
) -> list[Route]:
    """All routes except the uploads."""
    access, threads = access or Access(settings, collector.now, collector.sessions, collector.office), BoundedThreads()
    limits = limits or QuestionLimits(settings.limits, networks_of(settings.trusted_proxies))
    deeds = Deeds(collector.office or AdminLog(settings.data))
    commands = BoundedThreads(COMMANDS_AT_ONCE)  # one may wait long for its task: not in the threads that others use
    return [
        *PublicRoutes(collector, settings, access, threads, limits).routes(),
        *ResultRoutes(collector, access, threads, networks_of(settings.trusted_proxies)).routes(),
        *AskRoutes(collector, access, threads).routes(),
        *DistributionRoutes(collector, access, threads).routes(),
        *TaskRoutes(collector, access, deeds, settings.mount, commands).routes(),
        *ChangeRoutes(collector, access, deeds, commands).routes(),
        *OperationRoutes(collector, settings, counts, uploads, lambda: live.watchers, access, places).routes(),
        *dashboard_routes(collector, settings, access, threads, live),
        *sdk_routes(settings),
    ]


def _free(collector: "Collector", access: Access) -> dict[str, Free]:
    """Who need not share: clients that fetch what they must answer, and whoever watches the server for its operator."""
    return {
        api.TOP: has_no_query,
        api.BULLETIN: lambda scope: collector.in_force(scope["path_params"]["version"]) is not None,
        api.METRICS: lambda scope: access.sees_metrics(Request(scope)),
    }


def answer_to(refused: Refused) -> Response:
    """The problem document."""
    return Response(refused.body, refused.problem.status, refused.headers)


async def _refused(request: Request, refused: Exception, mount: str) -> Response:
    """A wrong token is answered a little later: guessing takes time, and a person does not notice."""
    known = refused if isinstance(refused, Refused) else Refused(Problem.INTERNAL)
    if known.problem is Problem.TOKEN_NEEDED and COUNTED in request.scope:
        await asyncio.sleep(WRONG_SECONDS)
    for_people = known.problem is Problem.TOO_MANY_REQUESTS and api.HTML in request.headers.get("accept", "")
    return no_page(known, mount) if for_people else answer_to(known)


def _no_route(request: Request, wrong: Exception, mount: str) -> Response:
    """What the exception says: as a page for people who lost their way, else as a problem document."""
    status, headers = getattr(wrong, "status_code", 400), getattr(wrong, "headers", None) or {}
    refused = Refused(OF_A_STATUS.get(status, Problem.MALFORMED_REQUEST))
    for_people = status == 404 and api.HTML in request.headers.get("accept", "")
    answer: Response = no_page(refused, mount) if for_people else answer_to(refused)
    answer.headers.update(headers)
    return answer


async def _unwritten(_: Request, __: Exception) -> Response:
    return answer_to(Refused(Problem.STORAGE_FULL, "the database cannot be used at the moment", 5))


async def _failed(_: Request, __: Exception) -> Response:
    return answer_to(Refused(Problem.INTERNAL))
