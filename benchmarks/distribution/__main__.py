"""`make distribution`: how many items are in each decade, beside the truth, and how often the intervals hold."""

import argparse
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console

from benchmarks.distribution.picture import draw
from benchmarks.distribution.runs import Piece, run_piece
from benchmarks.distribution.streams import CHANGING, populations
from benchmarks.distribution.tables import Row, as_markdown, as_table, gather, in_all
from benchmarks.page import PagePart
from benchmarks.processes import MOST_PROCESSES, spread
from hgldp.experiments.plotting.look import as_svg

N, EPSILONS, SHOWN, WIDTH = 300_000, (1.0, 2.0, 4.0), 4.0, 140
PART = PagePart("distribution")


def options() -> argparse.ArgumentParser:
    """What can be asked for."""
    parser = argparse.ArgumentParser(description=__doc__, prog="python -m benchmarks.distribution")
    parser.add_argument("--data", type=Path, metavar="DIR", help="a folder with names-2023 and words-en")
    parser.add_argument("--n", type=int, default=N, help=f"reports of each stream ({N:,})")
    parser.add_argument("--epsilon", action="append", type=float, help=f"instead of {EPSILONS}; may be repeated")
    parser.add_argument("--repeats", type=int, default=20, help="seeds (20)")
    parser.add_argument("--processes", type=int, default=1, choices=range(1, MOST_PROCESSES + 1))
    parser.add_argument("--picture", type=Path, metavar="FILE", help="write a plot of the first seed as SVG")
    parser.add_argument("--paste", type=Path, metavar="FILE", help="write the table into this page, between its marks")
    return parser


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure, show, write."""
    chosen = options().parse_args(arguments)
    if chosen.paste:
        PART.around(chosen.paste)
    epsilons, seeds = tuple(chosen.epsilon or EPSILONS), range(1, chosen.repeats + 1)
    work = [
        Piece(population, epsilon, chosen.n, seed)
        for population in populations(chosen.data)
        for epsilon in epsilons
        for seed in seeds
    ]
    order = {(piece.population.title, piece.epsilon): place for place, piece in enumerate(work)}
    rows, shown = dict[tuple[str, float, str], Row](), {}
    for piece, found in spread(run_piece, work, chosen.processes, "distribution"):
        gather(piece, found, rows)
        if (piece.seed, piece.epsilon) == (1, SHOWN if SHOWN in epsilons else epsilons[-1]):
            shown[piece.population.title] = found
    told = sorted(rows.values(), key=lambda row: order[row.stream, row.epsilon])
    title = f"pfr, {chosen.n:,} reports, {chosen.repeats} seeds: means, and how often 95 % intervals hold"
    Console(width=WIDTH).print(as_table(told, title))
    items, shares, many = in_all(told)
    print(f"{many:,} intervals each: {items:.1%} of those of items hold, and {shares:.1%} of those of shares")
    if chosen.paste:
        PART.paste(chosen.paste, as_markdown(told))
    if chosen.picture:
        steady = {title: shown[title] for title, _ in order if title != CHANGING and title in shown}
        epsilon = SHOWN if SHOWN in epsilons else epsilons[-1]
        chosen.picture.write_text(as_svg(draw(steady, epsilon, chosen.n)), "utf-8")


if __name__ == "__main__":
    main()
