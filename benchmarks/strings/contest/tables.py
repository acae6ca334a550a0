"""The table of a contest, for a terminal and for a page."""

from collections.abc import Sequence

from rich.table import Table

from benchmarks.people.tables import in_markdown
from benchmarks.strings.contest.contestants import METHODS
from benchmarks.strings.contest.rows import Row, best

Cells = list[str]


def cells(rows: Sequence[Row]) -> tuple[Cells, list[Cells]]:
    """Headings, one line for each stream and ε, and one line with the bytes of state."""
    found, there = best(rows), {row.method for row in rows}
    methods = [method for method in METHODS if method in there]
    lines = []
    for data, epsilon in dict.fromkeys((row.data, row.epsilon) for row in rows):
        shown = [found[data, epsilon, method].shown() for method in methods]
        lines.append([data, f"{epsilon:g}", *shown])
    states = [[row.state_bytes for row in found.values() if row.method == method] for method in methods]
    lines.append(["bytes of state", "", *(between(min(some), max(some)) for some in states)])
    return ["stream", "ε", *methods], lines


def between(least: int, most: int) -> str:
    """Both ends, in words for people.

    >>> between(8_972, 9_889), between(262_144, 262_144), between(203_780, 5_242_880)
    ('9–10 kB', '262 kB', '204 kB–5.2 MB')
    """
    low, high = in_bytes(least), in_bytes(most)
    if low == high:
        return low
    return f"{low.removesuffix(high[-3:])}–{high}"


def in_bytes(number: int) -> str:
    """Rounded to kB below a million."""
    return f"{number / 1e3:.0f} kB" if number < 1e6 - 500 else f"{number / 1e6:.1f} MB"


def title(rows: Sequence[Row], k: int) -> str:
    """What the numbers are."""
    seeds = max(len(row.runs) for row in rows)
    return f"F1 of the top {k}, {seeds} seed{'s' * (seeds != 1)}: mean ± standard error"


def as_table(rows: Sequence[Row], k: int) -> Table:
    """For the terminal."""
    (headings, lines), table = cells(rows), Table(title=title(rows, k))
    for heading in headings:
        table.add_column(heading, justify="left" if heading == "stream" else "right")
    for place, line in enumerate(lines):
        table.add_row(*line, end_section=place + 1 < len(lines) and lines[place + 1][0] != line[0])
    return table


def as_markdown(rows: Sequence[Row], k: int) -> str:
    """For a page."""
    return in_markdown(f"{title(rows, k)}.", *cells(rows))
