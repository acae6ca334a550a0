"""The page: what was found, the figures, the claims, what the paper does not say, the tables, how it was measured."""

from collections.abc import Sequence
from html import escape

from hgldp.experiments.report.content import Content, DrawnFigure, FilledTable
from hgldp.experiments.report.heading import BYLINE, HEADING, TITLE, WHAT
from hgldp.experiments.report.html.claims import anchor, claims, glance
from hgldp.experiments.report.html.figures import figure
from hgldp.experiments.report.html.style import STYLE
from hgldp.experiments.report.html.text import table, together

SHORT = 9
Section = tuple[str, str, str, Sequence[tuple[str, str]]]


def as_html(content: Content) -> str:
    """Everything, with a list of contents at the side, on top where the page is narrow."""
    sections = [part for part in _sections(content) if part[2]]
    links = "".join(_link(name, title, below) for name, title, _, below in sections)
    body = "".join(
        f'<section id="{name}"><h2>{escape(title)}</h2>{text}</section>' for name, title, text, _ in sections
    )
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{escape(f"{HEADING}: {TITLE}")}</title>'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f'<style>{STYLE}</style></head><body><nav class=side aria-label="Contents"><ul>{links}</ul></nav>'
        f"<main><h1>{escape(HEADING)}</h1><p class=byline>{escape(BYLINE)}</p>"
        '<nav class=top aria-label="Contents, folded"><details><summary>Contents</summary>'
        f"<ul>{links}</ul></details></nav>"
        f"<p>{escape(WHAT)}</p>{body}</main></body></html>\n"
    )


def _link(name: str, title: str, below: Sequence[tuple[str, str]]) -> str:
    inner = "".join(f'<li><a href="#{one}">{escape(text)}</a></li>' for one, text in below)
    return f'<li><a href="#{name}">{escape(title)}</a>{f"<ul>{inner}</ul>" if inner else ""}</li>'


def _sections(content: Content) -> list[Section]:
    figures = [(f"figure-{drawn.picture.name}", drawn.picture.title) for drawn in content.figures]
    groups = [(anchor(group), str(group.topic)) for group in content.groups]
    tables = [(f"table-{one.name}", one.title) for one in content.tables]
    return [
        ("found", "What was found", _found(content), ()),
        ("failed", "What failed", _failures(content), ()),
        ("glance", "The claims at a glance", glance(content), ()),
        ("figures", "Figures", "".join(_figure(drawn) for drawn in content.figures), figures),
        ("claims", "The paper's claims, by what they are about", claims(content), groups),
        ("findings", "What the paper does not say", _findings(content), ()),
        ("tables", "Tables", "".join(_table(one) for one in content.tables), tables),
        ("settings", "Settings, machine, versions", table("Settings", (), content.settings), ()),
    ]


def _found(content: Content) -> str:
    return f"<ol class=found>{''.join(f'<li>{together(line)}</li>' for line in content.found)}</ol>"


def _failures(content: Content) -> str:
    lines = "".join(f"<li>{escape(line)}</li>" for line in content.failures)
    return f'<ul class="fails">{lines}</ul>' if lines else ""


def _figure(drawn: DrawnFigure) -> str:
    name, title = drawn.picture.name, drawn.picture.title
    return f'<section id="figure-{name}"><h3>{escape(title)}</h3>{figure(drawn)}</section>'


def _findings(content: Content) -> str:
    return "".join(
        f"<h3>{escape(title)}</h3><p>{escape(text)}</p><p class=number>{together(number)}</p>"
        for title, text, number in content.findings
    )


def _table(one: FilledTable) -> str:
    """A long table is folded."""
    unfolded = " open" if len(one.rows) <= SHORT else ""
    return (
        f'<details class=table id="table-{one.name}"{unfolded}><summary><h3>{escape(one.title)}</h3> '
        f"<span class=where>{len(one.rows)} rows</span></summary><p>{together(one.caption)}</p>"
        f"{table(one.title, one.headings, one.rows)}</details>"
    )
