"""How often any items came. They are in the body of the request: an address ends up in logs and histories."""

from typing import TYPE_CHECKING

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from hgldp.collector.http.access import Access
from hgldp.collector.http.answers.export import MEDIA_TYPES, csv_parts
from hgldp.collector.http.answers.responses import NEVER, json_answer
from hgldp.collector.http.documents.question import MOST_BYTES, Question
from hgldp.collector.http.documents.results import ASKED_COLUMNS, asked_document, asked_rows, weighed
from hgldp.collector.http.request import Query, find_view, limited_body
from hgldp.collector.http.threads import BoundedThreads
from hgldp.collector.problems import Problem, Refused
from hgldp.collector.views import AskedAnswer, TaskView
from hgldp.errors import InvalidField, OutsideDomain
from hgldp.wire import api

if TYPE_CHECKING:
    from hgldp.collector.collector import Collector

JSON_TYPES = ("", api.JSON)


class AskRoutes:
    """Whoever may read the results of a task may ask: everything here follows from randomised reports."""

    def __init__(self, collector: "Collector", access: Access, threads: BoundedThreads) -> None:
        self._collector, self._access, self._threads = collector, access, threads

    def routes(self) -> list[Route]:
        """It changes nothing, but it has a body."""
        return [Route(api.ASK, self.ask, methods=["POST"])]

    async def ask(self, request: Request) -> Response:
        """Estimates of the items in the body, in their order."""
        form = Query(request, "format").choice("format", "json", "csv")
        view = self._access.readable(request, find_view(self._collector, request))
        if request.headers.get("content-type", "").partition(";")[0].strip().lower() not in JSON_TYPES:
            raise Refused(Problem.WRONG_MEDIA_TYPE, f"the body must be {api.JSON}")
        body = await limited_body(request, MOST_BYTES, self._collector.limits.body_seconds)

        def work() -> Response:
            return _written(view, asked(self._collector, view, Question.read(body, view.task.domain)), form)

        return await self._threads.run(work)


def asked(collector: "Collector", view: TaskView, question: Question) -> AskedAnswer:
    """The answer, or a problem that says what is wrong with the question, and never which item it was."""
    try:
        return collector.ask(view.id, question.items, question.window)
    except OutsideDomain as outside:
        raise Refused(Problem.UNKNOWN_ITEM, str(outside)) from None
    except InvalidField as wrong:
        raise Refused(Problem.MALFORMED_QUESTION, str(wrong)) from None


def _written(view: TaskView, answer: AskedAnswer, form: str) -> Response:
    if form == "csv":
        rows = weighed(asked_rows(answer), view, answer.window)
        text = "".join(csv_parts(rows, ASKED_COLUMNS))
        return Response(text.encode(), 200, {"cache-control": NEVER}, MEDIA_TYPES[form])
    return json_answer(asked_document(view, answer))
