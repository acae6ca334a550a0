"""Who may see what: the admin token opens everything, a read token the results of its task; public ones need none."""

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from hgldp.collector.http.cookies import cookie
from hgldp.collector.problems import Problem, Refused
from hgldp.collector.settings import Settings
from hgldp.collector.tokens import matches, matches_session, session
from hgldp.collector.views import TaskView

COOKIE, COOKIE_SECONDS = "hgldp-reader", 30 * 86_400


class Access:
    """The one place that compares tokens. A cookie only opens results: it changes nothing."""

    def __init__(self, settings: Settings) -> None:
        self._admin, self._secure = settings.admin_digest, settings.url.startswith("https:")
        self._path = settings.mount or "/"

    def is_admin(self, request: Request) -> bool:
        """Whether the request carries the admin token, in its header."""
        return matches(_bearer(request), self._admin)

    def check_admin(self, request: Request) -> None:
        """Refuse anyone but the admin."""
        if not self.is_admin(request):
            raise Refused(Problem.TOKEN_NEEDED, "send the header 'Authorization: Bearer' with the admin token")

    def may_read(self, request: Request, view: TaskView) -> bool:
        """Whether the request may see what a task found."""
        if view.terms.results == "public" or self.is_admin(request) or self.sees_all(request):
            return True
        return matches(_bearer(request), view.read_digest) or _holds(request, view.read_digest, view.id)

    def readable(self, request: Request, view: TaskView) -> TaskView:
        """The same view; anyone who may not see its results is refused."""
        if not self.may_read(request, view):
            raise Refused(Problem.TOKEN_NEEDED, "send the header 'Authorization: Bearer' with the task's read token")
        return view

    def sees_all(self, request: Request) -> bool:
        """Whether the request may see the list of all tasks: the admin, by header or by cookie."""
        return self.is_admin(request) or _holds(request, self._admin, None)

    def sign_in(self, request: Request, view: TaskView | None = None) -> Response | None:
        """For `?token=…` on a page: set a cookie and redirect to the same address without it; None if no token fits."""
        token = request.query_params.get("token", "")
        for stored, task_id in ((self._admin, None), (view.read_digest if view else None, view.id if view else None)):
            if token and stored is not None and matches(token, stored):
                answer = RedirectResponse(request.url.path, 303, {"cache-control": "no-store"})
                answer.set_cookie(
                    _cookie(task_id),
                    session(token),
                    COOKIE_SECONDS,
                    path=self._path,
                    httponly=True,
                    samesite="lax",
                    secure=self._secure,
                )
                return answer
        return None


def _cookie(task_id: bytes | None) -> str:
    return COOKIE if task_id is None else f"{COOKIE}-{task_id.hex()[:16]}"


def _holds(request: Request, stored: bytes, task_id: bytes | None) -> bool:
    return matches_session(cookie(request, _cookie(task_id)), stored)


def _bearer(request: Request) -> str:
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" else ""
