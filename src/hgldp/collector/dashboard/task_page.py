"""The page of one task, in regions that are rendered here and nowhere else: at first, live, and for a past epoch."""

from collections.abc import Sequence
from dataclasses import dataclass
from importlib.util import find_spec

from hgldp.collector.dashboard.figures import moment, rate, size, whole
from hgldp.collector.dashboard.markup import Html, fill
from hgldp.collector.dashboard.past import Shares
from hgldp.collector.dashboard.privacy_card import privacy_card
from hgldp.collector.dashboard.ranking import ranking
from hgldp.collector.dashboard.time_choices import scrubber, windows
from hgldp.collector.dashboard.wording import described, last_change, order_in_words
from hgldp.collector.views import Answer, PublishedEpoch, TaskView
from hgldp.collector.views import RankedItem as Line
from hgldp.model.domain import RangeDomain
from hgldp.schemes.registry import class_of

Regions = dict[str, Html]


@dataclass(frozen=True)
class Now:
    """A task at one moment, with what its page needs beside the view; `answer` is that of the last reports alone."""

    view: TaskView
    answer: Answer | None
    past: Sequence[Shares]
    rate: float | None
    changed: float | None

    @property
    def lines(self) -> Sequence[Line]:
        """What the page ranks."""
        return self.view.top if self.answer is None else self.answer.lines

    @property
    def window(self) -> int | None:
        """How many of the last reports were asked for."""
        return None if self.answer is None else self.answer.window

    def shows_the_same_as(self, other: "Now") -> bool:
        """Whether nothing was replaced in between; lists are not looked through."""
        same = self.view is other.view and self.lines is other.lines and self.past is other.past
        return same and (self.rate, self.changed) == (other.rate, other.changed)


def regions(now: Now, url: str) -> Regions:
    """Every region as it is now."""
    view = now.view
    return {
        "head": fill("task_head", name=view.terms.name, about=described(view), badge=_badge(view)),
        "figures": _figures(now),
        "windows": windows(view, now.window),
        "ranking": _ranking(now, url),
        "scrubber": scrubber(view, None),
        "export": _export(view),
        "privacy": privacy_card(view),
        "details": _details(view),
    }


def past_regions(view: TaskView, published: PublishedEpoch) -> Regions:
    """What is another in a page that shows a past epoch."""
    caption = f"The best {len(published.lines)} as epoch {published.epoch} published them"
    nothing = fill("nothing_found", reports=whole(published.reports), hint="")
    found = ranking(published.lines, (), caption, order_in_words(view.task)) if published.lines else nothing
    return {"ranking": found, "windows": Html(""), "scrubber": scrubber(view, published)}


def _badge(view: TaskView) -> Html:
    return Html("") if view.closed is None else fill("closed_badge", time=moment(view.closed))


def _figures(now: Now) -> Html:
    view = now.view
    return fill(
        "figures",
        reports=whole(view.reports),
        changed=last_change(now.changed),
        rate=rate(now.rate),
        epoch=view.epoch,
        in_epoch=view.in_epoch,
        length=max(1, view.epoch_length),
        done=f"{whole(view.in_epoch)} of {whole(view.epoch_length)} reports",
        deadline=fill("deadline", time=moment(view.published + view.task.epoch_seconds))
        if view.task.epoch_seconds and view.closed is None
        else "",
        state=size(view.state_bytes),
        bound=f"at most {size(view.task.rules.memory_limit)}"
        if view.task.rules.memory_limit
        else "however many reports come",
    )


def _ranking(now: Now, url: str) -> Html:
    view = now.view
    if not view.reports:
        return fill("closed_without_report") if view.closed is not None else _how_to_send(view, url)
    if now.answer is not None and not now.answer.covered:
        return fill("no_epoch_in_window", window=whole(now.answer.window or 0))
    if not now.lines:
        return fill("nothing_found", reports=whole(view.reports), hint=_hint(view))
    when, order = f"of {whole(view.top_reports)} reports", order_in_words(view.task)
    if now.answer is not None:
        when = f"of the last {whole(now.answer.covered)} reports"
        order = f"Counts are {when}: a window is made of whole epochs. {order}"
    caption = f"The best {len(now.lines)} {when}, estimated from randomised reports"
    return ranking(now.lines, now.past, caption, order)


def _hint(view: TaskView) -> str:
    spelled = (
        " Strings are spelled out over some ten epochs, long ones over more." if class_of(view.task).spells_out else ""
    )
    return f"This epoch takes {whole(view.epoch_length)} reports.{spelled}" if view.closed is None else ""


def _how_to_send(view: TaskView, url: str) -> Html:
    domain, epsilon = view.task.domain, f"{float(view.task.budget.epsilon):g}"
    example = str(domain.start) if isinstance(domain, RangeDomain) else '"…"'
    return fill("no_report_yet", url=url, id=view.id.hex(), epsilon=epsilon, example=example)


def _export(view: TaskView) -> Html:
    if not view.epoch:
        return Html("")
    parquet = fill("export_parquet", id=view.id.hex()) if find_spec("pyarrow") else Html("")
    return fill("export", id=view.id.hex(), parquet=parquet)


def _details(view: TaskView) -> Html:
    return fill(
        "details",
        created=moment(view.created),
        published=moment(view.published),
        version=view.bulletin.version[:12],
        bulletin=f"/v1/bulletins/{view.bulletin.version}",
        cells=_cells(view),
        document=f"/v1/tasks/{view.id.hex()}/document",
        accepted=whole(view.accepted),
        duplicate=whole(view.duplicate),
        refused=whole(view.refused),
    )


def _cells(view: TaskView) -> str:
    few = view.bulletin_cells < view.task.rules.cells
    return f"{whole(view.bulletin_cells)} of {whole(view.task.rules.cells)}" if few else whole(view.bulletin_cells)
