"""Texts and tables as HTML."""

import re
from collections.abc import Iterable, Sequence
from html import escape

_WITHIN = re.compile(r",(?=[a-z])")


def together(text: str) -> str:
    """A number and its error or unit stay on one line; the name of a generator may break after a comma.

    >>> together("0.1 ± 0.2 of 1,000"), together("zipf:n=10,s=1.1")
    ('0.1&nbsp;±&nbsp;0.2 of 1,000', 'zipf:n=10,<wbr>s=1.1')
    """
    return _WITHIN.sub(",<wbr>", escape(text).replace(" ± ", "&nbsp;±&nbsp;").replace(" %", "&nbsp;%"))


def table(title: str, headings: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table in a box of its own: where it is too wide, the box scrolls and not the page."""
    head = f"<thead><tr>{''.join(f'<th>{together(cell)}</th>' for cell in headings)}</tr></thead>" if headings else ""
    body = "".join(f"<tr>{''.join(f'<td>{together(cell)}</td>' for cell in row)}</tr>" for row in rows)
    box = f'<div class=wide tabindex=0 role=region aria-label="{escape(title)}">'
    return f"{box}<table>{head}<tbody>{body}</tbody></table></div>"
