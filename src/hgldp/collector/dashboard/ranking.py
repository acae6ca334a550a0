"""The ranking: one row per item, with its interval on a scale that all rows share."""

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from hashlib import sha256
from typing import NamedTuple

from markupsafe import Markup

from hgldp.collector.dashboard.chart import Scale, axis, interval_bar, sparkline
from hgldp.collector.dashboard.format import in_full, in_line
from hgldp.collector.views import RankedItem, clear_top
from hgldp.model.estimate import range_of_ranks

Shares = dict[object, float]


class Row(NamedTuple):
    """One item as a template shows it; `key` tells rows apart for the script. `ranks` are the likely ones, if known.

    `number` is the estimate in full, and `interval` its interval. `since` are the cells that say what was counted for
    the item alone.
    """

    key: str
    item: object
    estimate: int
    number: str
    interval: str
    change: int | None
    ranks: str
    may_be_noise: bool | None
    since: Markup
    bar: Markup
    spark: Markup
    warmup: int = 0


class Ranking(NamedTuple):
    """Rows on one scale; `order` says by what they are ranked, `notice` what to know before reading them.

    `trend` says what the lines over epochs show; it is empty if no row has one.
    """

    caption: str
    order: str
    rows: list[Row]
    axis: Markup
    clear: bool | None = True
    notice: str = ""
    trend: str = ""

    @property
    def has_noise(self) -> bool:
        """Whether the legend must explain grey rows."""
        return any(row.may_be_noise for row in self.rows)

    @property
    def has_changes(self) -> bool:
        """Whether the legend must explain arrows and newcomers."""
        return any(row.change != 0 for row in self.rows)

    @property
    def has_ranks(self) -> bool:
        """Whether the legend must explain likely ranks: those that are the rank itself are not shown."""
        return any(row.ranks not in ("", str(rank)) for rank, row in enumerate(self.rows, start=1))

    @property
    def is_unjudged(self) -> bool:
        """Whether it was published before anyone wrote down what may be noise."""
        return any(row.may_be_noise is None for row in self.rows)


def without_changes(items: Sequence[RankedItem]) -> list[RankedItem]:
    """A list that is compared with none, such as the first there is, or a window: nothing in it is new."""
    return [replace(each, rank_change=0) for each in items]


def ranking(items: Sequence[RankedItem], past: Sequence[Shares], caption: str, order: str, notice: str = "") -> Ranking:
    """The table; `past` holds the shares of earlier epochs, oldest first, and may be empty."""
    scale = Scale.over([number for item in items for number in (item.low, item.estimate, item.high)])
    rows = rows_on(scale, items, past)
    trend = _trend_in_words(items, len(past)) if any(row.spark for row in rows) else ""
    return Ranking(caption, order, rows, axis(scale), clear_top(items), notice, trend)


def rows_on(scale: Scale, items: Sequence[RankedItem], past: Sequence[Shares] = ()) -> list[Row]:
    """A row for each line. What may be noise has not moved: chance moves it."""
    counted = _counted(items)
    numbers = [in_line(each.estimate, each.low, each.high, error=each.standard_error) for each in items]
    return [
        Row(
            key=row_key(each.item),
            item=each.item,
            estimate=round(each.estimate),
            number=number,
            interval=f"{low} … {high}",
            change=0 if each.may_be_noise else each.rank_change,
            ranks=range_of_ranks(each.rank_low, each.rank_high),
            may_be_noise=each.may_be_noise,
            since=_since_cells(each),
            bar=interval_bar(scale, each.estimate, each.low, each.high),
            spark=sparkline(tuple([shares.get(each.item) for shares in past]), counted),
            warmup=each.warmup,
        )
        for each, (number, low, high) in zip(items, numbers, strict=True)
    ]


def _counted(items: Sequence[RankedItem]) -> str:
    return "reports and raw items" if any(each.warmup for each in items) else "reports"


def _trend_in_words(items: Sequence[RankedItem], epochs: int) -> str:
    share = f"Trend: an item’s share of all {_counted(items)} so far, at the end of each of the last {epochs} epochs."
    return f"{share} Each line has its own scale, and a gap where the item was not in the top."


def _since_cells(item: RankedItem) -> Markup:
    """In how many reports, how often, and the interval: made of numbers alone, as a bar is."""
    if item.since_low is None or item.since_high is None:
        return Markup('<td colspan="3">not counted by itself yet</td>')
    numbers = item.tracked_count, item.since_low, item.since_high
    count, low, high = in_line(*numbers, error=item.tracked_error)
    cells = in_full(item.since), count, f"{low} … {high}"
    return Markup("".join(f"<td>{cell}</td>" for cell in cells))  # noqa: S704


@lru_cache(maxsize=4096, typed=True)
def row_key(item: object) -> str:
    """What tells rows apart for the script, in letters that no item can choose."""
    return sha256(repr(item).encode()).hexdigest()[:16]
