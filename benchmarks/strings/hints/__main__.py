"""`make hints`: PFR among strings without a list, with a list of 80 % of the top 1,000 among 20,000 others, and with a
list of nothing but wrong ones. F1 of the top k, all settings as a task has them; ends with 1 if a bar is missed."""

import argparse
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from rich.console import Console

from benchmarks.page import PagePart
from benchmarks.processes import MOST_PROCESSES, spread
from benchmarks.strings.contest.answers import f1
from benchmarks.strings.contest.contestants import pfr
from benchmarks.strings.contest.populations import FILES, Population, read, top, usual
from benchmarks.strings.hints.lists import CELLS, KINDS, Kind, list_of
from benchmarks.strings.hints.rows import AT, Row, Run, as_page, failures
from hgldp.model.weights import as_epsilon

K = 20
PART = PagePart("hints")


@dataclass(frozen=True)
class Piece:
    """One stream and one seed with one kind of list."""

    population: Population
    epsilon: float
    k: int
    seed: int
    kind: Kind


def run_piece(piece: Piece) -> Run:
    """A task as anybody has it who gives ε, k, the longest string and the list, over one stream."""
    strings, most_bytes = read(piece.population), piece.population.most_bytes
    stream, hints = strings.stream(piece.seed), list_of(piece.kind, strings, most_bytes, piece.seed)
    asked = {"epsilon": piece.epsilon, "most_bytes": most_bytes, "hints": hints, "cells": CELLS.get(piece.kind)}
    found = pfr(strings, stream, piece.k, piece.seed, **asked)  # type: ignore[arg-type]
    truth = top(np.bincount(stream, minlength=len(strings.texts)), piece.k)
    return Run(f1(found.places, truth), found.state_bytes)


def options() -> argparse.ArgumentParser:
    """What can be asked for."""
    parser = argparse.ArgumentParser(description=__doc__, prog="python -m benchmarks.strings.hints")
    parser.add_argument("--data", type=Path, metavar="DIR", help=f"a folder with {', '.join(FILES)}")
    parser.add_argument("--epsilon", action="append", type=float, help=f"instead of {AT:g}; may be repeated")
    parser.add_argument("--k", type=int, default=K)
    parser.add_argument("--repeats", type=int, default=5, help="seeds (5)")
    parser.add_argument("--only", action="append", metavar="STREAM", help="only this stream; may be repeated")
    parser.add_argument("--processes", type=int, default=1, choices=range(1, MOST_PROCESSES + 1))
    parser.add_argument("--paste", type=Path, metavar="FILE", help="write the table into this page, between its marks")
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, show, judge."""
    parser = options()
    chosen = parser.parse_args(arguments)
    epsilons = [float(as_epsilon(epsilon)) for epsilon in chosen.epsilon or (AT,)]
    populations = [one for one in usual(chosen.data) if chosen.only is None or one.title in chosen.only]
    if min(chosen.k, chosen.repeats) < 1 or not populations:
        parser.error("--k and --repeats must be at least 1, and --only a stream that is there")
    if chosen.paste:
        PART.around(chosen.paste)
    seeds = range(1, chosen.repeats + 1)
    settings = [(one, epsilon) for one in populations for epsilon in epsilons]
    work = [Piece(one, epsilon, chosen.k, seed, kind) for one, epsilon in settings for seed in seeds for kind in KINDS]
    found = dict(spread(run_piece, work, chosen.processes, "lists"))
    rows = []
    for one, epsilon in settings:
        runs = {kind: [found[Piece(one, epsilon, chosen.k, seed, kind)] for seed in seeds] for kind in KINDS}
        rows.append(Row(one.title, epsilon, runs))
    page = as_page(rows, chosen.k, chosen.repeats)
    if chosen.paste:
        PART.paste(chosen.paste, page)
    print(page)
    missed = failures(rows)
    for each in missed:
        Console(stderr=True).print(each)
    return int(bool(missed))


if __name__ == "__main__":
    sys.exit(main())
