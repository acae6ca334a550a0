"""The ranking: one row per item, with its interval on a scale that all rows share."""

from collections.abc import Sequence
from functools import lru_cache
from hashlib import sha256
from typing import NamedTuple

from markupsafe import Markup

from hgldp.collector.dashboard.chart import Scale, axis, interval_bar, sparkline
from hgldp.collector.noise import may_be_noise
from hgldp.collector.views import RankedItem

Shares = dict[object, float]


class Row(NamedTuple):
    """One item as a template shows it; `key` tells rows apart for the script."""

    key: str
    item: object
    estimate: int
    low: int
    high: int
    change: int | None
    may_be_noise: bool
    bar: Markup
    spark: Markup
    warmup: int = 0


class Ranking(NamedTuple):
    """Rows on one scale; `order` says by what they are ranked."""

    caption: str
    order: str
    rows: list[Row]
    axis: Markup

    @property
    def has_noise(self) -> bool:
        """Whether the legend must explain grey rows."""
        return any(row.may_be_noise for row in self.rows)


def ranking(items: Sequence[RankedItem], past: Sequence[Shares], caption: str, order: str) -> Ranking:
    """The table; `past` holds the shares of earlier epochs, oldest first, and may be empty."""
    scale = Scale.over([number for item in items for number in (item.low, item.estimate, item.high)])
    return Ranking(caption, order, rows_on(scale, items, past), axis(scale))


def rows_on(scale: Scale, items: Sequence[RankedItem], past: Sequence[Shares] = ()) -> list[Row]:
    """A row for each line."""
    return [
        Row(
            key=row_key(each.item),
            item=each.item,
            estimate=round(each.estimate),
            low=round(each.low),
            high=round(each.high),
            change=each.rank_change,
            may_be_noise=may_be_noise(each.estimate, each.standard_error, each.since),
            bar=interval_bar(scale, each.estimate, each.low, each.high),
            spark=sparkline(tuple([shares.get(each.item) for shares in past])),
            warmup=each.warmup,
        )
        for each in items
    ]


@lru_cache(maxsize=4096, typed=True)
def row_key(item: object) -> str:
    """What tells rows apart for the script, in letters that no item can choose."""
    return sha256(repr(item).encode()).hexdigest()[:16]
