"""ε = 4 per person and month at every level: pfr in 16 kB, top 20 of 1,000 items, people with favourites (Zipf 1.1)."""

import argparse
import sys
from collections.abc import Callable
from pathlib import Path

from rich.console import Console
from rich.table import Table

from benchmarks.field.machine import machine
from benchmarks.people.contest import DIVIDED, DIVISIONS, EPSILON, OTHER_EPSILONS, pieces, run_piece
from benchmarks.people.rows import Key, Row, gather, missed, to_json
from benchmarks.processes import MOST_PROCESSES, spread

PEOPLE, MANY, APART = 100_000, 1_000_000, 0.25
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
LEFT = ("level", "weighs", "keys")


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


def main() -> None:
    """Print the tables and what is missed; exit 1 if anything is."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--people", type=int, default=PEOPLE, help=f"size of the crowd ({PEOPLE})")
    parser.add_argument("--many", type=int, default=MANY, help=f"size of the crowd beside it, or 0 ({MANY})")
    parser.add_argument("--repeats", type=int, default=10, help="seeds of the crowd (10)")
    parser.add_argument("--many-repeats", type=int, default=3, help="seeds of the crowd beside it (3)")
    parser.add_argument("--processes", type=int, default=1, choices=range(1, MOST_PROCESSES + 1))
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the numbers of every seed")
    parser.add_argument("--markdown", action="store_true", help="print the tables as docs/people.md has them")
    chosen = parser.parse_args()
    epsilons = (EPSILON, *OTHER_EPSILONS)
    work = [*pieces(chosen.people, chosen.repeats, epsilons), *pieces(chosen.people, chosen.repeats, (EPSILON,), APART)]
    if chosen.many:
        work += pieces(chosen.many, chosen.many_repeats, (EPSILON,))
    rows = dict[Key, Row]()
    for _, runs in spread(run_piece, work, chosen.processes, "people"):
        gather(runs, rows)
    crowds = dict.fromkeys((row.people, row.apart) for row in rows.values())
    tables = [
        crowd_table([row for row in rows.values() if (row.people, row.apart, row.epsilon) == (*crowd, EPSILON)])
        for crowd in crowds
    ]
    tables.append(division_table(rows, chosen.people, sorted(epsilons)))
    for table in tables:
        if chosen.markdown:
            print(in_markdown(*table), end="\n\n")
        else:
            Console(width=170).print(shown(*table))
    if chosen.json:
        chosen.json.write_text(to_json(rows.values(), {"machine": machine()}), encoding="utf-8")
    misses = missed(rows)
    print("\n".join(misses) or "every bar is reached", file=sys.stderr if chosen.markdown else sys.stdout)
    sys.exit(bool(misses))


if __name__ == "__main__":
    main()
