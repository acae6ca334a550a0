"""A hook of MkDocs: lines break where a reader would break them, in tables above all.

The error of a row without numbers takes the room of the numbers. A long name may go on in the next line after an
underscore, a stream's after a comma; a number stays with its unit. A figure opens by itself, in any size: on a phone
its panels are too small to read in the page.
"""

import re
from typing import Any

_EMPTY_CELLS = re.compile(r"(?:<td></td>\s*){3,}<td>([^<]+)</td>\s*</tr>")
_CELL = re.compile(r"<td>[^<]{1,20}</td>")
_UNIT = re.compile(r"(?<=[\w°]) (?=[kMG]?B\b|[×±=%])|(?<=[×±=]) (?=\d)")
_LONG_NAME = re.compile(r"(?<=<code>)[\w/.:]{30,}(?=</code>)")
_NAME_PART = re.compile(r"[_/](?=\w)|::")
_STREAM_PART = re.compile(r"(?<=\w)([:,])(?=[a-z]+=[\d.]+(?:[,;:. <]|$))(?![^<]*>)")
_FIGURE = re.compile(r'<p>(<img [^>]*src="([^"]+\.svg)"[^>]*>)</p>')


def on_page_content(html: str, **_: Any) -> str:  # MkDocs passes html by name
    """Called by MkDocs for every page."""
    return _FIGURE.sub(r'<p><a href="\2">\1</a></p>', wrapped(html))


def wrapped(content: str) -> str:
    """HTML whose lines break at the right places, and whose rows without numbers have no empty cells.

    >>> wrapped("<td></td><td></td><td></td><td>it broke</td></tr>")
    '<td colspan="4">it broke</td></tr>'
    >>> wrapped("<td>zipf:n=10,d=5</td><td>16.2 kB</td>")
    '<td>zipf:<wbr>n=10,<wbr>d=5</td><td>16.2&nbsp;kB</td>'
    >>> wrapped("<code>tests/test_a_long_name_of_a_test.py</code>")
    '<code>tests/<wbr>test_<wbr>a_<wbr>long_<wbr>name_<wbr>of_<wbr>a_<wbr>test.py</code>'
    """
    content = _EMPTY_CELLS.sub(lambda row: f'<td colspan="{row[0].count("<td>")}">{row[1]}</td></tr>', content)
    content = _CELL.sub(lambda cell: _UNIT.sub("&nbsp;", cell[0]), content)
    content = _LONG_NAME.sub(lambda name: _NAME_PART.sub(r"\g<0><wbr>", name[0]), content)
    return _STREAM_PART.sub(r"\1<wbr>", content)
