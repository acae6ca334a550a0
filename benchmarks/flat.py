"""Whether a flat stream has no clear top, and a stream with a top has one: every scheme, cold or after a warm-up."""

import argparse
import json
from dataclasses import dataclass
from itertools import product
from pathlib import Path

from rich.console import Console
from rich.table import Table

from benchmarks.field.machine import machine
from benchmarks.processes import MOST_PROCESSES, spread
from hgldp.experiments.measuring.streams import Library
from hgldp.model.estimate import Estimate
from hgldp.simulation.run import Plan, run

K = 20
SCHEMES = ("pfr", "bgr", "dsr", "bdr", "cnr")
FLAT = ("uniform:n=100000,d=1000", "uniform:n=100000,d=20000")
FLAT_EPSILONS = (0.5, 1.0, 2.0, 4.0, 6.0, 8.0)
TOPPED, TOPPED_EPSILON = "zipf:n=100000,d=1000,s=1.1", 2.0
LEAST_FLAT, MOST_TOPPED = 0.95, 0.05
Place = tuple[str, str, float]


@dataclass(frozen=True)
class Piece:
    """One stream of one seed, with every scheme at these budgets."""

    stream: str
    seed: int
    schemes: tuple[str, ...]
    epsilons: tuple[float, ...]
    warmup: float = 0.0


@dataclass
class Row:
    """In how many runs no line stood out, and how many lines did on average."""

    stream: str
    scheme: str
    epsilon: float
    unclear: int = 0
    clear_lines: int = 0
    runs: int = 0

    def add(self, clear_lines: int) -> None:
        """One more run; an answer without a line has no clear top either."""
        self.runs += 1
        self.clear_lines += clear_lines
        self.unclear += clear_lines == 0

    @property
    def share(self) -> float:
        """How often there is no clear top."""
        return self.unclear / self.runs

    @property
    def wrong(self) -> bool:
        """Whether a flat stream has a clear top too often, or one with a top has none too often."""
        return self.share < LEAST_FLAT if self.stream.startswith("uniform:") else self.share > MOST_TOPPED


def clear_lines(lines: tuple[Estimate, ...]) -> int:
    """How many lines stand out."""
    return sum(not line.may_be_noise for line in lines)


def run_piece(piece: Piece) -> list[tuple[Place, int]]:
    """Every scheme at every budget."""
    drawn = Library().draw(piece.stream, piece.seed)
    raw = int(drawn.items.size * piece.warmup)
    found = []
    for scheme, epsilon in product(piece.schemes, piece.epsilons):
        outcome = run(Plan(scheme, epsilon, K), drawn.items, drawn.domain_size, raw, piece.seed)
        found.append(((piece.stream, scheme, epsilon), clear_lines(outcome.estimates)))
    return found


def pieces(schemes: tuple[str, ...], repeats: int, warmup: float) -> list[Piece]:
    """Seed by seed."""
    budgets = dict.fromkeys(FLAT, FLAT_EPSILONS) | {TOPPED: (TOPPED_EPSILON,)}
    seeds = range(1, repeats + 1)
    return [Piece(stream, seed, schemes, epsilons, warmup) for seed in seeds for stream, epsilons in budgets.items()]


def measure(work: list[Piece], processes: int) -> list[Row]:
    """All rows, by stream, scheme and ε."""
    rows: dict[Place, Row] = {}
    for _, found in spread(run_piece, work, processes, "flat"):
        for place, lines in found:
            rows.setdefault(place, Row(*place)).add(lines)
    streams = [*FLAT, TOPPED]
    return sorted(rows.values(), key=lambda row: (streams.index(row.stream), SCHEMES.index(row.scheme), row.epsilon))


def main() -> None:
    """Print the table; exit 1 if a row is wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=50)
    parser.add_argument("--scheme", action="append", choices=SCHEMES, help="only this one; may be repeated")
    parser.add_argument("--warmup", type=float, default=0.0, metavar="SHARE", help="part of the stream given raw (0)")
    parser.add_argument("--processes", type=int, default=MOST_PROCESSES, choices=range(1, MOST_PROCESSES + 1))
    parser.add_argument("--json", type=Path, metavar="FILE", help="write every row")
    chosen = parser.parse_args()
    schemes = tuple(chosen.scheme or SCHEMES)
    rows = measure(pieces(schemes, chosen.repeats, chosen.warmup), chosen.processes)
    start = f"{100 * chosen.warmup:g} % warm-up" if chosen.warmup else "cold"
    table = Table(title=f"No clear top, k = {K}, {chosen.repeats} runs, {start}")
    for heading in ("stream", "scheme", "ε", "no clear top", "lines that stand out", ""):
        table.add_column(heading, justify="left" if heading in ("stream", "scheme") else "right")
    for row in rows:
        text = f"{row.unclear} of {row.runs}", f"{row.clear_lines / row.runs:.1f}", "wrong" if row.wrong else ""
        table.add_row(row.stream, row.scheme, f"{row.epsilon:g}", *text)
    Console(width=110).print(table)
    if chosen.json:
        whole = {"machine": machine(), "k": K, "start": start, "rows": [vars(row) for row in rows]}
        chosen.json.write_text(json.dumps(whole, indent=1, ensure_ascii=False) + "\n", "utf-8")
    wrong = sum(row.wrong for row in rows)
    limits = f"at least {LEAST_FLAT:.0%} on a flat stream, at most {MOST_TOPPED:.0%} on zipf"
    print(f"{wrong} of {len(rows)} rows are wrong: {limits}")
    raise SystemExit(bool(wrong))


if __name__ == "__main__":
    main()
