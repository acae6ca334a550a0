"""`/plan`: a form, and below it what a task would find after a day, a week and a month."""

from typing import TYPE_CHECKING, Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from hgldp.collector.dashboard.form import posted_form
from hgldp.collector.dashboard.pages import no_page, page
from hgldp.collector.dashboard.plan.asked import KINDS, LIMITS, SKEWS, UNITS, PlanForm
from hgldp.collector.dashboard.plan.drawing import drawing
from hgldp.collector.dashboard.plan.process import Planner
from hgldp.collector.dashboard.sign_in import sign_in_page
from hgldp.collector.http.access import Access, cookie_names
from hgldp.collector.http.request import Query
from hgldp.collector.problems import Problem, Refused
from hgldp.collector.settings import Settings
from hgldp.errors import InvalidField
from hgldp.model.domain import StringDomain
from hgldp.planning.forecast import MeanShare, Row
from hgldp.planning.traffic import SPANS

if TYPE_CHECKING:
    from collections.abc import Mapping

PATH, MOST_BYTES = "/plan", 1_024
FOR_ADMINS = "Plans are made for admins"
NOT_IN_TIME = "The plan was not ready in time. Ask for fewer items, or use hgldp plan on another machine."
CHOICES = {"units": UNITS, "kinds": KINDS, "skews": SKEWS, "limits": LIMITS}


class PlanPage:
    """Only admins may ask: a plan takes seconds of processor time."""

    def __init__(self, settings: Settings, access: Access, planner: Planner | None = None) -> None:
        self._access, self._planner = access, planner or Planner()
        self._url, self._base, self._seconds = settings.url, settings.mount, settings.limits.body_seconds

    def routes(self) -> list[Route]:
        """The form comes in the body, so that no numbers stand in an address."""
        return [Route(PATH, self.show, methods=["GET", "POST"])]

    async def show(self, request: Request) -> Response:
        """The form, and the plan if it was posted."""
        try:
            Query(request, "token")
            if not self._access.sees_all(request):
                answer = sign_in_page("", base=self._base, title="Plan a task", reason=FOR_ADMINS)
                self._access.forget_stale(request, answer)
                return answer
            if request.method != "POST":
                return self._page(request, PlanForm())
            asked = asked_in(await posted_form(request, self._url, MOST_BYTES, self._seconds))
            try:
                task = asked.task()
            except InvalidField as wrong:
                return self._page(request, asked, 400, refusal=str(wrong))
            found = await self._planner.plan(asked)
        except Refused as refused:
            return no_page(refused, self._base)
        if found is None:
            return self._page(request, asked, 503, refusal=NOT_IN_TIME)
        rows = [row_of(each) for each in found["rows"]]
        is_open = isinstance(task.domain, StringDomain)
        name, metric = ("F1", "f1") if is_open else ("precision", "precision")
        lines = tuple(dict.fromkeys(row.shape for row in rows))
        spans = [(f"a {span}", [row for row in rows if row.days == days]) for span, days in SPANS.items()]
        shown = {"rows": rows, "spans": spans, "name": name, "metric": metric, "lines": lines}
        plot = drawing(rows, metric, name)
        return self._page(request, asked, result=shown | {"plot": plot, "k": task.k, "missing": found["missing"]})

    def _page(
        self,
        request: Request,
        asked: PlanForm,
        status: int = 200,
        *,
        refusal: str = "",
        result: "Mapping[str, Any] | None" = None,
    ) -> Response:
        values = {"asked": asked, "refusal": refusal, "result": result, "action": f"{self._base}{PATH}", **CHOICES}
        signed_in = bool(cookie_names(request))
        return page("plan", status, title="Plan a task", base=self._base, signed_in=signed_in, **values)


def asked_in(form: dict[str, str]) -> PlanForm:
    """What the form asks; a body that is not our form asks nothing, and no processor works for it."""
    if not form.keys() & PlanForm.__dataclass_fields__.keys():
        raise Refused(Problem.MALFORMED_REQUEST, "the body must be the form of this page")
    return PlanForm.of(form)


def row_of(document: dict[str, Any]) -> Row:
    """A row as the process wrote it."""
    shares = {name: MeanShare(**document[name]) for name in ("precision", "f1")}
    return Row(**document | shares)
