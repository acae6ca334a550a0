"""What a task found: now, in each epoch, and all of it as a file."""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from hgldp.collector.http.access import Access
from hgldp.collector.http.answers.export import MEDIA_TYPES, csv_parts, json_parts, parquet_parts
from hgldp.collector.http.answers.long_answer import LongAnswers
from hgldp.collector.http.answers.responses import NEVER, json_answer, json_bytes
from hgldp.collector.http.connections.client_address import Networks
from hgldp.collector.http.documents.results import (
    TOP_COLUMNS,
    epoch_document,
    export_rows,
    history_document,
    top_document,
    top_rows,
    weighed,
)
from hgldp.collector.http.request import Query, find_view
from hgldp.collector.http.threads import BoundedThreads
from hgldp.collector.problems import Problem, Refused
from hgldp.collector.views import Answer, PublishedEpoch, TaskView
from hgldp.errors import InvalidField
from hgldp.model.domain import RangeDomain
from hgldp.wire import api

if TYPE_CHECKING:
    from hgldp.collector.collector import Collector

ITEMS_AT_ONCE = 1_024
MOST_EPOCHS, MOST_ROWS = 1000, 10_000_000


class ResultRoutes:
    """Open if the results of the task are public; otherwise they need its read token or the admin token."""

    def __init__(self, collector: "Collector", access: Access, threads: BoundedThreads, trusted: Networks = ()) -> None:
        self._collector, self._access, self._threads = collector, access, threads
        self._answers = LongAnswers(threads, trusted)

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
        _check_kept(view, last)
        first = max(0, last - MOST_EPOCHS + 1) if first is None else first
        if not 0 <= last - first < MOST_EPOCHS:
            raise Refused(
                Problem.MALFORMED_QUERY, f"first … last must be 1 to {MOST_EPOCHS} epochs, got {first} … {last}"
            )
        epochs = _epochs(self._collector, view, first, last)
        parts = csv_parts(export_rows(view, epochs)) if form == "csv" else _history_parts(view, epochs)
        return await self._answer(request, parts, {"cache-control": NEVER}, form)

    async def export(self, request: Request) -> Response:
        """All that was published and is kept, or what the epochs from `first` to `last` published."""
        query, view = Query(request, "format", "first", "last"), self._readable(request)
        form = query.choice("format", "csv", "json", "parquet")
        first, last = max(query.integer("first", 0) or 0, view.first_epoch), query.integer("last", 0)
        last = view.epoch if last is None else min(last, view.epoch)
        _check_kept(view, last)
        if (last - first + 1) * view.task.k > MOST_ROWS:
            rule = f"at most {max(1, MOST_ROWS // view.task.k)} epochs at once: say which with first and last"
            raise Refused(Problem.MALFORMED_QUERY, f"{rule}, got {first} … {last}")
        rows = export_rows(view, _epochs(self._collector, view, first, last))
        parts: Iterable[str | bytes] = csv_parts(rows) if form == "csv" else json_parts(rows)
        if form == "parquet":
            parts = parquet_parts(rows, texts=not isinstance(view.task.domain, RangeDomain))
        name = f'attachment; filename="hgldp-{view.id.hex()[:8]}.{form}"'
        return await self._answer(request, parts, {"content-disposition": name, "cache-control": NEVER}, form)

    async def _answer(
        self, request: Request, parts: Iterable[str | bytes], headers: dict[str, str], form: str
    ) -> Response:
        admin = self._access.admin(request) is not None
        return await self._answers.begin(request, parts, headers, MEDIA_TYPES[form], admin=admin)


def _check_kept(view: TaskView, last: int) -> None:
    if last < view.first_epoch:
        raise Refused.gone(view.first_epoch)


def _top(view: TaskView, answer: Answer, form: str) -> Response:
    if form == "csv":
        rows = weighed(top_rows(answer.top), view, answer.window)
        return _file("".join(csv_parts(rows, TOP_COLUMNS)), "csv")
    return json_answer(top_document(view, answer))


def _history_parts(view: TaskView, epochs: Iterable[PublishedEpoch]) -> Iterator[bytes]:
    """The JSON of a history, an epoch at a time."""
    before = json_bytes(history_document(view, []))[: -len(b"]}")]
    for each in epochs:
        yield before + json_bytes(epoch_document(each))
        before = b","
    yield (b"" if before == b"," else before) + b"]}"


def _file(text: str, form: str) -> Response:
    return Response(text.encode(), 200, {"cache-control": NEVER}, MEDIA_TYPES[form])


def _epochs(collector: "Collector", view: TaskView, first: int, last: int) -> Iterator[PublishedEpoch]:
    """Read from the store a few at a time: no more items than `ITEMS_AT_ONCE`."""
    at_once = max(1, ITEMS_AT_ONCE // view.task.k)
    for start in range(max(first, view.first_epoch), min(last, view.epoch) + 1, at_once):
        yield from collector.history(view.id, start, min(last, start + at_once - 1))
