"""Cold, k = 20: pfr in 16 kB and in 48 kB beside OLH and HR with unlimited memory, on steady and drifting streams."""

import argparse
import sys
from pathlib import Path

from rich.console import Console
from rich.table import Table

from benchmarks.cold.bars import lost, missed
from benchmarks.cold.contestants import EPSILONS, LARGE, REAL, STREAMS, K, pieces, run_piece
from benchmarks.cold.rows import SHARES, Difference, Key, Row, difference, from_json, gather, to_json
from benchmarks.field.machine import machine
from benchmarks.processes import MOST_PROCESSES, spread
from hgldp.experiments.measuring.streams import Library
from hgldp.experiments.plotting.look import stream_title

WIDTH = 150


def there(streams: tuple[str, ...], library: Library) -> tuple[str, ...]:
    """The streams that can be drawn; one line says which cannot."""
    missing = [name for name in streams if name in REAL and library.path(name) is None]
    if missing:
        print(f"{', '.join(missing)}: not found, left out; give their folder with --data")
    return tuple(name for name in streams if name not in missing)


def table_of(rows: list[Row], before: dict[Key, Row]) -> Table:
    """One stream: every contestant at every ε, and what it gained since `before`."""
    table = Table(title=f"{stream_title(rows[0].stream)}, k = {K}, {len(rows[0].runs)} seeds: mean ± standard error")
    for heading in ("ε", "", f"precision@{K}", f"NDCG@{K}", "AAE", "seconds"):
        table.add_column(heading, justify="left" if heading == "" else "right")
    for heading in ("precision since", "NDCG since", "AAE since") if before else ():
        table.add_column(heading, justify="right")
    for row in rows:
        shares = (f"{row.mean(name):.3f} ± {row.error(name):.3f}" for name in SHARES)
        errors = f"{row.mean('aae'):,.0f} ± {row.error('aae'):,.0f}"
        cells = [f"{row.epsilon:g}", row.contestant, *shares, errors, f"{row.mean('seconds'):.2f}"]
        if before:
            cells += [gained(row, before, name) for name in (*SHARES, "aae")]
        table.add_row(*cells, end_section=row.key == rows[-1].key or _last_of_its_budget(row, rows))
    return table


def _last_of_its_budget(row: Row, rows: list[Row]) -> bool:
    return [one for one in rows if one.epsilon == row.epsilon][-1] is row


def gained(row: Row, before: dict[Key, Row], metric: str) -> str:
    """The difference and its standard error; `!` if a share lost more than .01, `!!` if more than two errors."""
    found = difference(row, before[row.key], metric) if row.key in before else None
    if found is None:
        return "–"
    if metric not in SHARES:
        return f"{found.gain:+,.0f} ± {found.error:,.0f}"
    return f"{found.gain:+.3f} ± {found.error:.3f} {'!' * (found.lost + found.surely_lost):<2}"


def compared(rows: dict[Key, Row], before: dict[Key, Row]) -> list[Difference]:
    """Precision and NDCG of every row that both have."""
    found = (difference(row, before[key], metric) for key, row in rows.items() if key in before for metric in SHARES)
    return [one for one in found if one is not None]


def main() -> None:
    """Print a table a stream, what is missed, and what was lost; exit 1 if anything was."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, help=f"a folder with {', '.join(REAL)}")
    parser.add_argument("--repeats", type=int, default=10)
    parser.add_argument("--warmup", type=float, default=0.0, metavar="SHARE", help="pfr after a raw warm-up too: 0.01")
    parser.add_argument("--stream", action="append", help="instead of the usual ones; may be repeated")
    parser.add_argument("--epsilon", action="append", type=float, help=f"instead of {EPSILONS}; may be repeated")
    parser.add_argument("--large", action="store_true", help=f"also {LARGE}, pfr with 512 cells alone")
    parser.add_argument("--processes", type=int, default=MOST_PROCESSES, choices=range(1, MOST_PROCESSES + 1))
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the numbers of every seed")
    parser.add_argument("--against", type=Path, metavar="FILE", help="compare with what --json wrote before a change")
    chosen = parser.parse_args()
    library, before = Library(chosen.data), from_json(chosen.against) if chosen.against else {}
    streams = there(tuple(chosen.stream or STREAMS), library) + ((LARGE,) if chosen.large else ())
    epsilons, rows = tuple(chosen.epsilon or EPSILONS), dict[Key, Row]()
    work = list(pieces(streams, epsilons, chosen.repeats, chosen.warmup, library))
    for _, runs in spread(run_piece, work, chosen.processes, "cold"):
        gather(runs, rows)
        if chosen.json:
            chosen.json.write_text(to_json(rows.values(), {"machine": machine()}), encoding="utf-8")
    for stream in streams:
        own = sorted((row for row in rows.values() if row.stream == stream), key=lambda row: row.epsilon)
        Console(width=WIDTH).print(table_of(own, before))
    misses = [*missed(rows, chosen.warmup), *lost(compared(rows, before))]
    print("\n".join(misses) or "every bar is reached")
    sys.exit(bool(misses))


if __name__ == "__main__":
    main()
