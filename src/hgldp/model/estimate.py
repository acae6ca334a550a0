"""What is published about one item, and an answer of several: always debiased, always with standard errors."""

from collections.abc import Iterable
from dataclasses import dataclass
from html import escape
from math import isfinite
from typing import Any

Z95 = 1.959963984540054
STARTED_COLD = "No warm-up: what came before an item was tracked is extrapolated"
NO_CLEAR_TOP = "No clear top: none of these items stands out from chance"
LAST_SHOWN = 999
ORDINARY, UNKNOWN = "it does not stand out from an ordinary item", "nothing is known about it yet"
WARM_UP_ALONE = "No reports yet: this is the warm-up alone"
MAY_BE_NOISE, LIKELY, RAW = "may be noise", "likely", "raw"
PALE = '<tr style="opacity:.6">'


@dataclass(frozen=True)
class Estimate:
    """One line of an answer.

    `count` ± `standard_error` is for the whole stream. `tracked_count` ± `tracked_error` covers the last `since`
    reports, those since the item was admitted. `warmup` is the item's count in the raw warm-up, if there was one.

    `bounds` is the 95 % interval where it is not symmetric. `ranks` are the best and the worst rank that the item is
    likely to have. An item that `may_be_noise` does not stand out from an ordinary one.

    >>> Estimate(item=3, count=100.0, standard_error=10.0).interval
    (80.40036015459947, 119.59963984540053)
    """

    item: int
    count: float
    standard_error: float
    tracked_count: float = 0.0
    tracked_error: float = 0.0
    since: int = 0
    warmup: int = 0
    bounds: tuple[float, float] | None = None
    ranks: tuple[int, int] | None = None
    may_be_noise: bool = False

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of `count`."""
        return self.bounds or (self.count - Z95 * self.standard_error, self.count + Z95 * self.standard_error)

    @property
    def tracked_interval(self) -> tuple[float, float]:
        """The 95 % interval of `tracked_count`."""
        return interval_within(self.tracked_count, self.tracked_error, self.since)


def interval_within(count: float, error: float, reports: int) -> tuple[float, float]:
    """The 95 % interval of what came in so many reports: never fewer than none, never more than all.

    >>> interval_within(10.0, 10.0, 25)
    (0.0, 25.0)
    """
    low, high = count - Z95 * error, count + Z95 * error
    return min(max(low, 0.0), float(reports)), max(min(high, float(reports)), 0.0)


def in_numbers(*values: float, error: float) -> list[str]:
    """Counts of one line. Small ones with a small error have a decimal: rounded, they would look certain.

    >>> in_numbers(1250.4, 1190.2, error=31.0), in_numbers(0.2, -0.5, error=0.3), in_numbers(4.0, 4.0, error=0.0)
    (['1,250', '1,190'], ['0.2', '-0.5'], ['4', '4'])
    """
    if not error < 1 or not max(map(abs, values)) < 10 or all(each == round(each) for each in values):
        return [f"{round(each):,}" if isfinite(each) else "unknown" for each in values]
    return [f"{round(each, 1) + 0.0:.1f}" for each in values]


def raw_items(count: int) -> str:
    """How many raw items.

    >>> raw_items(1), raw_items(4000)
    ('1 raw item', '4,000 raw items')
    """
    return f"{count:,} raw item{'s' if count != 1 else ''}"


def half_life_in_words(half_life: int) -> str:
    """What a half-life does to the counts; empty if there is none.

    >>> half_life_in_words(2000)[:72]
    'Recent reports count most: one counts half after 2,000 more (half-life).'
    """
    if not half_life:
        return ""
    weighed = f"Recent reports count most: one counts half after {half_life:,} more (half-life)."
    return f"{weighed} A count is what it would be if all reports had been like the recent ones."


def range_of_ranks(best: int | None, worst: int | None) -> str:
    """The likely ranks of an item, in a few letters; empty if nothing is known about them.

    >>> range_of_ranks(1, 3), range_of_ranks(2, 2), range_of_ranks(None, None), range_of_ranks(7, 20_000)
    ('1–3', '2', '', '7–999+')
    """
    if best is None or worst is None:
        return ""
    first, last = (str(rank) if rank <= LAST_SHOWN else f"{LAST_SHOWN}+" for rank in (best, worst))
    return first if first == last else f"{first}–{last}"


def is_clear(may_be_noise: Iterable[bool | None]) -> bool | None:
    """Whether a line of a top stands out from chance; None if that was not written down.

    >>> is_clear([True, True]), is_clear([True, False]), is_clear([True, None]), is_clear([])
    (False, True, None, False)
    """
    judged = set(may_be_noise)
    return True if False in judged else None if None in judged else False


class Answer(list[tuple[object, Estimate]]):
    """A ranked list of items with their estimates. It prints as a table, in a notebook too.

    There are columns for likely ranks, for how much of a count is raw and for what may be noise, if there is anything
    to say in them. `note` says what the counts mean if that is not plain, or why there are none.

    >>> Answer([("tea", Estimate(item=0, count=1250.4, standard_error=31.0))])
    rank  item  estimate   ±  95 % interval
       1  tea      1,250  31  1,190 … 1,311
    """

    _empty, note = "Answer (nothing found yet)", ""

    @property
    def has_clear_top(self) -> bool:
        """Whether any item stands out; if none does, the stream may well be flat."""
        return bool(is_clear(estimate.may_be_noise for _, estimate in self))

    def _table(self) -> list[tuple[str, ...]]:
        """Headings and rows, without columns that have nothing to say."""
        table: list[tuple[str, ...]] = [("rank", LIKELY, "item", "estimate", RAW, "±", "95 % interval", "")]
        for rank, (item, estimate) in enumerate(self, start=1):
            (low, high), ranks = estimate.interval, range_of_ranks(*(estimate.ranks or (None, None)))
            raw, noise = (
                f"{estimate.warmup:,}" if estimate.warmup else "",
                MAY_BE_NOISE if estimate.may_be_noise else "",
            )
            count, error, *ends = in_numbers(
                estimate.count, estimate.standard_error, low, high, error=estimate.standard_error
            )
            table.append((str(rank), ranks, str(item), count, raw, error, " … ".join(ends), noise))
        columns = [each for each in zip(*table, strict=True) if each[0] not in (LIKELY, RAW, "") or any(each[1:])]
        return list(zip(*columns, strict=True))

    def __getitem__(self, place: Any) -> Any:
        """One line, or an answer with some of the lines."""
        found = super().__getitem__(place)
        if not isinstance(place, slice):
            return found
        some = type(self)(found)
        some.note = self.note
        return some

    def __repr__(self) -> str:
        if not self:
            return self.note or self._empty
        table = self._table()
        widths = [max(len(row[column]) for row in table) for column in range(len(table[0]))]
        to_the_left = [heading in ("item", "") for heading in table[0]]
        lines = [
            "  ".join(
                f"{cell:<{width}}" if left else f"{cell:>{width}}"
                for cell, width, left in zip(row, widths, to_the_left, strict=True)
            ).rstrip()
            for row in table
        ]
        return "\n".join([*self._said(), *lines])

    def _said(self) -> list[str]:
        """What stands above the table."""
        return [*self._noted(), *([] if self.has_clear_top else [f"{NO_CLEAR_TOP}."])]

    def _noted(self) -> list[str]:
        return [self.note] if self.note else []

    def _repr_html_(self) -> str:
        """For notebooks; every cell is escaped, and what may be noise is pale."""
        if not self:
            return f"<p>{self!r}</p>"
        headings, *rows = self._table()
        head = "".join(f"<th>{heading}</th>" for heading in headings)
        body = ""
        for row, (_, estimate) in zip(rows, self, strict=True):
            cells = "".join(f"<td>{escape(cell)}</td>" for cell in row)
            body += f"{PALE if estimate.may_be_noise else '<tr>'}{cells}</tr>"
        said = "".join(f"<p>{line}</p>" for line in self._said())
        return f"{said}<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


class Asked(Answer):
    """Items in the order in which they were asked for, with their estimates: nothing ranks them.

    >>> Asked([("tea", Estimate(item=0, count=1250.4, standard_error=31.0))])
    item  estimate   ±  95 % interval
    tea      1,250  31  1,190 … 1,311
    """

    _empty = "Asked (for nothing)"

    def _table(self) -> list[tuple[str, ...]]:
        columns = [each for each in zip(*super()._table(), strict=True) if each[0] not in ("rank", LIKELY)]
        return list(zip(*columns, strict=True))

    def _said(self) -> list[str]:
        return self._noted()
