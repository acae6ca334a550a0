"""The parts of a page that change while it is open, rendered only here: for a new page, live, and for the past."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.util import find_spec
from typing import NamedTuple

from markupsafe import Markup

from hgldp.collector.dashboard.chart import Scale
from hgldp.collector.dashboard.format import in_full, order_in_words
from hgldp.collector.dashboard.live import Live
from hgldp.collector.dashboard.ranking import Row, Shares, ranking, rows_on
from hgldp.collector.dashboard.templates import region
from hgldp.collector.statement import privacy_statement
from hgldp.collector.views import Answer, PublishedEpoch, RankedItem, TaskView
from hgldp.schemes.registry import class_of

CARD_ITEMS = 3
PARQUET = find_spec("pyarrow") is not None
WINDOWS = tuple(factor * 10**power for power in range(9, 1, -1) for factor in (5, 2, 1))
Regions = dict[str, Markup]


@dataclass(frozen=True)
class Now:
    """A task at one moment, with what its page needs besides the view; `answer` covers only the last reports."""

    view: TaskView
    answer: Answer | None
    past: Sequence[Shares]
    rate: float | None
    changed: float | None

    @property
    def top(self) -> Sequence[RankedItem]:
        """What the page ranks."""
        return self.view.top if self.answer is None else self.answer.top

    @property
    def window(self) -> int | None:
        """How many of the last reports were asked for."""
        return None if self.answer is None else self.answer.window

    def shows_the_same_as(self, other: "Now") -> bool:
        """Whether nothing was replaced in between; lists are not looked through."""
        same = self.view is other.view and self.top is other.top and self.past is other.past
        return same and (self.rate, self.changed) == (other.rate, other.changed)


def task_regions(now: Now, url: str) -> Regions:
    """Every region of a task's page as it is now."""
    view = now.view
    return {
        "head": region("head", view),
        "figures": region("figures", view, now.rate, now.changed),
        "windows": region("windows", view, window_choices(view, now.window), now.window),
        "ranking": _ranking(now, url),
        "scrubber": region("scrubber", view, None),
        "export": region("export", view, PARQUET),
        "privacy": _privacy(_ByBulletin(view)),
        "details": region("details", view),
    }


def past_regions(view: TaskView, published: PublishedEpoch) -> Regions:
    """What differs in a page that shows a past epoch."""
    caption = f"Estimated top {len(published.top)} as published at the end of epoch {published.epoch}"
    if published.top:
        found = region("ranking", ranking(published.top, (), caption, order_in_words(view.task)))
    else:
        found = region("nothing_found", published.reports, None)
    return {"ranking": found, "windows": Markup(), "scrubber": region("scrubber", view, published)}


def _ranking(now: Now, url: str) -> Markup:
    view, answer = now.view, now.answer
    if not view.reports:
        return region("no_report_yet", view, url)
    if answer is not None and not answer.covered:
        return region("no_epoch_in_window", answer.window)
    if not now.top:
        return region("nothing_found", view.reports, view)
    covered, order = f"{in_full(view.top_reports)} reports", order_in_words(view.task)
    if answer is not None:
        covered = f"the last {in_full(answer.covered)} reports"
        order = f"Counts cover {covered}, because a window consists of whole epochs. {order}"
    caption = f"Estimated top {len(now.top)} in {covered}"
    return region("ranking", ranking(now.top, now.past, caption, order))


def window_choices(view: TaskView, chosen: int | None = None) -> tuple[int, ...]:
    """The windows that the page offers, as numbers of last reports, including `chosen`.

    Only pfr in a listed domain remembers its last reports.
    """
    if not class_of(view.task).has_windows:
        return ()
    fitting = [each for each in WINDOWS if view.epoch_length <= each < view.reports]
    if len(fitting) > 3:
        fitting = [fitting[0], fitting[len(fitting) // 2], fitting[-1]]
    if fitting and chosen is not None:
        fitting = sorted({*fitting, chosen}, reverse=True)
    return tuple(fitting)


class _ByBulletin:
    """A view that equals every other one of the same bulletin, so that a cache finds what follows from it."""

    def __init__(self, view: TaskView) -> None:
        self.view = view

    def __hash__(self) -> int:
        return hash(self.view.bulletin.version)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _ByBulletin) and self.view.bulletin.version == other.view.bulletin.version


@lru_cache(maxsize=256)
def _privacy(key: _ByBulletin) -> Markup:
    view = key.view
    stated = privacy_statement(view.task, view.bulletin, view.state_bytes)
    return region("privacy", view, stated, view.task.budget.covers)


class Card(NamedTuple):
    """A task at a glance, with the first of its items."""

    view: TaskView
    rows: list[Row]
    rate: float | None
    changed: float | None


def overview_regions(views: Sequence[TaskView], live: Live, url: str, *, all_seen: bool) -> Regions:
    """A card for each task, those that still take reports first, or what to do if there is none."""
    ordered = sorted(views, key=lambda view: (view.closed is not None, -view.created))
    return {"tasks": region("tasks", [_card(view, live) for view in ordered], url, all_seen)}


def _card(view: TaskView, live: Live) -> Card:
    items = view.top[:CARD_ITEMS] if view.reports else ()
    scale = Scale.over([number for item in items for number in (item.low, item.high)])
    return Card(view, rows_on(scale, items), live.rate(view.id), live.changed(view))
