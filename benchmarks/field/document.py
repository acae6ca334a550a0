"""The measured part of docs/field.md."""

from collections.abc import Iterable

from benchmarks.field.field import Field
from benchmarks.field.tables import LEGEND, Cells, bar_cells, cells, headings, ordered, sample_cells, title


def markdown(found: Field, machine: dict[str, str]) -> str:
    """Machine, versions, tables."""
    versions = {row.library: row.showing.version for row in found.rows if row.showing and row.showing.version}
    parts = [
        "Measured on " + ", ".join(f"{name} {value}" for name, value in machine.items()) + ".",
        "Versions: " + ", ".join(f"{name} {number}" for name, number in sorted(versions.items())) + ".",
    ]
    for contest in found.contests:
        lines = [cells(row, contest) for row in ordered(found.rows_of(contest))]
        if contest.name in found.samples:
            lines.insert(0, sample_cells(found.samples[contest.name], contest))
        parts += [f"### {title(contest)}", table(headings(contest), lines)]
    parts += ["### What PFR's speed is held to", table(("", "measured", "limit", ""), map(bar_cells, found.bars))]
    terms = [f"{'**' + term + '**: ' if term else ''}{meaning}" for term, meaning in LEGEND]
    return "\n\n".join([*parts, "; ".join(terms) + "."])


def table(names: Cells, lines: Iterable[Cells]) -> str:
    """A table in Markdown; a bar inside a cell cannot end it.

    >>> print(table(("a", "b"), [("1", "x|y")]))
    | a | b |
    |---|---|
    | 1 | x\\|y |
    """
    rows = [names, tuple("---" for _ in names), *lines]
    texts = ["| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |" for row in rows]
    texts[1] = "|" + "---|" * len(names)
    return "\n".join(texts)
