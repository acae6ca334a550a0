"""The tables of this benchmark, for a terminal and for a page."""

from collections.abc import Callable

from rich.table import Table

from benchmarks.people.contest import DIVIDED, DIVISIONS
from benchmarks.people.rows import Key, Row

COLUMNS: dict[str, Callable[[Row], str]] = {
    "level": lambda row: row.level,
    "weighs": lambda row: row.weighs,
    "precision": lambda row: row.share("precision"),
    "NDCG": lambda row: row.share("ndcg"),
    "by people": lambda row: row.share("precision_people"),
    "by events": lambda row: row.share("precision_events"),
    "reports": lambda row: f"{row.mean('reports'):,.0f}",
    "ε a report": lambda row: f"{row.mean('per_report'):.3g}",
    "ε spent, mean": lambda row: f"{row.mean('spent_mean'):.2f}",
    "most": lambda row: f"{row.mean('spent_most'):.2f}",
}
LEFT = ("level", "weighs", "stream", "keys")


def crowd_table(rows: list[Row]) -> tuple[str, list[str], list[list[str]]]:
    """One kind of crowd at ε = 4: every level."""
    apart = f", the busiest {100 * rows[0].apart:.0f} % with a taste of their own" if rows[0].apart else ""
    title = f"{rows[0].people:,} people{apart}, {len(rows[0].runs)} seeds: mean ± standard error"
    return title, list(COLUMNS), [[cell(row) for cell in COLUMNS.values()] for row in rows]


def division_table(rows: dict[Key, Row], people: int, epsilons: list[float]) -> tuple[str, list[str], list[list[str]]]:
    """Population beside budget division, by ε: precision by what the level weighs."""
    lines = []
    for level in DIVIDED:
        for division in DIVISIONS:
            found = [rows.get((people, 0.0, epsilon, f"{level}, {division}")) for epsilon in epsilons]
            lines.append([f"{level}, {division}", *("–" if row is None else row.share("precision") for row in found)])
    title = f"Precision by division, {people:,} people: mean ± standard error"
    return title, ["level", *(f"ε = {epsilon:g}" for epsilon in epsilons)], lines


def shown(title: str, headings: list[str], lines: list[list[str]]) -> Table:
    """For the terminal."""
    table = Table(title=title)
    for heading in headings:
        table.add_column(heading, justify="left" if heading in LEFT else "right")
    for line in lines:
        table.add_row(*line)
    return table


def in_markdown(title: str, headings: list[str], lines: list[list[str]]) -> str:
    """For a page.

    >>> print(in_markdown("A title", ["level", "reports"], [["event", "5"]]))
    A title
    <BLANKLINE>
    | level | reports |
    |---|---:|
    | event | 5 |
    """
    rule = "|".join("---" if heading in LEFT else "---:" for heading in headings)
    rows = [f"| {' | '.join(line)} |" for line in [headings, *lines]]
    return "\n".join([title, "", rows[0], f"|{rule}|", *rows[1:]])
