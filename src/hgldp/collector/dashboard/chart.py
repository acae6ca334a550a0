"""Drawings in SVG: interval bars on a common scale, and a line over epochs.

They are made of numbers alone, so nothing needs escaping and no template: a live page draws a bar for every row.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from math import ceil, floor, isfinite, log10

from markupsafe import Markup

from hgldp.collector.dashboard.format import percent, short

MOST_TICKS, LEAST = 4, 1e-9
Point = tuple[float, float]
SPARK_WIDTH, SPARK_HEIGHT, SPARK_EDGE = 96, 24, 3


@dataclass(frozen=True)
class Scale:
    """From the lowest to the highest number that is drawn, zero always among them.

    >>> scale = Scale.over([-20.0, 180.0])
    >>> scale.at(0), scale.ticks
    (10.0, (0.0, 50.0, 100.0, 150.0))
    """

    low: float
    high: float

    @classmethod
    def over(cls, numbers: Sequence[float]) -> "Scale":
        """The scale that holds these numbers."""
        finite = [number for number in numbers if isfinite(number)]
        low, high = min([0.0, *finite]), max([0.0, *finite])
        return cls(low, high if high - low > LEAST else low + 1.0)

    def at(self, number: float) -> float:
        """Where a number stands, in percent of the width; what lies outside stands at the edge."""
        return round(100 * min(1.0, max(0.0, (number - self.low) / (self.high - self.low))), 2)

    @property
    def ticks(self) -> tuple[float, ...]:
        """A few round numbers."""
        rough = (self.high - self.low) / MOST_TICKS
        power = 10.0 ** floor(log10(rough))
        step = next(power * factor for factor in (1, 2, 5, 10) if power * factor >= rough * 0.999)
        first, last = ceil(self.low / step), floor(self.high / step)
        return tuple(step * number for number in range(first, last + 1))


class LogScale(Scale):
    """For numbers that differ by powers of ten: equal steps are equal factors, but 0 has its place too.

    >>> scale = LogScale(0.0, 999.0)
    >>> scale.at(0), scale.at(9), scale.at(999), scale.ticks
    (0.0, 33.33, 100.0, (0.0, 1.0, 10.0, 100.0))
    """

    def at(self, number: float) -> float:
        """Where a number stands, in percent of the width."""
        return round(100 * min(1.0, log10(1 + max(0.0, number)) / log10(1 + self.high)), 2)

    @property
    def ticks(self) -> tuple[float, ...]:
        """Nothing, and the powers of ten; every other one if there are many."""
        last = floor(log10(self.high))
        return (0.0, *(10.0**power for power in range(0, last + 1, 1 + last // (MOST_TICKS + 1))))


def axis(scale: Scale) -> Markup:
    """The round numbers above the bars; the outermost are written inwards."""
    places = ((scale.at(tick), short(tick)) for tick in scale.ticks)
    texts = [f'<text x="{at}%" y="10" text-anchor="{_anchor(at)}">{text}</text>' for at, text in places if at < 97]
    return Markup(f'<svg class="axis" aria-hidden="true" focusable="false">{"".join(texts)}</svg>')  # noqa: S704


def _anchor(place: float) -> str:
    return "start" if place < 3 else "middle" if place < 92 else "end"


def interval_bar(scale: Scale, estimate: float, low: float, high: float) -> Markup:
    """A bar from zero to the estimate, with whiskers from low to high. The style sheet has what all bars share."""
    zero, middle, first, last = scale.at(0.0), scale.at(estimate), scale.at(low), scale.at(high)
    start, length, span = min(zero, middle), round(abs(middle - zero), 2), round(last - first, 2)
    return Markup(  # noqa: S704
        '<svg class="bar" aria-hidden="true" focusable="false">'
        f'<rect class="zero" x="{zero}%"/>'
        f'<rect class="mass" x="{start}%" width="{length}%"/>'
        f'<rect class="whisker" x="{first}%" width="{span}%"/>'
        f'<rect class="cap" x="{first}%"/><rect class="cap" x="{last}%"/>'
        f'<circle class="point" cx="{middle}%"/></svg>'
    )


@lru_cache(maxsize=4096)
def sparkline(shares: tuple[float | None, ...], of: str = "reports") -> Markup:
    """The share of all that was counted, epoch by epoch; a gap where the item was not among the best."""
    known = [share for share in shares if share is not None]
    if len(known) < 2:
        return Markup()
    top = max([*known, 1e-12])
    across = (SPARK_WIDTH - 2 * SPARK_EDGE) / (len(shares) - 1)
    points = [
        None
        if share is None
        else (
            round(SPARK_EDGE + number * across, 1),
            round(SPARK_HEIGHT - SPARK_EDGE - (SPARK_HEIGHT - 2 * SPARK_EDGE) * max(0.0, share) / top, 1),
        )
        for number, share in enumerate(shares)
    ]
    runs = _runs(points)
    if max(map(len, runs)) < 2:
        return Markup()
    floor_y = SPARK_HEIGHT - SPARK_EDGE
    lines = ["M" + "L".join(f"{x} {y}" for x, y in run) for run in runs]
    areas = [f"{line}L{run[-1][0]} {floor_y}L{run[0][0]} {floor_y}Z" for line, run in zip(lines, runs, strict=True)]
    x, y = runs[-1][-1]
    label = f"from {percent(known[0])} to {percent(known[-1])} of the {of} over {len(shares)} epochs"
    if away := len(shares) - len(known):
        label += f", not in the top in {away} of them"
    size = f'width="{SPARK_WIDTH}" height="{SPARK_HEIGHT}" viewBox="0 0 {SPARK_WIDTH} {SPARK_HEIGHT}"'
    return Markup(  # noqa: S704
        f'<svg class="spark" role="img" {size}><title>{label}</title><path class="area" d="{"".join(areas)}"/>'
        f'<path d="{"".join(lines)}"/><circle cx="{x}" cy="{y}" r="2.5"/></svg>'
    )


def _runs(points: Sequence[Point | None]) -> list[list[Point]]:
    """Points without a gap between them."""
    runs: list[list[Point]] = []
    for before, point in pairwise([None, *points]):
        if point is not None:
            if before is None:
                runs.append([])
            runs[-1].append(point)
    return runs
