"""What is published about one item, and an answer of several: always debiased, always with standard errors."""

from dataclasses import dataclass
from html import escape
from typing import Any

Z95 = 1.959963984540054
STARTED_COLD = "Started cold: what came before an item was admitted is extrapolated"
HEADINGS = ("rank", "item", "estimate", "±", "95 % interval")


@dataclass(frozen=True)
class Estimate:
    """One line of an answer.

    `count` ± `standard_error` is for the whole stream. `tracked_count` ± `tracked_error` is exactly unbiased; it covers
    the last `since` reports, those since the item was admitted. `warmup` is the item's count in the raw warm-up, if
    there was one.

    `bounds` is the 95 % interval where it is not symmetric. `ranks` are the best and the worst rank that the item is
    likely to have. An item that `may_be_noise` does not stand out from an item that nobody chose.

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
        return self.tracked_count - Z95 * self.tracked_error, self.tracked_count + Z95 * self.tracked_error


class Answer(list[tuple[object, Estimate]]):
    """A ranked list of items with their estimates. It prints as a table, in a notebook too.

    >>> Answer([("tea", Estimate(item=0, count=1250.4, standard_error=31.0))])
    rank  item  estimate   ±  95 % interval
       1  tea      1,250  31  1,190 … 1,311
    """

    @property
    def has_clear_top(self) -> bool:
        """Whether any item stands out; if none does, the stream may well be flat."""
        return any(not estimate.may_be_noise for _, estimate in self)

    def _rows(self) -> list[tuple[str, ...]]:
        rows: list[tuple[str, ...]] = []
        for rank, (item, estimate) in enumerate(self, start=1):
            low, high = estimate.interval
            numbers = f"{estimate.count:,.0f}", f"{estimate.standard_error:,.0f}", f"{low:,.0f} … {high:,.0f}"
            rows.append((str(rank), str(item), *numbers))
        return rows

    def __getitem__(self, place: Any) -> Any:
        """One line, or an answer with some of the lines."""
        found = super().__getitem__(place)
        return Answer(found) if isinstance(place, slice) else found

    def __repr__(self) -> str:
        table = [HEADINGS, *self._rows()]
        widths = [max(len(row[column]) for row in table) for column in range(len(HEADINGS))]
        aligned = (
            [f"{cell:<{width}}" if HEADINGS[column] == "item" else f"{cell:>{width}}" for column, (cell, width) in row]
            for row in (enumerate(zip(each, widths, strict=True)) for each in table)
        )
        return "\n".join("  ".join(row).rstrip() for row in aligned) if self else "Answer (nothing found yet)"

    def _repr_html_(self) -> str:
        """For notebooks; every cell is escaped."""
        if not self:
            return f"<p>{self!r}</p>"
        head = "".join(f"<th>{heading}</th>" for heading in HEADINGS)
        rows = ("".join(f"<td>{escape(cell)}</td>" for cell in row) for row in self._rows())
        body = "".join(f"<tr>{row}</tr>" for row in rows)
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
