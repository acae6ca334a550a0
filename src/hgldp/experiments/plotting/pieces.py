"""A figure cut into its panels and its legend, so that a page can put them side by side or one below the other."""

import re
from dataclasses import dataclass
from html import unescape
from math import inf

from matplotlib.figure import Figure

from hgldp.errors import InvalidField

POINTS = 72
ROOM = 3.0
HALF_ROW = 7.0
_PANEL = re.compile(r'^  <g id="axes_\d+">\n.*?^  </g>\n', re.DOTALL | re.MULTILINE)
_LEGEND = re.compile(r'^  <g id="legend_\d+">\n.*?^  </g>\n', re.DOTALL | re.MULTILINE)
_ENTRY = re.compile(r'^   <g id="(?:line2d|patch)_\d+">\n.*?^   </g>\n(?=   <g id="text_)', re.DOTALL | re.MULTILINE)
_TEXT = re.compile(r"<text [^>]*>(.*?)</text>", re.DOTALL)
_SHARED = re.compile(r"^ <defs>\n(?:(?!^ </defs>).)*?<clipPath.*?^ </defs>\n", re.DOTALL | re.MULTILINE)
Window = tuple[float, float, float, float]
_POINT = re.compile(r"[ML] (-?[\d.]+) (-?[\d.]+)")


@dataclass(frozen=True)
class Piece:
    """A part of an SVG: what it shows in words, the window it is seen through (left, top, width, height), its body."""

    label: str
    window: Window
    body: str


@dataclass(frozen=True)
class Pieces:
    """Panels of one size, as many in a row as the figure has; for each line of the legend a sample and its name."""

    columns: int
    panels: tuple[Piece, ...]
    legend: tuple[Piece, ...]


def cut(figure: Figure, svg: str) -> Pieces:
    """Cut the SVG that was made of a figure. The pieces share names, so they belong on one page."""
    bodies = _PANEL.findall(svg)
    if len(bodies) != len(figure.axes):
        raise InvalidField("svg", "must hold every panel of its figure", f"{len(bodies)} of {len(figure.axes)}")
    shared = "".join(_SHARED.findall(svg))
    windows = _windows(figure)
    panels = tuple(
        Piece(axes.get_title(), window, (shared if not place else "") + body)
        for place, (axes, window, body) in enumerate(zip(figure.axes, windows, bodies, strict=True))
    )
    columns = len({round(window[0]) for window in windows})
    return Pieces(columns, panels, _legend(svg))


def _windows(figure: Figure) -> list[Window]:
    """What each panel needs with its title and labels, all of the same size."""
    figure.draw_without_rendering()
    scale, height = POINTS / figure.dpi, figure.get_figheight() * POINTS
    left = right = above = below = -inf
    for axes in figure.axes:
        whole, plot = axes.get_tightbbox(), axes.get_window_extent()
        if whole is None:
            raise InvalidField("figure", "must have visible panels", axes.get_title())
        left, right = max(left, plot.x0 - whole.x0), max(right, whole.x1 - plot.x1)
        above, below = max(above, whole.y1 - plot.y1), max(below, plot.y0 - whole.y0)
    found = []
    for axes in figure.axes:
        plot = axes.get_window_extent()
        size = (plot.width + left + right) * scale + 2 * ROOM, (plot.height + above + below) * scale + 2 * ROOM
        corner = (plot.x0 - left) * scale - ROOM, height - (plot.y1 + above) * scale - ROOM
        found.append(_rounded(*corner, *size))
    return found


def _legend(svg: str) -> tuple[Piece, ...]:
    """A sample is as wide as its line and as high as a row."""
    whole = "".join(_LEGEND.findall(svg))
    samples = [found[0] for found in _ENTRY.finditer(whole)]
    names = [unescape(name) for name in _TEXT.findall(whole)]
    pieces = []
    for name, sample in zip(names, samples, strict=True):
        points = [(float(across), float(down)) for across, down in _POINT.findall(sample.partition("</g>")[0])]
        low, high = min(across for across, _ in points), max(across for across, _ in points)
        window = _rounded(low - 2, points[0][1] - HALF_ROW, high - low + 4, 2 * HALF_ROW)
        pieces.append(Piece(name, window, sample))
    return tuple(pieces)


def _rounded(left: float, top: float, width: float, height: float) -> Window:
    return round(float(left), 2), round(float(top), 2), round(float(width), 2), round(float(height), 2)
