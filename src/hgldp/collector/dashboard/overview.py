"""All tasks at a glance: a card each."""

from collections.abc import Sequence

from hgldp.collector.dashboard.chart import Scale, interval_bar
from hgldp.collector.dashboard.figures import moment, rate, short, whole
from hgldp.collector.dashboard.live import Live
from hgldp.collector.dashboard.markup import Html, fill, joined
from hgldp.collector.dashboard.ranking import item_label, row_key, trust
from hgldp.collector.dashboard.wording import described, last_change
from hgldp.collector.views import TaskView

SHOWN_ITEMS = 3


def overview_regions(views: Sequence[TaskView], live: Live, url: str, *, all_seen: bool) -> dict[str, Html]:
    """The cards, those that still take reports first, or what to do if there is none."""
    if not views:
        return {"tasks": fill("no_task_yet", url=url) if all_seen else fill("no_public_task")}
    ordered = sorted(views, key=lambda view: (view.closed is not None, -view.created))
    cards = joined(*(_card(view, live) for view in ordered))
    return {"tasks": fill("cards", cards=cards)}


def _card(view: TaskView, live: Live) -> Html:
    lines = view.top[:SHOWN_ITEMS]
    scale = Scale.over([number for line in lines for number in (line.low, line.high)])
    rows = joined(
        *(
            fill(
                "card_row",
                key=row_key(line.item),
                **trust(line),
                item=item_label(line.item),
                bar=interval_bar(scale, line.estimate, line.low, line.high),
                estimate=short(round(line.estimate)),
            )
            for line in lines
        )
    )
    return fill(
        "card",
        key=view.id.hex(),
        path=f"/tasks/{view.id.hex()}",
        name=view.terms.name,
        about=described(view),
        rows=fill("card_rows", rows=rows) if view.reports and lines else fill("card_empty"),
        reports=whole(view.reports),
        rate=rate(live.rate(view.id)),
        changed=last_change(live.changed(view)),
        badge=fill("closed_badge", time=moment(view.closed)) if view.closed is not None else "",
    )
