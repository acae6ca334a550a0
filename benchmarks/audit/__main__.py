"""`python -m benchmarks.audit`: every planted mistake is found, no honest scheme is blamed, and 1.1 is told from 1."""

import argparse
from collections import defaultdict

from rich.console import Console
from rich.table import Table

from benchmarks.audit.runs import (
    CLAIMED,
    DRAWS,
    ERROR,
    FAST,
    OVER,
    RUNS,
    SPENT,
    UPLOADED,
    WHOLE,
    audit_planted,
    audit_real,
    planted,
    planted_pieces,
    real_pieces,
)
from benchmarks.processes import MOST_PROCESSES, spread
from hgldp.audit import AuditResult

LEAST_FOUND = 0.95
PARTS = ("planted", FAST, WHOLE, OVER)
TITLES = {
    FAST: "False alarms: reports of the compiled twins",
    WHOLE: "False alarms: whole uploads of the client in Python",
    OVER: f"Clients that spend {SPENT:g} where they claim {CLAIMED:g}",
}


def planted_table(draws: int, processes: int) -> tuple[Table, list[str]]:
    """What became of each mistake. One that is too small to be seen must stay below the stated power."""
    cases, wrong = planted(1), []
    table = Table(title=f"Planted mistakes, {draws:,} draws each, error rate {ERROR:g}")
    for heading in ("client", "ε at least", "claimed", "finds", "found", "what was found first"):
        table.add_column(heading, justify="right" if heading in ("ε at least", "claimed", "finds") else "left")
    results = dict(spread(audit_planted, planted_pieces(draws), processes, "planted mistakes"))
    for piece in planted_pieces(draws):
        result, case = results[piece], cases[piece.name]
        if result.passed == case.visible:
            wrong.append(f"{piece.name}: {'not found' if case.visible else 'a false alarm'}")
        finds = "–" if not result.passed else f"{result.found_from:.3f}"
        told = "no" if result.passed else "yes"
        first = result.sentences[0] if result.sentences else "" if case.visible else "nothing to be seen from outside"
        table.add_row(piece.name, f"{result.spends_at_least:.3f}", f"{case.claim:g}", finds, told, first)
    return table, wrong


def real_table(kind: str, runs: int, draws: int, processes: int) -> tuple[Table, list[str]]:
    """How often each scheme was blamed."""
    rows: dict[str, list[AuditResult]] = defaultdict(list)
    for piece, result in spread(audit_real, real_pieces(kind, runs, draws), processes, TITLES[kind]):
        rows[piece.name].append(result)
    table = Table(title=f"{TITLES[kind]}, {runs} runs of {draws:,} draws, error rate {ERROR:g} a run")
    for heading in ("scheme", "found in", "ε at least: mean", "largest", "finds from"):
        table.add_column(heading, justify="left" if heading == "scheme" else "right")
    wrong = []
    for name in dict.fromkeys(piece.name for piece in real_pieces(kind, 1, draws)):
        found = rows[name]
        blamed, bounds = sum(not each.passed for each in found), [each.spends_at_least for each in found]
        power = max(seen.found_from for each in found for seen in each.spending)
        table.add_row(name, f"{blamed} of {runs}", f"{sum(bounds) / runs:.3f}", f"{max(bounds):.3f}", f"{power:.3f}")
        if blamed and kind != OVER:
            wrong.append(f"{name}: {blamed} false alarms")
        if kind == OVER and blamed < runs * LEAST_FOUND:
            wrong.append(f"{name}: {runs - blamed} of {runs} not found")
    return table, wrong


def main() -> None:
    """Print the tables; exit 1 if a mistake was not found or an honest scheme was blamed."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.audit", description=__doc__)
    parser.add_argument("--part", action="append", choices=PARTS, help="only this one; may be repeated")
    parser.add_argument("--draws", type=int, default=DRAWS, help=f"draws of an audit ({DRAWS})")
    parser.add_argument("--uploads", type=int, default=UPLOADED, help=f"draws where uploads are whole ({UPLOADED})")
    parser.add_argument("--runs", type=int, default=RUNS, help=f"seeds of every real scheme ({RUNS})")
    parser.add_argument("--processes", type=int, default=MOST_PROCESSES, choices=range(1, MOST_PROCESSES + 1))
    chosen = parser.parse_args()
    wrong = []
    for part in chosen.part or PARTS:
        if part == "planted":
            table, broken = planted_table(chosen.draws, chosen.processes)
        else:
            draws = chosen.uploads if part == WHOLE else chosen.draws
            table, broken = real_table(part, chosen.runs, draws, chosen.processes)
        Console(width=160).print(table)
        wrong += broken
    print("\n".join(wrong) or "everything as it should be")
    raise SystemExit(bool(wrong))


if __name__ == "__main__":
    main()
