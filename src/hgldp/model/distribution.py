"""How the items of a stream are spread: how many have a share in each decade, and what each decade holds together."""

from dataclasses import dataclass
from html import escape
from typing import ClassVar

Ends = tuple[float, float]
LEVEL = 0.95


@dataclass(frozen=True)
class Decade:
    """The items whose share is at least `low` and below ten times that; the first decade holds a share of 1 too.

    `items` is how many there are, and `share` what they hold of all that counts.

    >>> Decade(low=0.01, items=12.4, interval=(11, 14), share=0.35, share_interval=(0.33, 0.37)).name
    '1 % – 10 %'
    """

    low: float
    items: float
    interval: tuple[int, int]
    share: float
    share_interval: Ends

    @property
    def high(self) -> float:
        """The share at which the decade ends."""
        return 10 * self.low

    @property
    def name(self) -> str:
        """From which share to which."""
        return f"{percent(self.low)} – {percent(self.high)}" if self.high < 1 else f"{percent(self.low)} and more"


@dataclass(frozen=True)
class Distribution:
    """The decades that can be told, from the top; and what all smaller items hold together.

    An interval holds the truth in 95 of 100 cases, each by itself. `reports` is how many reports count, `weighed` says
    how, if they do not all count alike, and `size` how many items are possible.

    >>> told = Decade(0.1, items=1.0, interval=(1, 1), share=0.3, share_interval=(0.28, 0.32))
    >>> Distribution((told,), reports=1000, size=50, rest=0.7, rest_interval=(0.68, 0.72))
    share of an item  items  95 % interval     hold together
    10 % and more         1              1  30 % (28 … 32 %)
    below 10 %           49             49  70 % (68 … 72 %)
    These reports do not tell how the items below 10 % divide into decades.
    """

    decades: tuple[Decade, ...]
    reports: int
    size: int
    rest: float = 1.0
    rest_interval: Ends = (0.0, 1.0)
    note: str = ""

    HEADINGS: ClassVar = ("share of an item", "items", "95 % interval", "hold together")

    @property
    def below(self) -> float:
        """The share from which on items can be told; 1 if none can."""
        return self.decades[-1].low if self.decades else 1.0

    @property
    def rest_items(self) -> tuple[float, tuple[int, int]]:
        """How many items have less than that."""
        most, least = (sum(each.interval[end] for each in self.decades) for end in (1, 0))
        found = sum(each.items for each in self.decades)
        return max(0.0, self.size - found), (max(0, self.size - most), max(0, self.size - least))

    @property
    def rows(self) -> tuple[tuple[str, str, str, str], ...]:
        """What stands in a table, below the headings."""
        found = [
            (each.name, *how_many(each.items, each.interval), held(each.share, each.share_interval))
            for each in self.decades
        ]
        if found:
            rest = *how_many(*self.rest_items), held(self.rest, self.rest_interval)
            found.append((f"below {percent(self.below)}", *rest))
        return tuple(found)

    @property
    def limit(self) -> str:
        """What cannot be told."""
        if not self.decades:
            return "These reports do not tell how many items are in each decade."
        return f"These reports do not tell how the items below {percent(self.below)} divide into decades."

    def __repr__(self) -> str:
        table = [self.HEADINGS, *self.rows] if self.decades else []
        widths = [max(len(row[column]) for row in table) for column in range(4)] if table else []
        cells = [(f"{row[0]:<{widths[0]}}", *map(str.rjust, row[1:], widths[1:])) for row in table]
        lines = ["  ".join(each) for each in cells]
        return "\n".join([*([self.note] if self.note else []), *(line.rstrip() for line in lines), self.limit])

    def _repr_html_(self) -> str:
        """For notebooks."""
        said = f"<p>{escape(self.note)}</p>" if self.note else ""
        if not self.decades:
            return f"{said}<p>{escape(self.limit)}</p>"
        head = "".join(f"<th>{each}</th>" for each in self.HEADINGS)
        body = "".join(f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>" for row in self.rows)
        return f"{said}<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table><p>{escape(self.limit)}</p>"


def unknown(size: int, reports: int = 0) -> Distribution:
    """Before enough is counted.

    >>> unknown(50)
    These reports do not tell how many items are in each decade.
    """
    return Distribution((), reports, size)


def percent(share: float) -> str:
    """A power of ten in percent.

    >>> percent(0.1), percent(0.001), percent(1e-6)
    ('10 %', '0.1 %', '0.0001 %')
    """
    return f"{100 * share:.10f}".rstrip("0").rstrip(".") + " %"


def how_many(items: float, interval: tuple[int, int]) -> tuple[str, str]:
    """A number of items and its interval, in words of a table.

    >>> how_many(1250.4, (1190, 1311)), how_many(2.0, (2, 2))
    (('1,250', '1,190 … 1,311'), ('2', '2'))
    """
    low, high = interval
    return f"{round(items):,}", f"{low:,} … {high:,}" if low < high else f"{low:,}"


def held(share: float, interval: Ends) -> str:
    """A share and its interval.

    >>> held(0.304, (0.28, 0.32)), held(0.0, (0.0, 0.0)), held(0.004, (0.002, 0.006))
    ('30 % (28 … 32 %)', '0 %', '0.4 % (0.2 … 0.6 %)')
    """
    digits = 0 if interval[1] >= 0.1 else 1
    middle, low, high = (f"{100 * each:.{digits}f}" for each in (share, *interval))
    middle = middle if float(middle) else "0"
    return f"{middle} % ({low} … {high} %)" if low != high else f"{middle} %"
