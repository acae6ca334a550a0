"""What an admin may change of a task that runs: its name, its key and its token; and its end, with all it has."""

import os
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from hgldp.collector.http.access import Access
from hgldp.collector.http.answers.responses import json_answer
from hgldp.collector.http.deeds import Deeds
from hgldp.collector.http.documents.schema import in_utc
from hgldp.collector.http.documents.service import DELETED_TASK, MOST_HOURS_OF_AN_OLD_KEY, NEW_KEY, NEW_TOKEN
from hgldp.collector.http.documents.task import task_document
from hgldp.collector.http.request import Query, limited_body, task_view
from hgldp.collector.http.threads import BoundedThreads
from hgldp.collector.problems import Problem, Refused
from hgldp.collector.tokens import digest, kept, new_token
from hgldp.errors import HgldpError, InvalidField
from hgldp.model.validate import check_whole
from hgldp.wire import api
from hgldp.wire.strict_json import read_json

if TYPE_CHECKING:
    from hgldp.collector.collector import Collector
    from hgldp.collector.views import TaskView

MOST_BYTES = 4_096
HOUR = 3_600


class ChangeRoutes:
    """Every one of them needs an admin's token, and is in the admin log."""

    def __init__(self, collector: "Collector", access: Access, deeds: Deeds, commands: BoundedThreads) -> None:
        self._collector, self._access, self._deeds, self._commands = collector, access, deeds, commands

    def routes(self) -> list[Route]:
        """All of them are POST, with a small JSON object or none."""
        return [
            Route(api.RENAME, self.rename, methods=["POST"]),
            Route(api.ROTATE_KEY, self.rotate_key, methods=["POST"]),
            Route(api.ROTATE_TOKEN, self.rotate_token, methods=["POST"]),
            Route(api.DELETE, self.delete, methods=["POST"]),
        ]

    async def rename(self, request: Request) -> Response:
        """Another name for people; nothing else changes."""
        who, view, fields = await self._asked(request, "name")
        try:
            terms = replace(view.terms, name=fields.get("name", ""))
        except HgldpError as wrong:
            raise Refused(Problem.MALFORMED_TASK, str(wrong)) from None
        renaming = self._commands.run(lambda: self._collector.change_task(view.id, name=terms.name))
        await self._deeds.carry_out(renaming, who, "task renamed", view.id)
        await self._deeds.note(who, "task renamed", view.id)
        return json_answer(task_document(task_view(self._collector, request)))

    async def rotate_key(self, request: Request) -> Response:
        """A new write key. Apps that still have the old one may use it for as many hours as are given."""
        who, view, fields = await self._asked(request, "keep_old_hours")
        hours, key = fields.get("keep_old_hours", 0), new_token(os.urandom)
        try:
            check_whole("keep_old_hours", hours, 0, MOST_HOURS_OF_AN_OLD_KEY)
        except InvalidField as wrong:
            raise Refused(Problem.MALFORMED_TASK, str(wrong)) from None
        until = self._collector.now() + HOUR * hours
        rotating = self._commands.run(
            lambda: self._collector.change_task(
                view.id, write_digest=digest(key), old_write_digest=view.write_digest, old_until=until
            )
        )
        await self._deeds.carry_out(rotating, who, "write key rotated", view.id)
        await self._deeds.note(who, "write key rotated", view.id, f"the old one is accepted for {hours} hours")
        upload = api.UPLOAD.format(write_key=key)
        return json_answer(NEW_KEY.of(view.id.hex(), key, upload, in_utc(until)))

    async def rotate_token(self, request: Request) -> Response:
        """A new read token. The old one opens nothing any more, nor do cookies that were made with it."""
        who, view, _ = await self._asked(request)
        token = new_token(os.urandom)
        rotating = self._commands.run(lambda: self._collector.change_task(view.id, read_digest=kept(token)))
        await self._deeds.carry_out(rotating, who, "read token rotated", view.id)
        await self._deeds.note(who, "read token rotated", view.id)
        return json_answer(NEW_TOKEN.of(view.id.hex(), token))

    async def delete(self, request: Request) -> Response:
        """The task and all its data, for good. Its name is asked for: nobody deletes another one by mistake."""
        who, view, fields = await self._asked(request, "name")
        if fields.get("name") != view.terms.name:
            raise Refused(Problem.MALFORMED_TASK, "name must be the name of the task that is to be deleted")
        deleting = self._commands.run(self._collector.delete_task, view.id)
        await self._deeds.carry_out(deleting, who, "task deleted", view.id)
        await self._deeds.note(
            who, "task deleted", view.id, "it had 1 report" if view.reports == 1 else f"it had {view.reports} reports"
        )
        return json_answer(DELETED_TASK.of(view.id.hex(), view.reports))

    async def _asked(self, request: Request, *known: str) -> tuple[str, "TaskView", dict[str, Any]]:
        """Who asks, for which task, and what the body says; an empty body says nothing."""
        who = self._access.check_admin(request)
        Query(request)
        view = task_view(self._collector, request)
        body = await limited_body(request, MOST_BYTES, self._collector.limits.body_seconds)
        try:
            fields: Any = read_json(body, surrogates=False) if body else {}
        except HgldpError as wrong:
            raise Refused(Problem.MALFORMED_TASK, str(wrong)) from None
        if not isinstance(fields, dict) or not set(fields) <= set(known):
            wanted = f"a JSON object with nothing but {', '.join(known)}" if known else "empty"
            raise Refused(Problem.MALFORMED_TASK, f"the body must be {wanted}")
        return who, view, fields
