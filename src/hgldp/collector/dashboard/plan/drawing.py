"""What is found over the days, as SVG: a line with its error for each stream, on days by factors."""

from collections.abc import Sequence
from math import log

from markupsafe import Markup, escape

from hgldp.planning.forecast import STOPS, Row

WIDTH, HEIGHT = 360, 220
LEFT, RIGHT, TOP, BOTTOM = 34, 10, 10, 34
SHARES = (0.0, 0.25, 0.5, 0.75, 1.0)


def drawing(rows: Sequence[Row], metric: str, name: str) -> Markup:
    """The lines; the style sheet has their colours, by their place."""
    titles = list(dict.fromkeys(row.shape for row in rows))
    grid = [
        f'<line class="grid" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{_y(share)}" y2="{_y(share)}"/>'
        f'<text x="{LEFT - 5}" y="{_y(share) + 4}" text-anchor="end">{share:g}</text>'
        for share in SHARES
    ]
    days = [f'<text x="{_x(day)}" y="{HEIGHT - BOTTOM + 15}" text-anchor="middle">{day}</text>' for day in STOPS]
    axis = f'<text x="{(WIDTH + LEFT) / 2}" y="{HEIGHT - 4}" text-anchor="middle">days since the launch</text>'
    lines = [_line(place, [row for row in rows if row.shape == title], metric) for place, title in enumerate(titles)]
    label = escape(f"{name} over the days since the launch: {', '.join(titles)}; the table has the numbers")
    return Markup(  # noqa: S704
        f'<svg class="plan-plot" role="img" viewBox="0 0 {WIDTH} {HEIGHT}"><title>{label}</title>'
        f"{''.join(grid)}{''.join(days)}{axis}{''.join(lines)}</svg>"
    )


def _line(place: int, rows: Sequence[Row], metric: str) -> str:
    found = [(row.days, row.at(metric)) for row in rows]
    path = "L".join(f"{_x(day)} {_y(share.mean)}" for day, share in found)
    marks = [
        f'<line x1="{_x(day)}" x2="{_x(day)}" y1="{_y(share.interval[0])}" y2="{_y(share.interval[1])}"/>'
        f'<circle cx="{_x(day)}" cy="{_y(share.mean)}" r="3"/>'
        for day, share in found
    ]
    return f'<g class="line line-{place}"><path d="M{path}"/>{"".join(marks)}</g>'


def _x(day: float) -> float:
    return round(LEFT + 8 + (WIDTH - LEFT - RIGHT - 16) * log(day) / log(STOPS[-1]), 1)


def _y(share: float) -> float:
    return round(TOP + (HEIGHT - TOP - BOTTOM) * (1 - min(1.0, max(0.0, share))), 1)
