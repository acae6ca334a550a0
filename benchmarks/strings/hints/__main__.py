"""`make hints`: PFR among strings without a list, with a list of 80 % of the top 1,000 among 20,000 others, and with a
list of nothing but wrong ones. F1 of the top k, all settings as a task has them; ends with 1 if a bar is missed."""

import argparse
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from rich.console import Console

from benchmarks.page import Measured
from benchmarks.people.tables import in_markdown
from benchmarks.processes import MOST_PROCESSES, spread
from benchmarks.strings.contest.answers import f1
from benchmarks.strings.contest.populations import FILES, Population, read, top, usual
from benchmarks.strings.contest.tables import in_bytes
from benchmarks.strings.hints.lists import KINDS, Kind, list_of
from hgldp.model.domain import StringDomain
from hgldp.model.task import Task
from hgldp.model.weights import as_epsilon
from hgldp.schemes.registry import scheme_of
from hgldp.simulation.strings import simulate_open
from hgldp.tracker.family import family_for

K, EPSILON = 20, 2.0
LEAST, ON, MOST_LOST = 0.75, "first names", 0.03
PART = Measured("hints")


@dataclass(frozen=True)
class Piece:
    """One stream and one seed with one kind of list."""

    population: Population
    epsilon: float
    k: int
    seed: int
    kind: Kind


@dataclass(frozen=True)
class Run:
    """How well the top came back, and what the server kept."""

    f1: float
    state_bytes: int


def run_piece(piece: Piece) -> Run:
    """A task as anybody has it who gives ε, k, the longest string and the list, over one stream."""
    strings, most_bytes = read(piece.population), piece.population.most_bytes
    domain = StringDomain(most_bytes, list_of(piece.kind, strings, most_bytes, piece.seed))
    task = Task("pfr", epsilon=piece.epsilon, domain=domain, k=piece.k)
    stream, codes = strings.stream(piece.seed), [domain.code(text) for text in strings.texts]
    store = family_for(task).start(task, piece.seed, ()).store
    outcome = simulate_open(scheme_of(task), store, codes, stream, piece.k, piece.seed)  # type: ignore[arg-type]
    places = [line.item if line.item < len(codes) else None for line in outcome.estimates]
    truth = top(np.bincount(stream, minlength=len(codes)), piece.k)
    return Run(f1(places, truth), outcome.state_bytes)


@dataclass(frozen=True)
class Row:
    """One stream and ε: the runs of each kind of list by seed."""

    title: str
    epsilon: float
    runs: dict[Kind, list[Run]]

    def values(self, kind: Kind) -> np.ndarray:
        """F1 by seed."""
        return np.array([run.f1 for run in self.runs[kind]], np.float64)

    @property
    def lost(self) -> np.ndarray:
        """What a wrong list costs, seed by seed: the streams are the same."""
        return np.asarray(self.values("no list") - self.values("wrong list"))

    def cells(self) -> list[str]:
        """As a table has them."""
        means = [shown(self.values(kind)) for kind in KINDS]
        states = [max(run.state_bytes for run in self.runs[kind]) for kind in KINDS]
        return [
            self.title,
            f"{self.epsilon:g}",
            *means,
            shown(-self.lost, sign=True),
            " / ".join(in_bytes(each) for each in states),
        ]


def shown(values: np.ndarray, *, sign: bool = False) -> str:
    """Mean ± standard error.

    >>> shown(np.array([0.5, 0.7])), shown(np.array([0.1]), sign=True)
    ('0.60 ± 0.10', '+0.10')
    """
    mean = f"{values.mean():+.2f}" if sign else f"{values.mean():.2f}"
    return mean if values.size < 2 else f"{mean} ± {values.std(ddof=1) / values.size**0.5:.2f}"


def failures(rows: Sequence[Row]) -> list[str]:
    """The bars that are missed: .75 on first names with a good list, and never more than .03 lost by a wrong one."""
    found = []
    for row in rows:
        if row.title == ON and row.epsilon == EPSILON and row.values("good list").mean() < LEAST - 1e-9:
            found.append(f"{row.title}, ε = {row.epsilon:g}: a good list must give at least {LEAST}")
        if row.lost.mean() > MOST_LOST + 1e-9:
            found.append(f"{row.title}, ε = {row.epsilon:g}: a wrong list must cost at most {MOST_LOST}")
    return found


HEADINGS = ["stream", "ε", *KINDS, "wrong − none", "bytes of state"]


def as_page(rows: Sequence[Row], k: int, seeds: int) -> str:
    """For docs/strings.md."""
    title = f"F1 of the top {k}, {seeds} seed{'s' * (seeds != 1)}: mean ± standard error; state: none / good / wrong."
    return in_markdown(title, HEADINGS, [row.cells() for row in rows])


def options() -> argparse.ArgumentParser:
    """What can be asked for."""
    parser = argparse.ArgumentParser(description=__doc__, prog="python -m benchmarks.strings.hints")
    parser.add_argument("--data", type=Path, metavar="DIR", help=f"a folder with {', '.join(FILES)}")
    parser.add_argument("--epsilon", action="append", type=float, help=f"instead of {EPSILON:g}; may be repeated")
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
    epsilons = [float(as_epsilon(epsilon)) for epsilon in chosen.epsilon or (EPSILON,)]
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
