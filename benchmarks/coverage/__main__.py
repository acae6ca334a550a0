"""How often published intervals and rank ranges hold the truth: scheme × stream × start × ε × kind of interval."""

import argparse
import json
from itertools import product
from pathlib import Path

from rich.console import Console
from rich.table import Table

from benchmarks.coverage.answers import COLD, KINDS, STARTS, WARM, Case, K, Piece, run_piece
from benchmarks.coverage.picture import pictures
from benchmarks.coverage.row import HEADINGS, LEAST, MOST, Row
from benchmarks.field.machine import machine
from benchmarks.processes import MOST_PROCESSES, spread
from hgldp.experiments.measuring.streams import Library
from hgldp.experiments.plotting.look import as_svg
from hgldp.simulation.generators import is_generator

SCHEMES = ("pfr", "bgr", "dsr", "bdr", "cnr")
STREAMS = (
    "zipf:n=100000,d=1000,s=1.2",
    "zipf:n=100000,d=1000,s=1.05",
    "zipf:n=100000,d=20000,s=1.2",
    "zipf:n=100000,d=20000,s=1.05",
    "turnover:n=100000,d=1000,s=1.2",
    "sudden:n=100000,d=1000,s=1.2",
)
EPSILONS = (0.5, 1.0, 2.0, 4.0, 6.0)
WIDTH = 160
Key = tuple[str, str, str, float, str]


def measure(pieces: list[Piece], processes: int) -> list[Row]:
    """Every row, in the order of schemes, streams, starts, kinds and budgets."""
    rows: dict[Key, Row] = {}
    for piece, found in spread(run_piece, pieces, processes, "coverage"):
        for case, answers in found:
            for kind, lines in answers.items():
                key = (case.scheme, piece.stream, case.start, case.epsilon, kind)
                rows.setdefault(key, Row(*key)).runs[piece.seed] = lines
    order = list(dict.fromkeys(piece.stream for piece in pieces)), list(STARTS), list(KINDS)
    cases = [case.scheme for case in pieces[0].cases] if pieces else []
    return sorted(
        rows.values(),
        key=lambda row: (
            cases.index(row.scheme),
            order[0].index(row.stream),
            order[1].index(row.start),
            order[2].index(row.kind),
            row.epsilon,
        ),
    )


def tables(rows: list[Row]) -> list[Table]:
    """One a scheme, stream and start."""
    found: dict[tuple[str, str, str], Table] = {}
    for row in rows:
        place = row.scheme, row.stream, row.start
        if place not in found:
            found[place] = Table(title=f"{', '.join(place)}, k = {K}, {len(row.runs)} runs")
            for heading in HEADINGS:
                found[place].add_column(heading, justify="left" if heading == "interval" else "right")
        found[place].add_row(*row.cells, end_section=row.epsilon == max(one.epsilon for one in rows))
    return list(found.values())


def main() -> None:
    """Print the tables and how many rows lie outside 92 to 98 %."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=50)
    parser.add_argument("--scheme", action="append", choices=SCHEMES, help="only this one; may be repeated")
    parser.add_argument("--stream", action="append", help="instead of the usual ones; may be repeated")
    parser.add_argument(
        "--start", action="append", choices=STARTS, help="instead of a true warm-up and none; may be repeated"
    )
    parser.add_argument("--epsilon", action="append", type=float, help=f"instead of {EPSILONS}; may be repeated")
    parser.add_argument("--data", type=Path, help="a folder with the data sets that --stream names")
    parser.add_argument("--processes", type=int, default=MOST_PROCESSES, choices=range(1, MOST_PROCESSES + 1))
    parser.add_argument("--json", type=Path, metavar="FILE", help="write every row")
    parser.add_argument("--pictures", type=Path, metavar="FOLDER", help="draw the rows too: coverage-*.svg")
    chosen = parser.parse_args()
    library, streams = Library(chosen.data), chosen.stream or STREAMS
    missing = [name for name in streams if not is_generator(name) and library.path(name) is None]
    if missing:
        print(f"{', '.join(missing)}: not found, left out; give their folder with --data")
    schemes, starts, epsilons = chosen.scheme or SCHEMES, chosen.start or (WARM, COLD), chosen.epsilon or EPSILONS
    cases = tuple(Case(*one) for one in product(schemes, starts, epsilons))
    there, seeds = [name for name in streams if name not in missing], range(1, chosen.repeats + 1)
    rows = measure([Piece(name, seed, cases, library.folder) for seed in seeds for name in there], chosen.processes)
    for table in tables(rows):
        Console(width=WIDTH).print(table)
    if chosen.json:
        whole = {"machine": machine(), "k": K, "rows": [row.to_dict() for row in rows]}
        chosen.json.write_text(json.dumps(whole, indent=1, ensure_ascii=False, allow_nan=False) + "\n", "utf-8")
    for name, figure in pictures(rows).items() if chosen.pictures else ():
        chosen.pictures.mkdir(parents=True, exist_ok=True)
        (chosen.pictures / f"{name}.svg").write_text(as_svg(figure), encoding="utf-8")
    inside = sum(not row.outside for row in rows)
    print(f"{inside} of {len(rows)} rows between {LEAST:.0%} and {MOST:.0%}")


if __name__ == "__main__":
    main()
