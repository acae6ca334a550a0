"""HeavyGuardian, Space-Saving, Misra–Gries and HeavyKeeper in one table at equal bytes, with and without privacy."""

import argparse
from collections.abc import Sequence
from math import sqrt
from pathlib import Path
from statistics import fmean, stdev

from benchmarks.processes import MOST_PROCESSES, spread
from benchmarks.structures.contest import BYTES, NONE, STARTS, STRUCTURES, K, Piece, pieces, run_piece
from hgldp.experiments.measuring.streams import Library

EPSILONS = (1.0, 4.0)
Runs = list[dict[str, float]]


def error(values: Sequence[float]) -> float:
    """The standard error of a mean."""
    return stdev(values) / sqrt(len(values)) if len(values) > 1 else 0.0


def share(value: float, digits: int = 2) -> str:
    """Without the zero before the point.

    >>> share(0.5), share(1.0)
    ('.50', '1.00')
    """
    return f"{value:.{digits}f}".removeprefix("0")


def cell(runs: Runs) -> str:
    """Precision with its standard error, NDCG, and AAE with its own."""
    precision, ndcg, aae = ([run[name] for run in runs] for name in ("precision", "ndcg", "aae"))
    shares = f"{share(fmean(precision))} ± {share(error(precision))} · {share(fmean(ndcg))}"
    return unbroken(f"{shares} · {fmean(aae):,.0f} ± {error(aae):,.0f}")


def unbroken(text: str) -> str:
    """A page breaks lines before and after a dot, not between a number and its error."""
    return text.replace(" ± ", "\N{NO-BREAK SPACE}±\N{NO-BREAK SPACE}").replace(
        " = ", "\N{NO-BREAK SPACE}=\N{NO-BREAK SPACE}"
    )


def table(found: dict[Piece, Runs]) -> str:
    """In Markdown: a row for each stream and setting, a column for each structure."""
    rows: dict[tuple[str, str], list[str]] = {}
    for piece, runs in found.items():
        private = f"{piece.scheme}, ε = {piece.epsilon:g}"
        setting = "no privacy" if piece.scheme == NONE else unbroken(private)
        rows.setdefault((piece.start.title, setting), []).append(cell(runs))
    head = ["stream", "setting", *STRUCTURES]
    lines = [f"| {' | '.join(head)} |", f"|{'---|' * len(head)}"]
    return "\n".join([*lines, *(f"| {' | '.join([*key, *cells])} |" for key, cells in rows.items())])


def held(found: dict[Piece, Runs], scheme: str) -> str:
    """For each structure: of how many published intervals, in all runs of a scheme, the truth was within."""
    shown = []
    for structure in STRUCTURES:
        pieces = [piece for piece in found if (piece.structure, piece.scheme) == (structure, scheme)]
        shown.append(f"{structure} {100 * fmean(run['held'] for piece in pieces for run in found[piece]):.0f} %")
    return f"{scheme}: {', '.join(shown)}"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, help="a folder with retail")
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--epsilon", action="append", type=float, help=f"instead of {EPSILONS}; may be repeated")
    parser.add_argument("--processes", type=int, default=MOST_PROCESSES, choices=range(1, MOST_PROCESSES + 1))
    chosen = parser.parse_args()
    library = Library(chosen.data)
    for start in STARTS:
        if ":" not in start.stream and library.path(start.stream) is None:
            print(f"{start.stream}: not found, left out; give its folder with --data")
    work = list(pieces(chosen.seeds, tuple(chosen.epsilon or EPSILONS), library))
    done = dict(spread(run_piece, work, chosen.processes, "structures"))
    found = {piece: done[piece] for piece in work}
    print(f"k = {K}, {BYTES} bytes each, {chosen.seeds} seeds: precision ± its standard error · NDCG · AAE ± its own\n")
    print(table(found))
    print("\nPublished 95 % intervals that hold the truth:")
    for scheme in dict.fromkeys(piece.scheme for piece in found if piece.scheme != NONE):
        print(held(found, scheme))


if __name__ == "__main__":
    main()
