"""The parts of a page that change while it is open, rendered only here: for a new page, live, and for the past."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from typing import NamedTuple

from markupsafe import Markup

from hgldp.checks.certificate import has_certificate
from hgldp.collector.dashboard.chart import Scale
from hgldp.collector.dashboard.format import in_full, order_in_words, reports
from hgldp.collector.dashboard.ranking import Row, Shares, ranking, rows_on, without_changes
from hgldp.collector.dashboard.templates import region
from hgldp.collector.statement import privacy_statement
from hgldp.collector.views import Answer, PublishedEpoch, RankedItem, TaskView, clear_top
from hgldp.model.estimate import WARM_UP_ALONE, raw_items
from hgldp.model.window import reports_within
from hgldp.schemes.registry import class_of

CARD_ITEMS, MOST_ROWS = 3, 100
FIRST_COMPARED = 2  # ranks change against what the epoch before the last one published
PARQUET = find_spec("pyarrow") is not None
WINDOWS = tuple(factor * 10**power for power in range(9, 1, -1) for factor in (5, 2, 1))
Regions = dict[str, Markup]


class Where(NamedTuple):
    """The address that people outside use, and the path that its links begin with: empty, or such as /hot."""

    url: str
    base: str


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


def task_regions(now: Now, privacy: Markup, where: Where) -> Regions:
    """Every region of a task's page as it is now."""
    view, base = now.view, where.base
    return {
        "head": region("head", view),
        "figures": region("figures", view, now.rate, now.changed),
        "best": region("best", None),
        "windows": region("windows", view, window_choices(view, now.window), now.window, base),
        "ranking": _ranking(now, where),
        "scrubber": region("scrubber", view, None, base),
        "export": region("export", view, PARQUET, base),
        "privacy": privacy,
        "details": region("details", view, base),
        "foot": foot_region([view]),
    }


def past_regions(view: TaskView, published: PublishedEpoch, base: str) -> Regions:
    """What differs in a page that shows a past epoch."""
    caption = f"Estimated top {len(published.top)} as published at the end of epoch {published.epoch}"
    if published.top:
        shown = published.top[:MOST_ROWS] if published.epoch else without_changes(published.top[:MOST_ROWS])
        found = region("ranking", ranking(shown, (), caption, _order(view, published.top)))
    else:
        found = region("nothing_found", published.reports, None)
    return {
        "best": region("best", published),
        "windows": region("back_to_now", view, base),
        "ranking": found,
        "scrubber": region("scrubber", view, published, base),
    }


def privacy_region(view: TaskView, base: str) -> Markup:
    """What the task costs; it follows from the bulletin and the size of the state."""
    stated = privacy_statement(view.task, view.bulletin, view.state_bytes, view.terms.warmup)
    return region("privacy", view, stated, view.task.covers, base, has_certificate(view.task))


def _order(view: TaskView, top: Sequence[RankedItem], window: int | None = None) -> str:
    order = order_in_words(view, window)
    if len(top) <= MOST_ROWS:
        return order
    return f"The first {MOST_ROWS} of {in_full(len(top))} items; the export has all of them. {order}"


def _ranking(now: Now, where: Where) -> Markup:
    view, answer = now.view, now.answer
    if not view.reports:
        return _warm_up_alone(view) + region("no_report_yet", view, where.url)
    if answer is not None and not answer.covered:
        return region("no_epoch_in_window", answer.window, answer.least_window)
    if not now.top:
        return region("nothing_found", view.reports, view)
    covered, order = reports(view.top_reports), _order(view, now.top, now.window)
    if answer is not None:
        covered = f"the last {reports(answer.covered)}" if answer.covered != 1 else "the last report"
        order = f"Counts cover {covered}, because a window consists of whole epochs. {order}"
    elif view.half_life():
        covered += ", the recent ones counting most"
    caption = f"Estimated top {len(now.top)} in {covered}"
    compared = answer is None and view.top_epoch >= FIRST_COMPARED
    shown = now.top[:MOST_ROWS] if compared else without_changes(now.top[:MOST_ROWS])
    return region("ranking", ranking(shown, now.past, caption, order))


def _warm_up_alone(view: TaskView) -> Markup:
    """What a task says before any report: the counts of its raw items, if it started from any."""
    if not view.terms.warmup or not view.top:
        return Markup()
    notice = f"{WARM_UP_ALONE}, {raw_items(view.terms.warmup)} that nobody randomised."
    items = without_changes(view.top[:MOST_ROWS])
    caption = f"Top {len(items)} of the warm-up alone"
    return region("ranking", ranking(items, (), caption, "Ranked by the count in the warm-up.", notice))


def window_choices(view: TaskView, chosen: int | None = None) -> tuple[int, ...]:
    """The windows that the page offers, as numbers of last reports, including `chosen`.

    Each counts at least half of what it says, and other epochs than the rest; of several with the same epochs it is the
    nearest. None is shorter than an epoch, which may have hardly begun. Only pfr in a listed domain has any.
    """
    if not class_of(view.task).has_windows:
        return ()
    fitting = [each for each in WINDOWS if view.epoch_length <= each < view.reports]
    counts = [(reports_within(view.epoch_sizes, each), each) for each in fitting]
    counts = [(covered, each) for covered, each in counts if each <= 2 * covered and covered < view.reports]
    nearest = dict(sorted(counts, key=lambda pair: -abs(pair[0] - pair[1])))
    fitting = sorted(nearest.values(), reverse=True)
    if len(fitting) > 3:
        fitting = [fitting[0], fitting[len(fitting) // 2], fitting[-1]]
    if fitting and chosen is not None:
        fitting = sorted({*fitting, chosen}, reverse=True)
    return tuple(fitting)


class Card(NamedTuple):
    """A task at a glance, with the first of its items."""

    view: TaskView
    rows: list[Row]
    rate: float | None
    changed: float | None
    clear: bool | None


def card_region(view: TaskView, rate: float | None, changed: float | None, base: str) -> Markup:
    """A task at a glance."""
    items = view.top[:CARD_ITEMS] if view.reports or view.terms.warmup else ()
    scale = Scale.over([number for item in items for number in (item.low, item.high)])
    return region("card", Card(view, rows_on(scale, items), rate, changed, clear_top(view.top)), base)


def foot_region(views: Iterable[TaskView]) -> Markup:
    """What all numbers of a page are made of."""
    return region("foot", any(view.terms.warmup for view in views))


def list_region(shown: Sequence[str], cards: Mapping[str, Markup], where: Where, *, all_seen: bool) -> Markup:
    """The list of cards, or what to do if there is none. A live page fills its cards by itself."""
    return region("tasks", shown, cards, where.url, all_seen)


def page_links(page: int, pages: int, base: str) -> Markup:
    """The way to the other pages of the list, if there are any."""
    return region("pages", page, pages, base)
