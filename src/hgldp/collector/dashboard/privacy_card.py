"""What the task costs its clients, on one card."""

from functools import lru_cache

from hgldp.collector.dashboard.figures import size
from hgldp.collector.dashboard.markup import Html, fill
from hgldp.collector.dashboard.wording import SPENT_ON
from hgldp.collector.statement import Statement, privacy_statement
from hgldp.collector.views import TaskView


def privacy_card(view: TaskView) -> Html:
    """The card of a task, computed once for each bulletin."""
    return _card(_ByBulletin(view))


class _ByBulletin:
    """A view that equals every other one of the same bulletin and state, so that a cache finds it."""

    def __init__(self, view: TaskView) -> None:
        self.view, self._key = view, (view.bulletin.version, view.state_bytes)

    def __hash__(self) -> int:
        return hash(self._key)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _ByBulletin) and self._key == other._key


@lru_cache(maxsize=256)
def _card(key: _ByBulletin) -> Html:
    view = key.view
    stated = privacy_statement(view.task, view.bulletin, view.state_bytes)
    return fill(
        "privacy_card",
        epsilon=f"{stated.epsilon:g}",
        covers=SPENT_ON[stated.level].format(events=stated.events),
        per_report=f"ε = {stated.epsilon_per_report:.3g}",
        odds=f"{stated.odds_factor:g}×",
        meaning=stated.meaning,
        cap=_cap(stated),
        day=stated.day,
        leverage=f"{stated.leverage:g}×",
        forged=stated.forged,
        upload=size(stated.upload_bytes),
        statement=f"/v1/tasks/{view.id.hex()}/privacy",
    )


def _cap(stated: Statement) -> str:
    if stated.daily_reports is None:
        return "no cap"
    return f"{stated.daily_reports} reports, ε = {stated.epsilon_per_day:g}"
