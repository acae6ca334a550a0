"""Who may see what. An admin's token opens everything, a read token the results of its task, a write key what clients
need; of a public task all of this needs none."""

from collections.abc import Callable, Iterable
from hmac import compare_digest

from starlette.requests import Request
from starlette.responses import Response

from hgldp.collector.admins import CHOSEN, Admins
from hgldp.collector.http.connections.client_address import address_of, networks_of
from hgldp.collector.http.guesses import Guesses
from hgldp.collector.http.shown_tokens import ShownTokens, cookie_name
from hgldp.collector.problems import Problem, Refused
from hgldp.collector.sessions import SECONDS, Session, Sessions
from hgldp.collector.settings import Settings
from hgldp.collector.tokens import LONGEST, digest, disguised, kept, looks_random
from hgldp.collector.views import TaskView

WRONG_SECONDS = 0.1
NOBODYS = bytes(32)
COUNTED, CHOSEN_SHOWN, SESSIONS = "hgldp.guess-counted", "hgldp.chosen-token-shown", "hgldp.sessions"


class Access:
    """The one place that compares tokens. A cookie only opens results: it changes nothing.

    A wrong token counts against its address, and too many of them are answered with 429. Our own tokens are compared
    all the same, and other random ones, since nobody can guess one: whoever has the right one gets through while
    somebody else is guessing at the same address. A token that a person chose is then not compared at all.

    A write key does not count: it is in every copy of an app, and an app that still has an old one is not an attacker.
    """

    def __init__(
        self, settings: Settings, now: Callable[[], float], sessions: Sessions, admins: Admins | None = None
    ) -> None:
        self._now, self._sessions = now, sessions
        self._admins = admins or Admins(settings.data, settings.admin_digest)
        self._metrics, self._secure = settings.metrics_digest or NOBODYS, settings.url.startswith("https:")
        self._guesses, self._path = Guesses(settings.limits.wrong_tokens), settings.mount or "/"
        self._trusted = networks_of(settings.trusted_proxies)

    def admin(self, request: Request) -> str | None:
        """The name of the admin whose token the request carries in its header.

        A token that does not look random can only be meant for an admin: a wrong one is a guess wherever it is shown.
        """
        shown = ShownTokens.of(request)
        if not shown.bearer:
            return None
        name = self._name_of(request, shown.bearer_proof, certain=looks_random(shown.bearer))
        if name is None and not looks_random(shown.bearer):
            self._count(request)
        return name

    def check_admin(self, request: Request) -> str:
        """The name of the admin; anyone else is refused."""
        name = self.admin(request)
        if name is None:
            raise self._refusal(request, "send the header 'Authorization: Bearer' with the admin token")
        return name

    def sees_all(self, request: Request) -> bool:
        """Whether the request may see all tasks: an admin's, by header or by cookie."""
        if self.admin(request) is not None:
            return True
        if not ShownTokens.of(request).cookies.get(cookie_name(None)):
            return False
        session = self._open_sessions(request).get(cookie_name(None))
        known = session is not None and self._name_of(request, session.proof, certain=True) is not None
        if not known:
            self._count(request)
        return known

    def sees_metrics(self, request: Request) -> bool:
        """Whether the request may see the numbers of every task."""
        shown = ShownTokens.of(request)
        certain = bool(shown.bearer) and (looks_random(shown.bearer) or self._may_guess(request))
        if certain and compare_digest(shown.bearer_proof, self._metrics):
            return True
        known = self.sees_all(request)
        if shown.bearer and not known:
            self._count(request)
        return known

    def metrics_name_all(self, request: Request) -> bool:
        """The same, but a wrong token is refused: whoever sends one would not notice that tasks are missing."""
        known = self.sees_metrics(request)
        if not known and ShownTokens.of(request).claims_bearer:
            raise self._refusal(request, "send the header 'Authorization: Bearer' with the metrics token, or none")
        return known

    def opened(self, request: Request, kept_as: Callable[[bytes], Iterable[TaskView]]) -> list[TaskView]:
        """Those tasks whose own read token the request shows. `kept_as` finds the tasks that keep a hash."""
        shown, sessions = ShownTokens.of(request), self._open_sessions(request).values()
        proofs = {each.proof for each in sessions} | ({shown.bearer_proof} if shown.bearer else set())
        return [view for proof in proofs for view in kept_as(proof) if self._reads(request, view)]

    def may_read(self, request: Request, view: TaskView | None) -> bool:
        """Whether the request may see what a task found. It takes as long for a task that does not exist."""
        public = view is not None and view.terms.results == "public"
        return public or self._reads(request, view) or (self.sees_all(request) and view is not None)

    def readable(self, request: Request, view: TaskView | None) -> TaskView:
        """The same view. For anyone who may not see its results there might as well be no such task."""
        if view is not None and self.may_read(request, view):
            return view
        if view is None and self.sees_all(request):
            raise Refused(Problem.UNKNOWN_TASK)
        raise self._refusal(request, "send the header 'Authorization: Bearer' with the task's read token")

    def takes_part(self, request: Request, view: TaskView | None) -> bool:
        """Whether the request may see what clients need: it is a client's, a reader's or an admin's."""
        if view is not None and view.terms.results == "public":
            return True
        if _has_key(ShownTokens.of(request).bearer, view, self._now()) or self._reads(request, view):
            return view is not None
        return self.sees_all(request) and view is not None

    def sign_in(self, request: Request, token: str, view: TaskView | None) -> tuple[str, str] | None:
        """The name and the value of the cookie that a token is worth; None if it opens nothing here."""
        if 0 < len(token) <= LONGEST:
            if self._name_of(request, kept(token), certain=looks_random(token)) is not None:
                return cookie_name(None), self._sessions.begin(disguised(token), self._now())
            if compare_digest(kept(token), NOBODYS if view is None else view.read_digest) and view is not None:
                return cookie_name(view.id), self._sessions.begin(disguised(token), self._now())
        self._count(request)
        return None

    def sign_out(self, request: Request) -> None:
        """End every session that the request shows: from now on, copies of its cookies open nothing.

        It waits for the disk or the database; raises OSError or StorageFailed, and then nothing has ended.
        """
        if sessions := self._open_sessions(request).values():
            self._sessions.end(sessions, self._now())

    def too_many_guesses(self, request: Request) -> Refused | None:
        """What to answer instead of "wrong", if too many have been wrong."""
        wait = self._guesses.wait(self._address(request))
        return Refused(Problem.TOO_MANY_GUESSES, retry_after=wait) if wait else None

    def set_cookie(self, answer: Response, name: str, value: str) -> None:
        """A cookie that no script can read and that other sites' forms do not send."""
        seconds = SECONDS if value else 0
        answer.set_cookie(name, value, seconds, path=self._path, httponly=True, samesite="lax", secure=self._secure)

    def forget_stale(self, request: Request, answer: Response, task_id: bytes | None = None) -> None:
        """Delete the cookies that have just opened nothing, so that they do not count as guesses again and again."""
        if COUNTED in request.scope and self.too_many_guesses(request) is None:
            for name in {cookie_name(None), cookie_name(task_id)} & set(cookie_names(request)):
                self.set_cookie(answer, name, "")

    def _open_sessions(self, request: Request) -> dict[str, Session]:
        """Those that our cookies show, by their names. One may end during the request: pages stay open for long."""
        found: dict[str, Session] | None = request.scope.get(SESSIONS)
        if found is None:
            read = {name: self._sessions.read(value) for name, value in ShownTokens.of(request).cookies.items()}
            found = request.scope[SESSIONS] = {name: each for name, each in read.items() if each is not None}
        now = self._now()
        return {name: each for name, each in found.items() if not self._sessions.has_ended(each, now)}

    def _reads(self, request: Request, view: TaskView | None) -> bool:
        """By the read token of the task, in the header or in a cookie."""
        stored, task_id = (NOBODYS, NOBODYS) if view is None else (view.read_digest, view.id)
        session = self._open_sessions(request).get(cookie_name(task_id))
        by_token = compare_digest(ShownTokens.of(request).bearer_proof, stored)
        return by_token or (session is not None and compare_digest(session.proof, stored))

    def _address(self, request: Request) -> str:
        return address_of(request.scope, self._trusted)

    def _name_of(self, request: Request, proof: bytes, *, certain: bool = False) -> str | None:
        name = self._admins.name_of(proof, chosen=certain or self._may_guess(request))
        if name == CHOSEN:
            request.scope[CHOSEN_SHOWN] = True  # a page that stays open is not closed by somebody else's guesses
        return name

    def _may_guess(self, request: Request) -> bool:
        return CHOSEN_SHOWN in request.scope or not self._guesses.wait(self._address(request))

    def _count(self, request: Request) -> None:
        """One request is one guess, however often it is looked at. How long it should have waited is kept with it."""
        if COUNTED not in request.scope:
            address = self._address(request)
            request.scope[COUNTED] = self._guesses.wait(address)
            self._guesses.failed(address)

    def _refusal(self, request: Request, what_to_send: str) -> Refused:
        """A wrong admin's cookie has been counted already; that of a reader is made from a token of ours."""
        if ShownTokens.of(request).bearer:
            self._count(request)
        if wait := request.scope.get(COUNTED):
            return Refused(Problem.TOO_MANY_GUESSES, retry_after=wait)
        return Refused(Problem.TOKEN_NEEDED, what_to_send)


def cookie_names(request: Request) -> list[str]:
    """Our cookies that a browser sent."""
    return list(ShownTokens.of(request).cookies)


def _has_key(token: str, view: TaskView | None, now: float) -> bool:
    """Whether it is the task's write key, or the one before while that is still accepted."""
    held = digest(token)
    return compare_digest(held, NOBODYS) if view is None else view.takes_key(held, now)
