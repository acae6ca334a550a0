"""`make bench`: the field side by side. Table in the terminal; JSON, pictures and Markdown in the folder --out."""

import argparse
import json
import sys
from pathlib import Path

from rich import box
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from benchmarks import throughput
from benchmarks.field.document import markdown
from benchmarks.field.entrants.registry import ENTRANTS
from benchmarks.field.field import Field, run_field
from benchmarks.field.machine import machine
from benchmarks.field.plot import draw
from benchmarks.field.tables import LEGEND, Cells, bar_cells, cells, headings, ordered, sample_cells, title
from benchmarks.page import PagePart
from hgldp.cli.terminal import legend

WIDTH = 170
PART = PagePart("measured")


def as_table(names: Cells, lines: list[Cells], heading: str) -> Table:
    """One table, as wide as it needs."""
    table = Table(title=heading, title_justify="left", box=box.SIMPLE_HEAD, pad_edge=False, collapse_padding=True)
    for place, name in enumerate(names):
        table.add_column(name, justify="left" if place < 2 or place == len(names) - 1 else "right")
    for line in lines:
        table.add_row(*line)
    return table


def show(found: Field, console: Console) -> None:
    """Every contest, then the bars."""
    for contest in found.contests:
        lines = [cells(row, contest) for row in ordered(found.rows_of(contest))]
        if contest.name in found.samples:
            lines.insert(0, sample_cells(found.samples[contest.name], contest))
        console.print(as_table(headings(contest), lines, title(contest)))
    console.print(as_table(("PFR", "measured", "limit", ""), [bar_cells(bar) for bar in found.bars], "Limits"))
    console.print(legend(LEGEND))


def measure(arguments: argparse.Namespace) -> Field:
    """The run, with a bar on standard error."""
    arguments.out.mkdir(parents=True, exist_ok=True)
    pythons = {"ours": Path(sys.executable), "peers": (arguments.peers / "bin" / "python").absolute()}
    chosen = [one for one in ENTRANTS if not arguments.only or one.library in arguments.only]
    columns = (TextColumn("{task.description:<44}"), BarColumn(), TextColumn("{task.completed}/{task.total}"))
    with Progress(*columns, TimeElapsedColumn(), console=Console(stderr=True), transient=True) as progress:
        bar = progress.add_task("drawing the streams", total=None)

        def tell(what: str, done: int, total: int) -> None:
            progress.update(bar, description=what[:44], completed=done, total=total)

        return run_field(arguments.out, pythons, arguments.peers, tell, chosen)


def main() -> None:
    """Measure, show, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--peers", type=Path, default=Path(".venv-peers"), help="the environment of the others")
    parser.add_argument("--out", type=Path, default=Path("build/bench"))
    parser.add_argument("--only", action="append", metavar="LIBRARY", help="only this one; may be repeated")
    parser.add_argument("--rounds", type=int, default=3, help="rounds of our own table of ratios")
    parser.add_argument("--paste", type=Path, metavar="FILE", help="write the tables into this document too")
    arguments = parser.parse_args()
    found, about = measure(arguments), machine()
    ratios = throughput.measure(arguments.rounds)
    show(found, Console(width=WIDTH, highlight=False))
    throughput.show(ratios)
    for contest in found.contests:
        draw(contest, found.rows_of(contest), arguments.out / f"field-{contest.name}.svg")
    whole = {"machine": about} | found.to_dict() | {"ratios": ratios}
    text = json.dumps(whole, indent=2, ensure_ascii=False, allow_nan=False)
    (arguments.out / "field.json").write_text(text + "\n", encoding="utf-8")
    measured = markdown(found, about)
    (arguments.out / "field.md").write_text(measured + "\n", encoding="utf-8")
    if arguments.paste:
        PART.paste(arguments.paste, measured)
    print(f"written: field.json, field.md and field-*.svg in {arguments.out}")


if __name__ == "__main__":
    main()
