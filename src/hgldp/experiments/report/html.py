"""The report as one HTML page that needs nothing else."""

import re
from collections.abc import Iterable, Sequence
from html import escape

from hgldp.experiments.report.content import Content, DrawnFigure, summary

_PROLOGUE = re.compile(r"^.*?(?=<svg)", re.DOTALL)
_METADATA = re.compile(r"<metadata>.*?</metadata>", re.DOTALL)
_NAMES = re.compile(r'(id="|url\(#|href="#)')
CLASSES = {True: "holds", False: "fails", None: "open"}
Section = tuple[str, str, str]


def as_html(content: Content) -> str:
    """The page: contents, settings, claims, findings, figures, tables."""
    sections = [*_front(content), *_figures(content), *_tables(content)]
    links = "".join(f'<li><a href="#{name}">{escape(title)}</a></li>' for name, title, _ in sections)
    body = "".join(f'<section id="{name}"><h2>{escape(title)}</h2>{text}</section>' for name, title, text in sections)
    intro = "".join(f"<p>{escape(line)}</p>" for line in summary(content))
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>HG-LDP, reproduced</title>'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<style>{STYLE}</style></head><body><nav><ol>{links}</ol></nav>"
        f"<main><h1>The paper, reproduced</h1>{intro}{body}</main></body></html>\n"
    )


def _front(content: Content) -> list[Section]:
    failed = "".join(f"<li>{escape(line)}</li>" for line in content.failures)
    broken = [("failed", "What failed", f'<ul class="fails">{failed}</ul>')] if content.failures else []
    findings = "".join(
        f"<h3>{escape(title)}</h3><p>{escape(text)}</p><p class=number>{escape(number)}</p>"
        for title, text, number in content.findings
    )
    return [
        ("settings", "Settings, machine, versions", _table((), content.settings)),
        *broken,
        ("claims", "Claims of the paper", _claims(content)),
        ("findings", "Findings", findings),
    ]


def _claims(content: Content) -> str:
    rows = []
    for claim in content.claims:
        for place, (who, holds, word, number, why) in enumerate(claim.verdicts):
            span = f' rowspan="{len(claim.verdicts)}"'
            first = f"<td{span}>{escape(claim.section)}</td><td{span}>{escape(claim.text)}</td>" if not place else ""
            verdict = f'<td class="{CLASSES[holds]}">{escape(word)}</td>'
            rows.append(
                f"<tr>{first}<td>{escape(who)}</td>{verdict}<td>{_together(number)}</td><td>{escape(why)}</td></tr>"
            )
    heads = ("section", "claim", "implementation", "verdict", "number", "what was compared")
    return (
        f"<div class=wide><table><tr>{''.join(f'<th>{head}</th>' for head in heads)}</tr>{''.join(rows)}</table></div>"
    )


def _figures(content: Content) -> list[Section]:
    return [(f"figure-{figure.picture.name}", figure.picture.title, _figure(figure)) for figure in content.figures]


def _figure(figure: DrawnFigure) -> str:
    broken = f'<p class="fails">Broken: {escape(figure.failure)}.</p>' if figure.failure else ""
    picture = f"<div class=plate>{inlined(figure.svg, figure.picture.name)}</div>" if figure.svg else ""
    return f"<figure>{picture}{broken}<figcaption>{escape(figure.picture.caption)}</figcaption></figure>"


def inlined(svg: str, name: str) -> str:
    """An SVG as part of a page: no prologue, and names that no other figure has."""
    bare = _METADATA.sub("", _PROLOGUE.sub("", svg))
    return _NAMES.sub(lambda found: f"{found[1]}{name}-", bare)


def _tables(content: Content) -> list[Section]:
    return [
        (f"table-{table.name}", table.title, f"{_table(table.headings, table.rows)}<p>{escape(table.caption)}</p>")
        for table in content.tables
    ]


def _table(headings: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    head = f"<tr>{''.join(f'<th>{_together(cell)}</th>' for cell in headings)}</tr>" if headings else ""
    body = "".join(f"<tr>{''.join(f'<td>{_together(cell)}</td>' for cell in row)}</tr>" for row in rows)
    return f"<div class=wide><table>{head}{body}</table></div>"


def _together(text: str) -> str:
    """A number and its error or unit stay on one line."""
    return escape(text).replace(" ± ", "&nbsp;±&nbsp;").replace(" %", "&nbsp;%")


# How the page looks, by day and by night; figures keep their white paper.
STYLE = """
:root{color-scheme:light dark;--ink:#1b1f24;--paper:#fff;--line:#d5d9de;--soft:#f5f6f8;--link:#0b5cad;
--good:#00664a;--bad:#a83200;--open:#6b6f76}
@media (prefers-color-scheme:dark){:root{--ink:#e4e7ea;--paper:#15181c;--line:#3a4048;--soft:#1e2227;--link:#7db8f0;
--good:#5fd0a8;--bad:#ff9a6b;--open:#a5abb3}}
*{box-sizing:border-box}
body{margin:0;color:var(--ink);background:var(--paper);font:16px/1.5 system-ui,sans-serif;display:flex}
nav{position:sticky;top:0;height:100vh;overflow:auto;flex:0 0 17rem;padding:1rem;border-right:1px solid var(--line);
font-size:.85rem}
nav ol{margin:0;padding-left:1.4rem}
main{flex:1;min-width:0;max-width:78rem;padding:1rem 2rem 4rem}
a{color:var(--link);text-decoration:none}a:hover{text-decoration:underline}
.wide{overflow-x:auto}
table{border-collapse:collapse;font-size:.85rem;margin:.5rem 0}
th,td{border:1px solid var(--line);padding:.3rem .5rem;text-align:left;vertical-align:top}
th{background:var(--soft)}
figure{margin:0}
.plate{background:#fff;border:1px solid var(--line);border-radius:6px;padding:.5rem;overflow-x:auto}
.plate svg{width:100%;min-width:52rem;height:auto;display:block}
figcaption{font-size:.9rem;margin:.4rem 0 2rem}
.holds{color:var(--good);font-weight:600}.fails{color:var(--bad);font-weight:600}.open{color:var(--open)}
td.holds,td.fails,td.open{white-space:nowrap}
.number{border-left:3px solid var(--line);padding-left:.7rem}
@media (max-width:60rem){body{display:block}nav{position:static;height:auto;border:0}main{padding:1rem}}
@media print{nav{display:none}section{break-inside:avoid}.plate svg{min-width:0}}
"""
