"""Figures as panels that stand side by side where there is room, and one below the other on a phone."""

import re
from html import escape

from hgldp.experiments.plotting.pieces import Piece
from hgldp.experiments.report.content import DrawnFigure

_NAMES = re.compile(r'(id="|url\(#|href="#)')
_FONTS = re.compile(r"font-family: [^;\"]*sans-serif;?")


def figure(drawn: DrawnFigure) -> str:
    """The panels, the legend below them, and what they show."""
    picture = drawn.picture
    broken = f'<p class="fails">Broken: {escape(drawn.failure)}.</p>' if drawn.failure else ""
    plate = ""
    if drawn.pieces.panels:
        panels = "".join(f"<div>{svg(piece, picture.name)}</div>" for piece in drawn.pieces.panels)
        legend = "".join(
            f"<li>{sample(piece, picture.name)}<span>{escape(piece.label)}</span></li>" for piece in drawn.pieces.legend
        )
        across = min(drawn.pieces.columns, 3) if drawn.pieces.columns != 4 else 2
        plate = f'<div class=plate><div class="panels by{across}">{panels}</div><ul class=legend>{legend}</ul></div>'
    return f"<figure>{plate}{broken}<figcaption>{escape(picture.caption)}</figcaption></figure>"


def svg(piece: Piece, name: str) -> str:
    """A panel as wide as its place on the page."""
    window = " ".join(f"{number:g}" for number in piece.window)
    return f'<svg viewBox="{window}" role=img aria-label="{escape(piece.label)}">{inlined(piece.body, name)}</svg>'


def sample(piece: Piece, name: str) -> str:
    """A piece of a line in the legend, as large as it was drawn."""
    window, size = " ".join(f"{number:g}" for number in piece.window), piece.window[2:]
    shape = f'width="{size[0] * 1.3:.0f}" height="{size[1] * 1.3:.0f}"'
    return f'<svg viewBox="{window}" {shape} aria-hidden=true>{inlined(piece.body, name)}</svg>'


def inlined(body: str, name: str) -> str:
    """A part of an SVG as part of a page: the page's fonts, and names that no other figure has."""
    return _NAMES.sub(lambda found: f"{found[1]}{name}-", _FONTS.sub("", body))
