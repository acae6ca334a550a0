"""What a task found: now, in each epoch, and all of it as a file."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from hgldp.collector.http.access import Access
from hgldp.collector.http.documents.results import ITEM_NOW, export_rows, history_document, top_document, top_rows
from hgldp.collector.http.export import MEDIA_TYPES, csv_parts, json_parts, parquet_bytes
from hgldp.collector.http.request import Query, find_view
from hgldp.collector.http.responses import NEVER, json_answer
from hgldp.collector.http.threads import BoundedThreads
from hgldp.collector.problems import Problem, Refused
from hgldp.collector.views import Answer, PublishedEpoch, TaskView
from hgldp.errors import InvalidField
from hgldp.wire import api

if TYPE_CHECKING:
    from hgldp.collector.collector import Collector

EPOCHS_AT_ONCE = 256
MOST_EPOCHS = 1000


class ResultRoutes:
    """Open if the results of the task are public; otherwise they need its read token or the admin token."""

    def __init__(self, collector: "Collector", access: Access, threads: BoundedThreads) -> None:
        self._collector, self._access, self._threads = collector, access, threads

    def routes(self) -> list[Route]:
        """All of them are read-only."""
        return [
            Route(api.TOP, self.top, methods=["GET"]),
            Route(api.HISTORY, self.history, methods=["GET"]),
            Route(api.EXPORT, self.export, methods=["GET"]),
        ]

    def _readable(self, request: Request) -> TaskView:
        return self._access.readable(request, find_view(self._collector, request))

    async def top(self, request: Request) -> Response:
        """The top k now, the open epoch included; with pfr over a list also of the last `window` reports alone."""
        query, view = Query(request, "k", "window", "format"), self._readable(request)
        k, window, form = query.integer("k"), query.integer("window", 1), query.choice("format", "json", "csv")
        if (k, window) == (None, None):
            reports = view.top_reports
            return _top(view, Answer(view.task.k, None, view.top_epoch, reports, reports, view.top), form)
        try:
            return await self._threads.run(
                lambda: _top(view, self._collector.top(view.id, view.task.k if k is None else k, window), form)
            )
        except InvalidField as wrong:
            raise Refused(Problem.MALFORMED_QUERY, str(wrong)) from None

    async def history(self, request: Request) -> Response:
        """What each epoch published; at most a thousand epochs at once, the last ones by default."""
        query, view = Query(request, "first", "last", "format"), self._readable(request)
        form, last = query.choice("format", "json", "csv"), query.integer("last", 0)
        last = view.epoch if last is None else last
        first = query.integer("first", 0)
        first = max(0, last - MOST_EPOCHS + 1) if first is None else first
        if not 0 <= last - first < MOST_EPOCHS:
            raise Refused(
                Problem.MALFORMED_QUERY, f"first … last must be 1 to {MOST_EPOCHS} epochs, got {first} … {last}"
            )
        return await self._threads.run(lambda: _history(view, self._collector.history(view.id, first, last), form))

    async def export(self, request: Request) -> Response:
        """All that was ever published."""
        query, view = Query(request, "format"), self._readable(request)
        form = query.choice("format", "csv", "json", "parquet")
        rows = export_rows(_all_epochs(self._collector, view))
        name = f'attachment; filename="hgldp-{view.id.hex()[:8]}.{form}"'
        headers = {"content-disposition": name, "cache-control": NEVER}
        if form == "parquet":
            data = await self._threads.run(lambda: parquet_bytes(rows, texts=not view.task.domain.has_numbers))
            return Response(data, 200, headers, MEDIA_TYPES[form])
        pieces = csv_parts(rows) if form == "csv" else json_parts(rows)
        return StreamingResponse(pieces, 200, headers, MEDIA_TYPES[form])


def _top(view: TaskView, answer: Answer, form: str) -> Response:
    if form == "csv":
        return _file("".join(csv_parts(top_rows(answer.top), ITEM_NOW.names)), "csv")
    return json_answer(top_document(view, answer))


def _history(view: TaskView, epochs: list[PublishedEpoch], form: str) -> Response:
    if form == "csv":
        return _file("".join(csv_parts(export_rows(epochs))), "csv")
    return json_answer(history_document(view, epochs))


def _file(text: str, form: str) -> Response:
    return Response(text.encode(), 200, {"cache-control": NEVER}, MEDIA_TYPES[form])


def _all_epochs(collector: "Collector", view: TaskView) -> Iterator[PublishedEpoch]:
    for first in range(0, view.epoch + 1, EPOCHS_AT_ONCE):
        yield from collector.history(view.id, first, min(view.epoch, first + EPOCHS_AT_ONCE - 1))
