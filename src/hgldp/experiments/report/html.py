"""The report as one HTML page that needs nothing else."""

import re
from collections.abc import Iterable, Sequence
from html import escape

from hgldp.experiments.report.content import Content, Plate
from hgldp.experiments.report.markdown import summary
from hgldp.experiments.report.style import STYLE

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
    return [(f"figure-{plate.picture.name}", plate.picture.title, _figure(plate)) for plate in content.plates]


def _figure(plate: Plate) -> str:
    broken = f'<p class="fails">Broken: {escape(plate.failure)}.</p>' if plate.failure else ""
    picture = f"<div class=plate>{inlined(plate.svg, plate.picture.name)}</div>" if plate.svg else ""
    return f"<figure>{picture}{broken}<figcaption>{escape(plate.picture.caption)}</figcaption></figure>"


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
