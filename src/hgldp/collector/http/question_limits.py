"""Pages and questions that cost something, shared by the addresses that ask: 429 for whoever asks too much.

Uploads, bulletins and documents of tasks are not among them: every client needs those, and they come from memory.
Neither are `/health` and `/ready`: a load balancer must always get its answer.
"""

from collections.abc import Iterable
from math import ceil

from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from hgldp.collector.http.connections.client_address import Networks, address_of
from hgldp.collector.problems import Problem, Refused
from hgldp.collector.settings import Limits
from hgldp.collector.writer.quotas import Accounts, SharedRate
from hgldp.system.clock import Clock, SystemClock
from hgldp.wire import api

# About as many milliseconds of processor time as the answer of a busy collector takes.
COSTS = {
    api.EXPORT: 100,
    api.HISTORY: 40,
    api.TOP: 10,
    api.EVENTS: 10,
    api.PRIVACY: 5,
    api.METRICS: 5,
    "/": 10,
    "/live": 10,
    "/tasks/{id}": 10,
    "/tasks/{id}/live": 10,
    "/tasks/{id}/epochs/{epoch}": 10,
}
FREE_WITHOUT_A_QUERY = {api.TOP}  # the top that is there already


class QuestionLimits:
    """About `question_milliseconds` of each second for all of them together."""

    def __init__(self, limits: Limits, trusted: Networks, clock: Clock | None = None) -> None:
        self._shared = SharedRate(limits.question_milliseconds, clock or SystemClock(), full=True)
        self._accounts, self._trusted = Accounts(limits.addresses), trusted

    def guard(self, routes: Iterable[Route]) -> None:
        """From now on these routes answer only whom `check` lets through."""
        for route in routes:
            if route.path in COSTS:
                route.app = self._guarded(route.app, COSTS[route.path], free=route.path in FREE_WITHOUT_A_QUERY)

    def check(self, scope: Scope, cost: float) -> None:
        """Take the cost from the share of the address, or refuse."""
        address = address_of(scope, self._trusted)
        wait = self._shared.take(cost, self._accounts.of(address) if address else None)
        if wait:
            raise Refused(Problem.TOO_MANY_REQUESTS, retry_after=ceil(wait))

    def _guarded(self, app: ASGIApp, cost: float, *, free: bool) -> ASGIApp:
        async def guarded(scope: Scope, receive: Receive, send: Send) -> None:
            if not free or scope["query_string"]:
                self.check(scope, cost)
            await app(scope, receive, send)

        return guarded
