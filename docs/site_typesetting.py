"""A hook of MkDocs: where a line may break, what is a power, and a figure that opens by itself.

The pages are written in plain Markdown, for a code host too. On the site `--open` is not torn after its first hyphen,
a long name of a test breaks between its words, a number stays with its unit, and `e^ε` becomes a power. A short cell
of a table stays on one line; a long one keeps a readable width on a phone, where the table scrolls inside its box; the
error of a row without numbers takes the room of the numbers. An example with `>>>` shows its output apart from its
input. The pages of the API are left alone.
"""

import re
from html import unescape
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mkdocs.structure.pages import Page

_WHOLE = 36  # letters of code that stay in one piece
_SHORT_HEAD, _SHORT, _LONG = 8, 20, 36  # letters of a cell
_MOST_COLUMNS = 8
_EXAMPLE = re.compile(r"^```python\n(?=>>> )", re.MULTILINE)
_TABLE = re.compile(r"<table>.*?</table>", re.DOTALL)
_CELL = re.compile(r"<(t[hd])( style=\"[^\"]*\")?>(.*?)</t[hd]>", re.DOTALL)
_TAG = re.compile(r"<[^>]+>")
_APART = re.compile(r"(<pre\b.*?</pre>|<code>.*?</code>|<[^>]+>)", re.DOTALL)
_EMPTY_CELLS = re.compile(r"(?:<td></td>\s*){3,}<td>([^<]+)</td>\s*</tr>")
_FIGURE = re.compile(r"(?<!\">)<img [^>]*?src=\"([^\"]+)\"[^>]*>")
_JOINS = (
    (re.compile(r"(?<=\d) (?=(?:%|[kKMG]B|ms|ns)(?!\w))"), "\u00a0"),
    (re.compile(r"(?<!\w)(\w) ([=≤≥]) (?=[\d.¼−])"), "\\1\u00a0\\2\u00a0"),
    (re.compile(r"(?<=[±×]) (?=[\d.])|(?<=\d) (?=×)"), "\u00a0"),
    (re.compile(r"(?<=\w)([:,])(?=[a-z]+=[\d.]+(?:[,;:. <]|$))"), r"\1<wbr>"),
    (re.compile(r"(?<=[\w)])\^(?:\(([^()]*)\)|(−?\w+))"), "<sup>\\1\\2</sup>"),
)


def on_page_markdown(markdown: str, **_: Any) -> str:
    """Tell the highlighter which examples are typed at a prompt."""
    return _EXAMPLE.sub("```pycon\n", markdown)


def on_page_content(html: str, page: "Page", **_: Any) -> str:  # MkDocs passes html by name
    """Set one page, unless it belongs to the API."""
    if page.file.src_uri.startswith("reference/"):
        return html
    html = _EMPTY_CELLS.sub(lambda row: f'<td colspan="{row[0].count("<td>")}">{row[1]}</td></tr>', html)
    html = _FIGURE.sub(r'<a class="figure" href="\1">\g<0></a>', html)
    if not page.file.src_uri.startswith("reproduction/"):  # the tables of the report have one width for all
        html = _TABLE.sub(lambda table: cells(table[0]), html)
    return typeset(html)


def typeset(html: str) -> str:
    """The same HTML with its lines breaking where they should; blocks of code stay as they are.

    >>> typeset("at most e^(ε/2), <code>--open</code>")
    'at most e<sup>ε/2</sup>, <code><span class="whole">--open</span></code>'
    >>> typeset("<p>95 % at ε = 2</p><pre>95 %</pre>").replace(chr(0xA0), "~")
    '<p>95~% at ε~=~2</p><pre>95 %</pre>'
    """
    parts = _APART.split(html)
    for place, part in enumerate(parts):
        if part.startswith("<code>"):
            parts[place] = f"<code>{' '.join(map(code_word, part[6:-7].split(' ')))}</code>"
        elif place % 2 == 0 and not parts[place - 1].startswith("<th"):  # a head of a column breaks where it must
            for pattern, joined in _JOINS:
                parts[place] = pattern.sub(joined, parts[place])
    return "".join(parts)


def code_word(word: str) -> str:
    """One word of code in a sentence: in one piece if it is short, else with places to break.

    >>> code_word("k"), code_word("tests/a_file.py::test_that_something_is_so")
    ('k', 'tests/<wbr>a_<wbr>file.py::<wbr>test_<wbr>that_<wbr>something_<wbr>is_<wbr>so')
    """
    if len(unescape(word)) > _WHOLE:
        return re.sub(r"/|_|::|,|=|&amp;", r"\g<0><wbr>", word)
    return f'<span class="whole">{word}</span>' if re.search(r"\W", word) else word


def cells(table: str) -> str:
    """A table whose cells say whether they are short or long, unless it has too many columns for that.

    >>> cells("<table><tr><td>0.97 / 0.91 / 604</td><td>some words</td></tr></table>")
    '<table><tr><td class="short">0.97 / 0.91 / 604</td><td class="short">some words</td></tr></table>'
    """
    if table.partition("</tr>")[0].count("</t") > _MOST_COLUMNS:
        return table

    def marked(cell: re.Match[str]) -> str:
        kind, style, content = cell[1], cell[2] or "", cell[3]
        letters = len(unescape(_TAG.sub("", content)))
        short = letters <= (_SHORT_HEAD if kind == "th" else _SHORT)
        mark = ' class="short"' if short else ' class="long"' if letters > _LONG else ""
        return f"<{kind}{style}{mark}>{content}</{kind}>"

    return _CELL.sub(marked, table)
