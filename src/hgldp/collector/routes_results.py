"""What a task found: now, in each epoch, and all of it as a file."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from hgldp.collector.access import Access
from hgldp.collector.answers import NEVER, json_answer
from hgldp.collector.export import MEDIA_TYPES, OF_A_LINE, WRITERS, csv_lines, epoch_rows
from hgldp.collector.heavy import Heavy
from hgldp.collector.problems import Problem, Refused
from hgldp.collector.request_parts import Query, task_view
from hgldp.collector.shapes import epoch_document, line_document
from hgldp.collector.views import Answer, PublishedEpoch, TaskView
from hgldp.errors import InvalidField
from hgldp.model.domain import RangeDomain

if TYPE_CHECKING:
    from hgldp.collector.collector import Collector

EPOCHS_AT_ONCE = 256
MOST_EPOCHS = 1000
OF_A_LINE_NOW = (*OF_A_LINE, "rank_change")


class ResultRoutes:
    """Open if the task's results are public; else they need its read token or the admin's."""

    def __init__(self, collector: "Collector", access: Access, heavy: Heavy) -> None:
        self._collector, self._access, self._heavy = collector, access, heavy

    def routes(self) -> list[Route]:
        """All of them are read-only."""
        return [
            Route("/v1/tasks/{id}/top", self.top, methods=["GET"]),
            Route("/v1/tasks/{id}/history", self.history, methods=["GET"]),
            Route("/v1/tasks/{id}/export", self.export, methods=["GET"]),
        ]

    def _readable(self, request: Request) -> TaskView:
        view = task_view(self._collector, request)
        self._access.check_reader(request, view)
        return view

    async def top(self, request: Request) -> Response:
        """The top k now, the open epoch included; with pfr in a listed domain also of the last `window` reports."""
        query, view = Query(request, "k", "window", "format"), self._readable(request)
        k, window, form = query.whole("k", 1), query.whole("window", 1), query.choice("format", "json", "csv")
        if (k, window) == (None, None):
            reports = view.top_reports
            return _top(view, Answer(view.task.k, None, view.top_epoch, reports, reports, view.top), form)
        try:
            return await self._heavy.run(
                lambda: _top(view, self._collector.top(view.id, k or view.task.k, window), form)
            )
        except InvalidField as wrong:
            raise Refused(Problem.MALFORMED_QUERY, str(wrong)) from None

    async def history(self, request: Request) -> Response:
        """What each epoch published, by its number; at most a thousand epochs at once, the last ones by default."""
        query, view = Query(request, "first", "last", "format"), self._readable(request)
        form, last = query.choice("format", "json", "csv"), query.whole("last", 0)
        last = view.epoch if last is None else last
        first = query.whole("first", 0)
        first = max(0, last - MOST_EPOCHS + 1) if first is None else first
        if not 0 <= last - first < MOST_EPOCHS:
            raise Refused(Problem.MALFORMED_QUERY, f"first … last must be 1 to {MOST_EPOCHS} epochs")
        return await self._heavy.run(lambda: _history(view, self._collector.history(view.id, first, last), form))

    async def export(self, request: Request) -> Response:
        """All that was ever published."""
        query, view = Query(request, "format"), self._readable(request)
        form = query.choice("format", "csv", "json", "parquet")
        texts = not isinstance(view.task.domain, RangeDomain)
        rows = epoch_rows(_all_epochs(self._collector, view))
        name = f'attachment; filename="hgldp-{view.id.hex()[:8]}.{form}"'
        headers = {"content-disposition": name, "cache-control": NEVER}
        if form == "parquet":
            data = await self._heavy.run(lambda: b"".join(WRITERS[form](rows, texts=texts)))  # type: ignore[arg-type]
            return Response(data, 200, headers, MEDIA_TYPES[form])
        return StreamingResponse(WRITERS[form](rows, texts=texts), 200, headers, MEDIA_TYPES[form])


def _top(view: TaskView, answer: Answer, form: str) -> Response:
    rows = [line_document(rank, line) for rank, line in enumerate(answer.lines, start=1)]
    if form == "csv":
        return _file("".join(csv_lines(rows, OF_A_LINE_NOW)), "csv")
    head = {"task": view.id, "scheme": view.task.scheme, "epoch": answer.epoch, "reports": answer.reports}
    head |= {"window": answer.window, "covered": answer.covered}
    return json_answer({**head, "top": rows})


def _history(view: TaskView, epochs: list[PublishedEpoch], form: str) -> Response:
    if form == "csv":
        return _file("".join(csv_lines(epoch_rows(epochs))), "csv")
    return json_answer({"task": view.id, "epochs": [epoch_document(each) for each in epochs]})


def _file(text: str, form: str) -> Response:
    return Response(text.encode(), 200, {"cache-control": NEVER}, MEDIA_TYPES[form])


def _all_epochs(collector: "Collector", view: TaskView) -> Iterator[PublishedEpoch]:
    for first in range(0, view.epoch + 1, EPOCHS_AT_ONCE):
        yield from collector.history(view.id, first, min(view.epoch, first + EPOCHS_AT_ONCE - 1))
