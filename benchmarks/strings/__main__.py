"""Strings that nobody listed: how many of the true top 20 come back verbatim. `contest`: beside other methods."""

import argparse
import sys
from pathlib import Path

import numpy as np
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from benchmarks.strings.contest.__main__ import main as contest
from benchmarks.strings.made_up import SYMBOLS, K, kinds_of_strings, recall


def main() -> None:
    """One row a kind of string and ε, one column a number of reports."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--stream", type=Path, help="whose counts the words take, such as BIBLE.dat.gz; else Zipf")
    parser.add_argument("--repeats", type=int, default=5)
    arguments = parser.parse_args()
    kinds = kinds_of_strings(arguments.stream)
    lengths = (250_000, 500_000, 1_000_000, 2_000_000, 4_000_000)
    table = Table(
        title=f"of the true top {K}, verbatim; {SYMBOLS} symbols, mean of {arguments.repeats} seeds; columns: reports"
    )
    for heading in ("", "ε", *(f"{n:,}" for n in lengths)):
        table.add_column(heading, justify="left" if heading == "" else "right")
    with Progress(transient=True) as progress:
        bar = progress.add_task("spelling", total=len(kinds) * 3)
        for kind, (strings, shares) in kinds.items():
            for epsilon in (4.0, 2.0, 1.0):
                found = [
                    np.mean([recall(strings, shares, n, epsilon, seed) for seed in range(arguments.repeats)])
                    for n in lengths
                ]
                table.add_row(kind, f"{epsilon:g}", *(f"{value:.1f}" for value in found))
                progress.advance(bar)
    Console(width=120).print(table)


if __name__ == "__main__":
    if sys.argv[1:2] == ["contest"]:
        contest(sys.argv[2:])
    else:
        main()
