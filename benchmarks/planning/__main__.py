"""`make plan-check`: 30 launches, planned and then simulated with other seeds; fails if fewer than 27 plans hold."""

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from rich.console import Console
from rich.table import Table

from benchmarks.page import PagePart
from benchmarks.planning.launches import NEEDED, TOLERANCE, Piece, Row, run_piece
from benchmarks.planning.picture import draw
from benchmarks.planning.settings import settings
from benchmarks.processes import MOST_PROCESSES, spread
from hgldp.experiments.plotting.look import as_svg

INTERVAL = "95 % interval"
HEADINGS = ("", "stream", "skew", "k", "ε", "reports", "planned", INTERVAL, "measured", INTERVAL, "difference")
WIDTH = 120
PART = PagePart("plans")


def cells(row: Row) -> list[str]:
    """One line of the table."""
    one = row.setting
    what = f"{one.size:,} items" if not one.is_open else f"{one.size:,} {'URLs' if one.look == 'urls' else 'words'}"
    places = [text for share in (row.planned, row.measured) for text in (f"{share.mean:.3f}", told(share.interval))]
    terms = [f"{one.number}", what, f"{one.skew:g}", f"{one.k}", f"{one.epsilon:g}", f"{one.reports:,}"]
    return [*terms, *places, f"{row.miss:+.3f}{'' if row.held else ' !'}"]


def told(interval: tuple[float, float]) -> str:
    """Both ends of an interval."""
    return f"{interval[0]:.3f} … {interval[1]:.3f}"


def count(rows: Sequence[Row]) -> str:
    """How many plans hold, and how many of them are no matter of course."""
    held, open_ones = sum(row.held for row in rows), [row for row in rows if 0.1 < row.measured.mean < 0.9]
    return (
        f"{held} of {len(rows)} plans are within {TOLERANCE:g} of what was measured; of the {len(open_ones)} that "
        f"measured between .1 and .9, {sum(row.held for row in open_ones)}"
    )


def as_table(rows: Sequence[Row]) -> Table:
    """For the terminal."""
    table = Table(title="precision (items) or F1 (strings) of the top k: mean and its 95 % interval")
    for heading in HEADINGS:
        table.add_column(heading, justify="left" if heading == "stream" else "right")
    for row in rows:
        table.add_row(*cells(row))
    return table


def as_markdown(rows: Sequence[Row]) -> str:
    """For a page."""
    lines = [HEADINGS, ("---:", "---", *["---:"] * (len(HEADINGS) - 2)), *map(cells, rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines) + f"\n\n{count(rows)}."


def main() -> None:
    """Plan, measure, show, write; exit 1 if too few plans hold."""
    parser = argparse.ArgumentParser(description=__doc__, prog="python -m benchmarks.planning")
    parser.add_argument("--launches", type=int, default=8, help="launches of a plan, and of what is measured (8)")
    parser.add_argument("--only", type=int, action="append", metavar="NUMBER", help="only this setting; repeatable")
    parser.add_argument("--by-number", action="store_true", help="tell the plan how many URLs there are, and no more")
    parser.add_argument("--processes", type=int, default=1, choices=range(1, MOST_PROCESSES + 1))
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the numbers")
    parser.add_argument("--picture", type=Path, metavar="FILE", help="write a plot as SVG")
    parser.add_argument("--paste", type=Path, metavar="FILE", help="write the table into this page, between its marks")
    chosen = parser.parse_args()
    if chosen.paste:
        PART.around(chosen.paste)
    work = [
        Piece(each, chosen.launches, chosen.by_number)
        for each in settings()
        if not chosen.only or each.number in chosen.only
    ]
    rows = sorted((row for _, row in spread(run_piece, work, chosen.processes, "plans")), key=_number)
    Console(width=WIDTH).print(as_table(rows))
    print(count(rows))
    if chosen.json:
        chosen.json.write_text(json.dumps([asdict(row) for row in rows], indent=1), encoding="utf-8")
    if chosen.picture:
        chosen.picture.write_text(as_svg(draw(rows)), encoding="utf-8")
    if chosen.paste:
        PART.paste(chosen.paste, as_markdown(rows))
    sys.exit(sum(row.held for row in rows) < NEEDED and not chosen.only)


def _number(row: Row) -> int:
    return row.setting.number


if __name__ == "__main__":
    main()
