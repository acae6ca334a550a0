"""Templates that escape whatever is put into them, unless it came out of a template itself."""

import re
from functools import cache
from html import escape
from importlib.resources import files

from hgldp.collector.dashboard.visible import visible

PLACE = re.compile(r"\$([a-z_]+)")


class Html(str):
    """Text that is HTML already."""

    __slots__ = ()


def html(value: object) -> Html:
    """Any value as HTML that shows it.

    >>> html("<b>"), html(Html("<b>"))
    ('&lt;b&gt;', '<b>')
    """
    return value if isinstance(value, Html) else Html(escape(visible(str(value))))


def joined(*parts: Html) -> Html:
    """Pieces of HTML, one after the other."""
    return Html("".join(parts))


def fill(template: str, /, **values: object) -> Html:
    """The template of this name with a value for each of its names: a missing one and a needless one are both bugs."""
    texts, names = _template(template)
    if needless := values.keys() - names:
        raise KeyError(f"{template} has no place for {', '.join(sorted(needless))}")
    parts = [texts[0]]
    for name, text in zip(names, texts[1:], strict=True):
        parts += (html(values[name]), text)
    return Html("".join(parts))


@cache
def _template(name: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The texts around the places, and the name of each place."""
    file = files(__package__).joinpath("templates", f"{name}.html")
    parts = PLACE.split(file.read_text(encoding="utf-8").rstrip("\n"))
    return tuple(parts[::2]), tuple(parts[1::2])
