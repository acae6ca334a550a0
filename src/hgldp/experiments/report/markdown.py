"""The report as Markdown, beside its figures."""

from collections.abc import Iterable, Sequence

from hgldp.experiments.report.content import Content, DrawnFigure, summary


def as_markdown(content: Content) -> str:
    """One document; figures are linked, not inlined."""
    parts = ["# The paper, reproduced", _summary(content), "## Settings", _table(("", ""), content.settings)]
    if content.failures:
        parts += ["## What failed", "\n".join(f"* {_cell(line)}" for line in content.failures)]
    parts.append("## Claims of the paper")
    rows = []
    for claim in content.claims:
        for who, _, word, number, why in claim.verdicts:
            rows.append((claim.section, claim.text, who, f"**{word}**", number, why))
    parts.append(_table(("section", "claim", "implementation", "verdict", "number", "what was compared"), rows))
    parts.append("## Findings")
    for title, text, number in content.findings:
        parts += [f"### {title}", text, f"*{number}*"]
    parts.append("## Figures")
    parts += [_figure(figure) for figure in content.figures]
    parts.append("## Tables")
    for table in content.tables:
        parts += [f"### {table.title}", table.caption, _table(table.headings, table.rows)]
    return "\n\n".join(part for part in parts if part) + "\n"


def _summary(content: Content) -> str:
    return "\n".join(summary(content))


def _figure(figure: DrawnFigure) -> str:
    picture = figure.picture
    image = f"![{picture.title}](figures/{picture.name}.svg)" if figure.svg else ""
    broken = f"**Broken: {figure.failure}.**" if figure.failure else ""
    return "\n\n".join(part for part in (f"### {picture.title}", image, broken, picture.caption) if part)


def _table(headings: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [headings, ["---"] * len(headings), *rows]
    return "\n".join(f"| {' | '.join(_cell(cell) for cell in line)} |" for line in lines)


def _cell(text: str) -> str:
    return " ".join(text.replace("|", "\\|").split())
