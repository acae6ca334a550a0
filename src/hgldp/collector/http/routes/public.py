"""What every client must fetch, the task's document and its bulletins; and the proof of what it costs in privacy."""

from collections.abc import Awaitable, Callable
from hashlib import sha256
from typing import TYPE_CHECKING

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from hgldp.checks.certificate import Uncertified, certificate
from hgldp.collector.http.access import Access
from hgldp.collector.http.answers.responses import ANY_PAGE, FOR_EVER, json_bytes, tagged_answer
from hgldp.collector.http.documents.service import POINTER, STATEMENT
from hgldp.collector.http.metering import in_thread
from hgldp.collector.http.question_limits import QuestionLimits
from hgldp.collector.http.request import HEX_OF_32_BYTES, Query, find_view
from hgldp.collector.http.threads import BoundedThreads
from hgldp.collector.problems import Problem, Refused
from hgldp.collector.settings import Settings
from hgldp.collector.statement import as_document, privacy_statement
from hgldp.schemes.registry import class_of, scheme_of
from hgldp.wire import api
from hgldp.wire.bulletin import task_of
from hgldp.wire.bulletin_with_set import with_set

if TYPE_CHECKING:
    from hgldp.collector.collector import Collector
    from hgldp.collector.views import TaskView

FIRST_SECONDS = 2
RENEWALS = 24
Handler = Callable[[Request], Awaitable[Response]]
MAY_SEND_A_KEY = {
    "access-control-allow-methods": "GET",
    "access-control-allow-headers": "authorization",
    "access-control-max-age": "86400",
    **ANY_PAGE,
}


def fresh_seconds(view: "TaskView", longest: int, now: float) -> int:
    """How long a client may use a bulletin: half as long as it will be accepted, if epochs keep their pace.

    Over strings only half of an epoch: each bulletin asks for the next letters, so a late report is worth less. Where
    keys stay for a time, a 24th of that time. Until the first epoch has ended, two seconds, or a quarter of the time
    that it has taken so far: a task with few reports is not asked all the time.
    """
    if view.closed is not None:
        return longest
    if stays := view.task.bulletin_seconds:
        return min(longest, stays // RENEWALS)
    if not view.epoch:
        return min(longest, max(FIRST_SECONDS, int((now - view.published) / 4)))
    epochs = class_of(view.task).useful_epochs
    return max(1, min(longest, int(epochs / 2 * view.last_epoch_seconds)))


class PublicRoutes:
    """Open to all if the results of the task are; otherwise to who holds its write key, its read token or an admin's.

    A bulletin lists the items that are frequent. For anyone who may not see one, there might as well be no such task.
    Any web page may read these answers: clients verify tasks and bulletins by their hash.
    """

    def __init__(
        self,
        collector: "Collector",
        settings: Settings,
        access: Access,
        threads: BoundedThreads,
        limits: QuestionLimits,
    ) -> None:
        self._collector, self._max_age, self._access = collector, settings.bulletin_max_age, access
        self._threads, self._limits = threads, limits

    def routes(self) -> list[Route]:
        """All of them are read-only. A browser asks with OPTIONS whether its page may send a key."""
        return [
            Route(path, _or_whether_a_page_may(answer), methods=["GET", "OPTIONS"])
            for path, answer in (
                (api.DOCUMENT, self.document),
                (api.CURRENT_BULLETIN, self.current),
                (api.PRIVACY, self.privacy),
                (api.CERTIFICATE, self.certificate),
                (api.BULLETIN, self.bulletin),
                (api.BULLETIN_WITH_SET, self.bulletin_with_set),
                (api.HINTS, self.hints),
            )
        ]

    async def document(self, request: Request) -> Response:
        """The canonical bytes of a task; SHA-256 of `hgldp task 1` and these bytes is its id."""
        view = self._of_a_client(request)
        return self._answer(request, view, view.task.canonical, view.id.hex(), api.JSON, FOR_EVER)

    async def current(self, request: Request) -> Response:
        """Which bulletin clients answer now, and how long they may do so before they ask again."""
        view = self._of_a_client(request)
        version, max_age = view.bulletin.version, fresh_seconds(view, self._max_age, self._collector.now())
        pointer = POINTER.of(view.id, version, view.bulletin.epoch, max_age)
        return self._answer(request, view, json_bytes(pointer), f"{version}-{max_age}", api.JSON, f"max-age={max_age}")

    async def bulletin(self, request: Request) -> Response:
        """The canonical bytes of a bulletin; their SHA-256 is its version."""
        Query(request)
        version = request.path_params["version"]
        if not HEX_OF_32_BYTES.fullmatch(version):
            raise Refused(Problem.UNKNOWN_BULLETIN)
        body = self._collector.in_force(version)
        if body is None:
            body = await self._threads.run(self._collector.bulletin_bytes, version)
        view = self._collector.view(task_of(body or b""))
        if not self._access.takes_part(request, view) or body is None or view is None:
            raise Refused(Problem.UNKNOWN_BULLETIN)
        return self._answer(request, view, body, version, api.BYTES, FOR_EVER)

    async def bulletin_with_set(self, request: Request) -> Response:
        """A bulletin in force with its difference set in front, for pages."""
        Query(request)
        version = request.path_params["version"]
        found = self._collector.bulletin_in_force(version)
        view = found and self._collector.view(found.task)
        if not found or not view or not self._access.takes_part(request, view):
            raise Refused(Problem.UNKNOWN_BULLETIN)
        body = with_set(found, scheme_of(view.task))
        return self._answer(request, view, body, f"{version}-with-set", api.BYTES, FOR_EVER)

    async def hints(self, request: Request) -> Response:
        """A list of strings that tasks name; its SHA-256 is in their documents, so it never changes."""
        Query(request)
        named = self._collector.tasks_with_list(request.path_params["sha256"])
        view = next((each for each in named if self._access.takes_part(request, each)), None)
        if view is None or view.task.hints is None:
            raise Refused(Problem.UNKNOWN_TASK)
        return self._answer(request, view, view.task.hints.data, view.task.hints.digest, api.PLAIN, FOR_EVER)

    async def privacy(self, request: Request) -> Response:
        """The statement, computed from the task."""
        view = self._of_a_client(request)
        statement = await in_thread(privacy_statement, view.task, view.bulletin, view.state_bytes, view.terms.warmup)
        body = json_bytes(STATEMENT.of(view.id, *as_document(statement).values()))
        tag = f"{view.bulletin.version}-{view.state_bytes}"
        return self._answer(request, view, body, tag, api.JSON, f"max-age={self._max_age}")

    async def certificate(self, request: Request) -> Response:
        """The exact law of every answer that the task can ask for (docs/certificate.md)."""
        view = self._of_a_client(request)
        try:
            body = await self._threads.run(certificate, view.task)
        except Uncertified as why:
            raise Refused(Problem.NO_CERTIFICATE, str(why)) from None
        return self._answer(request, view, body, sha256(body).hexdigest(), api.JSON, f"max-age={self._max_age}")

    def _answer(
        self, request: Request, view: "TaskView", body: bytes, tag: str, media_type: str, cache: str
    ) -> Response:
        answer = tagged_answer(request, body, tag, media_type, cache, public=view.terms.results == "public")
        if answer.status_code == 200 and request.method == "GET":
            self._limits.check_bytes(request.scope, len(body))
        return answer

    def _of_a_client(self, request: Request) -> "TaskView":
        Query(request)
        view = find_view(self._collector, request)
        if not self._access.takes_part(request, view) or view is None:
            raise Refused(Problem.UNKNOWN_TASK)
        return view


def _or_whether_a_page_may(answer: Handler) -> Handler:
    """The answer to OPTIONS is the same whatever the path names. A page may also read why it was refused."""

    async def handler(request: Request) -> Response:
        if request.method == "OPTIONS":
            return Response(status_code=204, headers=MAY_SEND_A_KEY)
        try:
            return await answer(request)
        except Refused as why:
            why.any_page_may_read = True
            raise

    return handler
