"""The box that asks for any item, and what it shows then. The item comes in the body of a form, not in an address."""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from starlette.requests import Request

from hgldp.collector.dashboard.form import posted_form
from hgldp.collector.dashboard.format import in_line, possible_items
from hgldp.collector.dashboard.live import Live
from hgldp.collector.dashboard.live.budget import timed
from hgldp.collector.http.documents.question import Question, as_item
from hgldp.collector.http.routes.ask import asked
from hgldp.collector.http.threads import BoundedThreads
from hgldp.collector.problems import Problem, Refused
from hgldp.collector.settings import Settings
from hgldp.collector.views import AskedAnswer, AskedItem, TaskView
from hgldp.model.estimate import ORDINARY, UNKNOWN

if TYPE_CHECKING:
    from hgldp.collector.collector import Collector

MOST_BYTES = 1 << 14


@dataclass(frozen=True)
class AskBox:
    """What a page shows: the form, what was typed, and the answer or why there is none.

    `raw` is how many items of a warm-up the answer counts, `half_life` how it weighs its reports.
    """

    action: str
    text: str = ""
    refusal: str = ""
    answer: AskedAnswer | None = None
    raw: int = 0
    half_life: int = 0

    @classmethod
    def empty(cls, view: TaskView, window: int | None, base: str) -> "AskBox":
        """The form goes back to its own page, with the same window."""
        return cls(f"{base}/tasks/{view.id.hex()}" + (f"?window={window}" if window else "") + "#ask")

    @property
    def line(self) -> AskedItem | None:
        """The item that was asked for, if anything was counted, even if that is only the warm-up."""
        if self.answer is None or not (self.answer.covered or self.raw):
            return None
        return self.answer.items[0]

    @property
    def numbers(self) -> list[str]:
        """The estimate and the two ends of its interval."""
        if self.line is None:
            return []
        return in_line(self.line.estimate, self.line.low, self.line.high, error=self.line.standard_error)

    @property
    def doubt(self) -> str:
        """What to know about the line before believing it."""
        if self.answer is None or self.line is None or not self.line.may_be_noise:
            return ""
        found = UNKNOWN if self.line.is_unknown(self.answer.covered + self.raw) else ORDINARY
        return f"{found[0].upper()}{found[1:]}."


class Asking:
    """Answers what was typed, in the threads of all slow questions."""

    def __init__(self, collector: "Collector", settings: Settings, threads: BoundedThreads, live: Live) -> None:
        self._collector, self._threads, self._live = collector, threads, live
        self._url, self._base, self._seconds = settings.url, settings.mount, settings.limits.body_seconds

    async def box(self, request: Request, view: TaskView, window: int | None) -> AskBox:
        """The box for a page: empty, or with the answer to the form that was posted."""
        empty = AskBox.empty(view, window, self._base)
        if request.method != "POST":
            return empty
        text = (await posted_form(request, self._url, MOST_BYTES, self._seconds)).get("item", "")
        question = Question((as_item(view.task.domain, text),), window)
        try:
            answer, seconds = await self._threads.run(timed, asked, self._collector, view, question)
        except Refused as refused:
            if refused.problem is not Problem.UNKNOWN_ITEM:
                raise
            refusal = f"There is no such item among {possible_items(view.task.domain)}."
            return replace(empty, text=text, refusal=refusal)
        self._live.budget.spend(seconds)
        return replace(empty, text=text, answer=answer, raw=view.raw_counted(window), half_life=view.half_life(window))
