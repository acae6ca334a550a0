"""The coverage of the intervals as a table, for a terminal and for a page."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from rich.table import Table

from benchmarks.distribution.runs import Piece, Told

HEADINGS = (
    "stream",
    "ε",
    "share of an item",
    "items",
    "items told",
    "interval",
    "holds",
    "they hold",
    "share told",
    "interval holds",
)
LEFT = ("stream", "share of an item")


@dataclass
class Row:
    """A decade of one stream at one ε, over all seeds that tell it."""

    stream: str
    epsilon: float
    name: str
    told: list[Told] = field(default_factory=list)

    @property
    def cells(self) -> tuple[str, ...]:
        """Means over the seeds, and how often the intervals hold."""
        true, found, low, high, true_share, share, held, share_held = np.mean(
            [(e.true_items, e.items, *e.interval, e.true_share, e.share, e.held, e.share_held) for e in self.told],
            axis=0,
        )
        counts = f"{true:,.1f}", f"{found:,.1f}", f"{low:,.1f} … {high:,.1f}", f"{held:.0%}".replace("%", " %")
        shares = f"{100 * true_share:.1f} %", f"{100 * share:.1f} %", f"{share_held:.0%}".replace("%", " %")
        return self.stream, f"{self.epsilon:g}", self.name, *counts, *shares


def gather(piece: Piece, found: Sequence[Told], rows: dict[tuple[str, float, str], Row]) -> None:
    """Add one run to its rows."""
    for told in found:
        place = piece.population.title, piece.epsilon, told.name
        rows.setdefault(place, Row(*place)).told.append(told)


def in_all(rows: Sequence[Row]) -> tuple[float, float, int]:
    """How often intervals of numbers and of shares hold, over all rows, and how many there are of each."""
    every = [told for row in rows for told in row.told]
    return float(np.mean([e.held for e in every])), float(np.mean([e.share_held for e in every])), len(every)


def as_table(rows: Sequence[Row], title: str) -> Table:
    """For a terminal."""
    table = Table(title=title)
    for heading in HEADINGS:
        table.add_column(heading, justify="left" if heading in LEFT else "right")
    for row in rows:
        table.add_row(*row.cells)
    return table


def as_markdown(rows: Sequence[Row]) -> str:
    """For a page."""
    line = "|".join("---" if heading in LEFT else "---:" for heading in HEADINGS)
    return "\n".join([f"| {' | '.join(HEADINGS)} |", f"|{line}|", *(f"| {' | '.join(row.cells)} |" for row in rows)])
