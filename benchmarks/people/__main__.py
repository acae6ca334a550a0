"""ε = 4 per person and month at every level: pfr in 16 kB, top 20 of 1,000 items, people with favourites (Zipf 1.1)."""

import argparse
import sys
from pathlib import Path

from rich.console import Console

from benchmarks.field.machine import machine
from benchmarks.people.contest import EPSILON, OTHER_EPSILONS, pieces, run_piece
from benchmarks.people.rows import Key, Row, gather, missed, to_json
from benchmarks.people.tables import crowd_table, division_table, in_markdown, shown
from benchmarks.processes import MOST_PROCESSES, spread

PEOPLE, MANY, APART = 100_000, 1_000_000, 0.25


def main() -> None:
    """Print the tables and what is missed; exit 1 if anything is."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--people", type=int, default=PEOPLE, help=f"size of the crowd ({PEOPLE})")
    parser.add_argument("--many", type=int, default=MANY, help=f"size of the crowd beside it, or 0 ({MANY})")
    parser.add_argument("--repeats", type=int, default=10, help="seeds of the crowd (10)")
    parser.add_argument("--many-repeats", type=int, default=3, help="seeds of the crowd beside it (3)")
    parser.add_argument("--processes", type=int, default=1, choices=range(1, MOST_PROCESSES + 1))
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the numbers of every seed")
    parser.add_argument("--markdown", action="store_true", help="print the tables as docs/people.md has them")
    chosen = parser.parse_args()
    epsilons = (EPSILON, *OTHER_EPSILONS)
    work = [*pieces(chosen.people, chosen.repeats, epsilons), *pieces(chosen.people, chosen.repeats, (EPSILON,), APART)]
    if chosen.many:
        work += pieces(chosen.many, chosen.many_repeats, (EPSILON,))
    rows = dict[Key, Row]()
    for _, runs in spread(run_piece, work, chosen.processes, "people"):
        gather(runs, rows)
    crowds = dict.fromkeys((row.people, row.apart) for row in rows.values())
    tables = [
        crowd_table([row for row in rows.values() if (row.people, row.apart, row.epsilon) == (*crowd, EPSILON)])
        for crowd in crowds
    ]
    tables.append(division_table(rows, chosen.people, sorted(epsilons)))
    for table in tables:
        if chosen.markdown:
            print(in_markdown(*table), end="\n\n")
        else:
            Console(width=170).print(shown(*table))
    if chosen.json:
        chosen.json.write_text(to_json(rows.values(), {"machine": machine()}), encoding="utf-8")
    misses = missed(rows)
    print("\n".join(misses) or "every bar is reached", file=sys.stderr if chosen.markdown else sys.stdout)
    sys.exit(bool(misses))


if __name__ == "__main__":
    main()
