"""The HTML of the pages, as Jinja2 templates: compiled once, and escaping whatever is put into them.

`page.html` is the frame of `overview.html`, `task.html` and `message.html`. `regions.html` has a macro for each part of
a page that changes while it is open, and `macros.html` has the pieces that several of them share.
"""

import re
from collections.abc import Iterable

from jinja2 import Environment, PackageLoader, StrictUndefined
from jinja2.ext import Extension
from jinja2.lexer import Token, TokenStream
from markupsafe import Markup

from hgldp.collector.dashboard.format import (
    at_most_epsilon,
    described,
    in_full,
    iso,
    item_literal,
    number,
    rate,
    reports,
    short,
    size,
    utc,
    visible,
)
from hgldp.model.estimate import NO_CLEAR_TOP, ORDINARY, WARM_UP_ALONE, raw_items

FILTERS = (at_most_epsilon, described, in_full, iso, item_literal, number, rate, raw_items, reports, short, size, utc)
INDENTATION = re.compile(r"(\A|(?<=>))\n\s*(?=<|\Z)")


class TightMarkup(Extension):
    """Drops line breaks between tags, so that templates can be indented while live events stay small."""

    def filter_stream(self, stream: TokenStream) -> Iterable[Token]:
        """Tokens of the template, those of HTML without their indentation."""
        for token in stream:
            if token.type == "data":
                yield Token(token.lineno, token.type, INDENTATION.sub("", token.value))
            else:
                yield token


def _shown(value: object) -> object:
    """Every value passes here before it is escaped: strangers choose names and items."""
    if isinstance(value, Markup | int | float):
        return value
    return visible(str(value))


def _environment() -> Environment:
    made = Environment(
        loader=PackageLoader("hgldp.collector.dashboard"),
        extensions=[TightMarkup],
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_shown,
        auto_reload=False,
    )
    made.filters.update({each.__name__: each for each in FILTERS})
    made.globals.update(why_noise=ORDINARY, no_clear_top=NO_CLEAR_TOP, warm_up_alone=WARM_UP_ALONE)
    return made


ENVIRONMENT = _environment()
REGIONS = ENVIRONMENT.get_template("regions.html").module


def render(template: str, /, **values: object) -> str:
    """A whole page. A value that the template needs and does not get is an error."""
    return ENVIRONMENT.get_template(f"{template}.html").render(values)


def region(name: str, /, *values: object) -> Markup:
    """What the macro of this name in `regions.html` makes of the values."""
    found: Markup = getattr(REGIONS, name)(*values)
    return found
