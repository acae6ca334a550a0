"""`make strings`: PFR beside PEM, TreeHist and OLH over a list: F1 of the top k on real and made-up strings."""

import argparse
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from rich.console import Console

from benchmarks.field.machine import machine
from benchmarks.page import PagePart
from benchmarks.processes import MOST_PROCESSES, spread
from benchmarks.strings.contest.contestants import METHODS, Piece, run_piece
from benchmarks.strings.contest.picture import draw
from benchmarks.strings.contest.populations import FILES, Population, read, usual
from benchmarks.strings.contest.rows import Key, Row, gather, to_json
from benchmarks.strings.contest.tables import as_markdown, as_table
from hgldp.errors import HgldpError
from hgldp.experiments.plotting.look import as_svg
from hgldp.model.weights import as_epsilon

K, EPSILONS, WIDTH = 20, (1.0, 2.0, 4.0), 140
PART = PagePart("strings")


def populations(chosen: argparse.Namespace) -> list[Population]:
    """The usual ones, or the one file that was named."""
    if chosen.file is not None:
        one = Population(chosen.file.name, str(chosen.file), has_counts=chosen.counts)
        found = [one]
    else:
        found = usual(chosen.data)
        missing = [name for name in FILES if chosen.data is None or not (chosen.data / name).is_file()]
        if missing:
            print(f"{', '.join(missing)}: not found, left out; give their folder with --data")
    terms = {name: getattr(chosen, name) for name in ("n", "cut", "longest") if getattr(chosen, name) is not None}
    return [replace(one, **terms) for one in found]


def options() -> argparse.ArgumentParser:
    """What can be asked for."""
    parser = argparse.ArgumentParser(description=__doc__, prog="python -m benchmarks.strings contest")
    parser.add_argument("--data", type=Path, metavar="DIR", help=f"a folder with {', '.join(FILES)}")
    parser.add_argument(
        "--file", type=Path, help="instead of the usual streams: one string in each line, may be gzipped"
    )
    parser.add_argument("--counts", action="store_true", help="the lines of --file are string,count, after a heading")
    parser.add_argument("--n", type=int, help="draw so many strings; a file is taken as it is without this")
    parser.add_argument("--cut", type=int, metavar="BYTES", help="only the beginning of each string counts")
    parser.add_argument("--longest", type=int, metavar="BYTES", help="what PEM pads to: 64, or 16 for names and words")
    parser.add_argument("--k", type=int, default=K)
    parser.add_argument("--epsilon", action="append", type=float, help=f"instead of {EPSILONS}; may be repeated")
    parser.add_argument("--only", action="append", choices=METHODS, metavar="METHOD", help=" | ".join(METHODS))
    parser.add_argument("--repeats", type=int, default=5, help="seeds (5)")
    parser.add_argument("--processes", type=int, default=1, choices=range(1, MOST_PROCESSES + 1))
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the numbers of every seed and setting")
    parser.add_argument("--picture", type=Path, metavar="FILE", help="write a plot as SVG")
    parser.add_argument("--paste", type=Path, metavar="FILE", help="write the table into this page, between its marks")
    parser.add_argument("--markdown", action="store_true", help="print the table as a page has it")
    return parser


def measure(chosen: argparse.Namespace) -> list[Row]:
    """All streams, in the order of the table."""
    epsilons = tuple(float(as_epsilon(epsilon)) for epsilon in chosen.epsilon or EPSILONS)
    methods, there = tuple(chosen.only or METHODS), populations(chosen)
    for population in there:
        read(population)  # what is wrong with a file is told before anything is measured
    work = [
        Piece(population, epsilon, chosen.k, seed, methods)
        for population in there
        for epsilon in epsilons
        for seed in range(1, chosen.repeats + 1)
    ]
    rows, order = dict[Key, Row](), {(one.population.title, one.epsilon): place for place, one in enumerate(work)}
    for _, runs in spread(run_piece, work, chosen.processes, "strings"):
        gather(runs, rows)
    return sorted(rows.values(), key=lambda row: order[row.data, row.epsilon])


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure, show, write."""
    parser = options()
    chosen = parser.parse_args(arguments)
    if min(chosen.k, chosen.repeats) < 1:
        parser.error("--k and --repeats must be at least 1")
    if chosen.counts and chosen.file is None:
        parser.error("--counts is about --file")
    for path in (chosen.json, chosen.picture):
        if path is not None and not path.parent.is_dir():
            parser.error(f"there is no folder {path.parent}")
    try:
        if chosen.paste:
            PART.around(chosen.paste)
        rows = measure(chosen)
    except HgldpError as wrong:
        parser.error(str(wrong))
    if chosen.paste:
        PART.paste(chosen.paste, as_markdown(rows, chosen.k))
    if chosen.markdown:
        print(as_markdown(rows, chosen.k))
    else:
        Console(width=WIDTH).print(as_table(rows, chosen.k))
    if chosen.json:
        chosen.json.write_text(to_json(rows, {"machine": machine(), "k": chosen.k}), encoding="utf-8")
    if chosen.picture:
        chosen.picture.write_text(as_svg(draw(rows, chosen.k)), encoding="utf-8")


if __name__ == "__main__":
    main()
