"""`python -m benchmarks.audit`: every planted mistake is found, no honest scheme is blamed, and 1.1 is told from 1."""

import argparse
from collections import defaultdict
from collections.abc import Iterator

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
    audit_steered,
    planted,
    planted_pieces,
    real_pieces,
    steered_pieces,
)
from benchmarks.processes import MOST_PROCESSES, spread
from hgldp.audit import AuditResult, SteeredResult

LEAST_FOUND = 0.95
PARTS = ("planted", FAST, WHOLE, OVER)
TITLES = {
    FAST: "False alarms: reports of the compiled twins",
    WHOLE: "False alarms: whole uploads of the client in Python",
    OVER: f"Clients that spend {SPENT:g} where they claim {CLAIMED:g}",
}


def planted_table(draws: int, processes: int) -> tuple[Table, list[str]]:
    """What became of each mistake: every one must be found, and the honest client beside them must not be blamed."""
    cases, wrong = planted(1), []
    table = Table(title=f"Planted mistakes, {draws:,} draws each at most, error rate {ERROR:g} (steered: none)")
    for heading in ("client", "how", "ε", "claimed", "finds", "found", "what was found first"):
        table.add_column(heading, justify="right" if heading in ("ε", "claimed", "finds") else "left")
    results = dict(spread(audit_planted, planted_pieces(draws), processes, "planted mistakes"))
    for piece in planted_pieces(draws):
        result, case = results[piece], cases[piece.name]
        if result.passed != case.honest:
            wrong.append(f"{piece.name}: {'a false alarm' if case.honest else 'not found'}")
        if isinstance(result, SteeredResult):
            spends, finds = f"= {result.spends:.12f}", "–"
        else:
            spends, finds = f"≥ {result.spends_at_least:.3f}", f"{result.found_from:.3f}" if result.passed else "–"
        told, first = ("no", "") if result.passed else ("yes", result.sentences[0])
        table.add_row(piece.name, case.how, spends, f"{case.claim:g}", finds, told, first)
    found = sum(not results[piece].passed for piece in planted_pieces(draws) if not cases[piece.name].honest)
    table.caption = f"{found} of {sum(not case.honest for case in cases.values())} mistakes found"
    return table, wrong


def steered_table(draws: int, processes: int) -> tuple[Table, list[str]]:
    """What honest clients spend exactly: never more than they claim."""
    table, wrong = Table(title="Honest clients of every scheme, steered: exact, without an error rate"), []
    for heading in ("scheme", "ε", "claimed", "runs", "found"):
        table.add_column(heading, justify="left" if heading == "scheme" else "right")
    results = dict(spread(audit_steered, steered_pieces(draws), processes, "honest clients, steered"))
    for piece in steered_pieces(draws):
        result = results[piece]
        told = "no" if result.passed else "yes"
        table.add_row(piece.name, f"{result.spends:.12f}", f"{float(result.claim):g}", f"{result.runs:,}", told)
        if not result.passed:
            wrong.append(f"{piece.name}: a false alarm of the steered audit")
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


def tables(part: str, chosen: argparse.Namespace) -> Iterator[tuple[Table, list[str]]]:
    """One after the other, each with what is wrong."""
    if part == "planted":
        yield planted_table(chosen.draws, chosen.processes)
        yield steered_table(chosen.draws, chosen.processes)
    else:
        draws = chosen.uploads if part == WHOLE else chosen.draws
        yield real_table(part, chosen.runs, draws, chosen.processes)


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
        for table, broken in tables(part, chosen):
            Console(width=160).print(table)
            wrong += broken
    print("\n".join(wrong) or "everything as it should be")
    raise SystemExit(bool(wrong))


if __name__ == "__main__":
    main()
