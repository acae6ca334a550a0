"""Pages and questions that cost something, shared by the addresses that ask: 429 for whoever asks too much.

Uploads, bulletins in force and documents of tasks are not among them: every client needs those, and they come from
memory. Where a document or a list of strings is long, its bytes cost something. Neither are `/health` and `/ready`: a
load balancer must always get its answer.
"""

from collections.abc import Callable, Iterable, Mapping
from math import ceil

from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from hgldp.collector.http.connections.client_address import Networks, address_of
from hgldp.collector.http.metering import Meter, measured
from hgldp.collector.problems import Problem, Refused
from hgldp.collector.settings import Limits
from hgldp.collector.writer.quotas import Accounts, SharedRate
from hgldp.system.clock import Clock, SystemClock
from hgldp.wire import api

# The least that a question costs, in milliseconds of processor time. What it takes beyond that is measured.
COSTS = {
    api.EXPORT: 100,
    api.HISTORY: 40,
    api.TOP: 10,
    api.ASK: 10,
    api.DISTRIBUTION: 40,
    api.EVENTS: 10,
    api.PRIVACY: 5,
    api.CERTIFICATE: 5,
    api.METRICS: 5,
    api.BULLETIN: 2,
    api.HINTS: 2,
    "/": 10,
    "/live": 10,
    "/plan": 10,
    "/sign-out": 10,
    "/tasks/{id}": 10,
    "/tasks/{id}/live": 10,
    "/tasks/{id}/epochs/{epoch}": 10,
}
# What every client needs, or only an admin gets, or is the same few bytes for all.
UNLIMITED = {
    *(api.DOCUMENT, api.CURRENT_BULLETIN, api.BULLETIN_WITH_SET, api.HEALTH, api.READY, api.OPENAPI),
    *(
        "/assets/{name}",
        "/favicon.ico",
        "/sign-in",
        api.SDK,
        api.SDK_FILE,
        api.SDK_EXAMPLE,
        api.SDK_PLAYGROUND,
    ),
    *(api.TASKS, api.TASK, api.CLOSE, api.SEAL, api.RENAME, api.ROTATE_KEY, api.ROTATE_TOKEN, api.DELETE),
}
FREE_BYTES, BYTES_A_MILLISECOND = 1 << 16, 40_000
Free = Callable[[Scope], bool]


class QuestionLimits:
    """About `question_milliseconds` of each second for all of them together."""

    def __init__(self, limits: Limits, trusted: Networks, clock: Clock | None = None) -> None:
        self._shared = SharedRate(limits.question_milliseconds, clock or SystemClock(), full=True)
        self._accounts, self._trusted = Accounts(limits.addresses), trusted

    def guard(self, routes: Iterable[Route], free: Mapping[str, Free] | None = None) -> None:
        """From now on these routes answer only whom `check` lets through, and who is `free` on their path."""
        for route in routes:
            if route.path in COSTS:
                route.app = self._guarded(route.app, COSTS[route.path], (free or {}).get(route.path))

    def check(self, scope: Scope, cost: float) -> None:
        """Take the cost from the share of the address, or refuse."""
        address = address_of(scope, self._trusted)
        wait = self._shared.take(cost, self._accounts.of(address) if address else None)
        if wait:
            raise Refused(Problem.TOO_MANY_REQUESTS, retry_after=ceil(wait))

    def check_bytes(self, scope: Scope, size: int) -> None:
        """The same for an answer that every client needs once: a short one is free, and of long ones a few are."""
        if size > FREE_BYTES:
            self.check(scope, size / BYTES_A_MILLISECOND)

    def charge(self, scope: Scope, cost: float) -> None:
        """Take from the share of the address what an answer has cost it already."""
        address = address_of(scope, self._trusted)
        self._shared.charge(cost, self._accounts.of(address) if address else None)

    def _guarded(self, app: ASGIApp, cost: float, free: Free | None) -> ASGIApp:
        async def guarded(scope: Scope, receive: Receive, send: Send) -> None:
            if scope["method"] == "OPTIONS" or (free is not None and free(scope)):
                await app(scope, receive, send)
                return
            self.check(scope, cost)
            meter = Meter(lambda seconds: self.charge(scope, 1_000 * seconds), cost / 1_000)
            await measured(_answer(app, scope, receive, send), meter)

        return guarded


async def _answer(app: ASGIApp, scope: Scope, receive: Receive, send: Send) -> None:
    await app(scope, receive, send)


def has_no_query(scope: Scope) -> bool:
    """It asks for what is there already."""
    return not scope["query_string"]
