"""Signing in and out. A token comes in the body of a form, never in an address: those end up in logs and histories."""

import asyncio
from typing import TYPE_CHECKING

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from hgldp.collector.dashboard.form import check_origin, posted_form
from hgldp.collector.dashboard.pages import no_page, page
from hgldp.collector.http.access import WRONG_SECONDS, Access, cookie_names
from hgldp.collector.http.request import HEX_OF_32_BYTES, Query
from hgldp.collector.problems import Refused
from hgldp.collector.settings import Settings
from hgldp.errors import StorageFailed

if TYPE_CHECKING:
    from hgldp.collector.collector import Collector

MOST_BYTES = 4_096
FOR_ALL = "Sign in with the admin token to see all tasks"
FOR_A_TASK = "Sign in with the read token of this task, or with the admin token"
UNWRITTEN = "The server cannot write at the moment: go back, and sign out again later"
NOT_PUBLIC = "There is no such task, or its results are not public"


class SignIn:
    """Two forms. Signing in only sets a cookie; signing out is remembered, so that a copied cookie opens nothing."""

    def __init__(self, collector: "Collector", settings: Settings, access: Access) -> None:
        self._collector, self._access = collector, access
        self._url, self._base, self._body_seconds = settings.url, settings.mount, settings.limits.body_seconds

    def routes(self) -> list[Route]:
        """Forms are posted. Enter in the address bar, on the page after a form, asks with GET: that leads back."""
        return [
            Route("/sign-in", self.sign_in, methods=["POST"]),
            Route("/sign-out", self.sign_out, methods=["POST"]),
            *(Route(path, self.back, methods=["GET"]) for path in ("/sign-in", "/sign-out")),
        ]

    async def back(self, _: Request) -> RedirectResponse:
        """To the list of tasks."""
        return RedirectResponse(f"{self._base}/", 303, {"cache-control": "no-store"})

    async def sign_in(self, request: Request) -> Response:
        """A right token becomes a cookie, and the browser goes back to where it was."""
        try:
            Query(request)
            form = await posted_form(request, self._url, MOST_BYTES, self._body_seconds)
        except Refused as refused:
            return no_page(refused, self._base)
        token, task = (form.get(name, "") for name in ("token", "task"))
        task = task if HEX_OF_32_BYTES.fullmatch(task) else ""
        too_many = self._access.too_many_guesses(request)
        cookie = self._access.sign_in(request, token.strip(), self._collector.view(bytes.fromhex(task)))
        if cookie is not None:
            answer = RedirectResponse(
                self._base + (f"/tasks/{task}" if task else "/"), 303, {"cache-control": "no-store"}
            )
            self._access.set_cookie(answer, *cookie)
            return answer
        if too_many is not None:
            wait = too_many.retry_after or 1
            reason = f"Try again in {wait} second{'s' if wait > 1 else ''}"
            refusal = sign_in_page(task, 429, base=self._base, title="Too many wrong tokens", reason=reason)
            refusal.headers["retry-after"] = str(wait)
            return refusal
        await asyncio.sleep(WRONG_SECONDS)
        return sign_in_page(task, base=self._base, title="Wrong token", reason="This token opens nothing here")

    async def sign_out(self, request: Request) -> Response:
        """End the sessions, and forget every cookie of ours."""
        try:
            check_origin(request, self._url)
            await run_in_threadpool(self._access.sign_out, request)
        except Refused as refused:
            return no_page(refused, self._base)
        except (OSError, StorageFailed):
            return page("message", 503, title="Still signed in", base=self._base, reason=UNWRITTEN, sign_in_label=None)
        answer = await self.back(request)
        for name in cookie_names(request):
            self._access.set_cookie(answer, name, "")
        return answer


def sign_in_page(task: str, status: int = 401, *, base: str, title: str, reason: str) -> Response:
    """A page that asks for a token; it is the same whether the task exists or not."""
    label = FOR_A_TASK if task else FOR_ALL
    return page("message", status, title=title, base=base, reason=reason, sign_in_label=label, task_id=task)
