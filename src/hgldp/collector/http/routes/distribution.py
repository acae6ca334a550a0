"""How many items have a share in each decade: computed when somebody asks, from the state that is there already."""

from typing import TYPE_CHECKING

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from hgldp.collector.http.access import Access
from hgldp.collector.http.answers.export import MEDIA_TYPES, csv_parts
from hgldp.collector.http.answers.responses import NEVER, json_answer
from hgldp.collector.http.documents.distribution import COLUMNS, distribution_document, distribution_rows
from hgldp.collector.http.request import Query, find_view
from hgldp.collector.http.threads import BoundedThreads
from hgldp.collector.problems import Problem, Refused
from hgldp.errors import InvalidField
from hgldp.wire import api

if TYPE_CHECKING:
    from hgldp.collector.collector import Collector


class DistributionRoutes:
    """Whoever may read the results of a task may ask."""

    def __init__(self, collector: "Collector", access: Access, threads: BoundedThreads) -> None:
        self._collector, self._access, self._threads = collector, access, threads

    def routes(self) -> list[Route]:
        """It is read-only."""
        return [Route(api.DISTRIBUTION, self.distribution, methods=["GET"])]

    async def distribution(self, request: Request) -> Response:
        """Of all reports, or of the last `window`."""
        query = Query(request, "window", "format")
        view = self._access.readable(request, find_view(self._collector, request))
        window, form = query.integer("window", 1), query.choice("format", "json", "csv")

        def work() -> Response:
            answer = self._collector.distribution(view.id, window)
            if form == "csv":
                text = "".join(csv_parts(iter(distribution_rows(answer)), COLUMNS))
                return Response(text.encode(), 200, {"cache-control": NEVER}, MEDIA_TYPES[form])
            return json_answer(distribution_document(view, answer))

        try:
            return await self._threads.run(work)
        except InvalidField as wrong:
            raise Refused(Problem.MALFORMED_QUERY, str(wrong)) from None
