"""The report as Markdown, beside its figures."""

from collections.abc import Iterable, Sequence

from hgldp.experiments.report.content import Content, DrawnFigure, Group
from hgldp.experiments.report.heading import BYLINE, HEADING, WHAT
from hgldp.experiments.report.html.claims import IMPLEMENTATIONS, WORDS, said


def as_markdown(content: Content) -> str:
    """One document in the order of the page; each figure leads to itself, for a larger view."""
    parts = [f"# {HEADING}", BYLINE, WHAT, "## What was found"]
    parts.append("\n".join(f"{number}. {_cell(line)}" for number, line in enumerate(content.found, start=1)))
    if content.failures:
        parts += ["## What failed", "\n".join(f"* {_cell(line)}" for line in content.failures)]
    parts += ["## The claims at a glance", _glance(content), "## Figures"]
    parts += [_figure(figure) for figure in content.figures]
    parts.append("## The paper's claims, by what they are about")
    parts += [_group(group) for group in content.groups]
    parts.append("## What the paper does not say")
    for title, text, number in content.findings:
        parts += [f"### {title}", text, f"*{number}*"]
    parts.append("## Tables")
    for table in content.tables:
        parts += [f"### {table.title}", table.caption, _table(table.headings, table.rows)]
    parts += ["## Settings, machine, versions", _table(("", ""), content.settings)]
    return "\n\n".join(part for part in parts if part) + "\n"


def _glance(content: Content) -> str:
    rows = [
        (group.topic, *(" / ".join(map(str, group.counts(who))) for who in IMPLEMENTATIONS)) for group in content.groups
    ]
    return _table(("claims about", *(f"{who}: {' / '.join(WORDS)}" for who in IMPLEMENTATIONS)), rows)


def _group(group: Group) -> str:
    counts = "; ".join(f"{who}: {said(group.counts(who))}" for who in IMPLEMENTATIONS if any(group.counts(who)))
    rows = [
        (claim.text if not place else "", claim.section if not place else "", who, f"**{word}**", number, why)
        for claim in group.claims
        for place, (who, _, word, number, why) in enumerate(claim.verdicts)
    ]
    heads = ("claim", "section", "implementation", "verdict", "number", "what was compared")
    return f"### {group.topic}\n\n{counts[:1].upper()}{counts[1:]}.\n\n{_table(heads, rows)}"


def _figure(figure: DrawnFigure) -> str:
    picture = figure.picture
    file = f"figures/{picture.name}.svg"
    image = f"[![{picture.title}]({file})]({file})" if figure.svg else ""
    broken = f"**Broken: {figure.failure}.**" if figure.failure else ""
    return "\n\n".join(part for part in (f"### {picture.title}", image, broken, picture.caption) if part)


def _table(headings: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [headings, ["---"] * len(headings), *rows]
    return "\n".join(f"| {' | '.join(_cell(cell) for cell in line)} |" for line in lines)


def _cell(text: str) -> str:
    return " ".join(text.replace("|", "\\|").split())
