"""The list of the best: a row an item, with its interval on a scale that all rows share."""

from collections.abc import Sequence
from hashlib import sha256

from hgldp.collector.dashboard.chart import Scale, axis, interval_bar, sparkline
from hgldp.collector.dashboard.figures import short, whole
from hgldp.collector.dashboard.markup import Html, fill, joined
from hgldp.collector.dashboard.past import Shares
from hgldp.collector.noise import WHY_NOISE, may_be_noise
from hgldp.collector.views import RankedItem as Line


def ranking(lines: Sequence[Line], past: Sequence[Shares], caption: str, order: str) -> Html:
    """The table; `past` are the shares of earlier epochs, oldest first, and may be empty; `order` says what it is."""
    scale = Scale.over([number for line in lines for number in (line.low, line.estimate, line.high)])
    rows = joined(*(_row(rank, line, scale, past) for rank, line in enumerate(lines, 1)))
    note = fill("noise_note", why=WHY_NOISE) if any(_is_faint(line) for line in lines) else Html("")
    return fill("ranking", caption=caption, axis=axis(scale), rows=rows, order=order, note=note)


def trust(line: Line) -> dict[str, object]:
    """How a row shows, and says, that it may be noise."""
    noise = _is_faint(line)
    return {"kind": "noise" if noise else "sure", "noise": fill("noise") if noise else ""}


def item_label(item: object) -> Html:
    """An item as it is, in a direction of its own, whole to whoever points at it; the empty string by name."""
    return fill("item", item=item) if item != "" else fill("empty_item")


def change_label(change: int | None) -> Html:
    """How many places an item went up or down since the last epoch."""
    if change is None:
        return fill("change", kind="new", sign="new", said="new in the list")
    if not change:
        return Html("")
    places = f"{abs(change)} place{'s' if abs(change) > 1 else ''}"
    kind, sign = ("up", "▲") if change > 0 else ("down", "▼")
    return fill("change", kind=kind, sign=f"{sign}{abs(change)}", said=f"{kind} {places}")


def row_key(item: object) -> str:
    """What tells rows apart for the script, in letters that no item can choose."""
    return sha256(repr(item).encode()).hexdigest()[:16]


def _is_faint(line: Line) -> bool:
    return may_be_noise(line.estimate, line.standard_error, line.since)


def _row(rank: int, line: Line, scale: Scale, past: Sequence[Shares]) -> Html:
    return fill(
        "ranking_row",
        key=row_key(line.item),
        **trust(line),
        rank=rank,
        change=change_label(line.rank_change),
        item=item_label(line.item),
        bar=interval_bar(scale, line.estimate, line.low, line.high),
        estimate=whole(line.estimate),
        low=short(round(line.low)),
        high=short(round(line.high)),
        exact=f"{whole(line.low)} to {whole(line.high)}",
        spark=sparkline(tuple(shares.get(line.item) for shares in past)),
    )
