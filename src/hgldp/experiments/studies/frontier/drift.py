"""A stream that changes: a synthetic one whose whole top is replaced half-way, and a shop's year."""

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import NDArray

from hgldp.experiments.measurement import COLD, Measurement, Settings
from hgldp.experiments.measuring.over_time import HALF_WAY, REPLACED, STEPS, at_step
from hgldp.experiments.plotting.look import (
    DASH_DOT,
    DASHED,
    DOTTED,
    GREY,
    METRICS,
    SCHEMES,
    SEQUENCE,
    Look,
    stream_place,
    stream_title,
)
from hgldp.experiments.plotting.panels import SMALL, grid, legend_below
from hgldp.experiments.results import Results
from hgldp.experiments.scale import Scale
from hgldp.experiments.studies.study import Picture, Study, Sweep, Topic
from hgldp.model.frontier_size import LISTED_CELLS
from hgldp.model.task import FRONTIER

ASKED = 40
EPSILONS = (2.0, 4.0)
MOST_REPEATS = 5
LONG = 10
FOLLOWERS: dict[str, tuple[str, str, Settings]] = {
    "half-life 1/4": (FRONTIER, COLD, (("half_life", "1/4"),)),
    "half-life 1/8": (FRONTIER, COLD, (("half_life", "1/8"),)),
    "half-life 1/16": (FRONTIER, COLD, (("half_life", "1/16"),)),
    "half-life 1/4, window 1/8": (FRONTIER, COLD, (("half_life", "1/4"), ("window", "1/8"))),
    "window 1/10": (FRONTIER, COLD, (("memory", 49_152), ("window", "1/10"))),
    "dsr": ("dsr", "1%", ()),
    "cnr": ("cnr", "1%", ()),
    "recent oracle": ("olh", COLD, (("window", "1/10"),)),
}
COLUMNS = 2
ACROSS = "seen of the stream (%)"
LOOKS = {
    "half-life 1/4": Look("PFR, half-life n/4", SEQUENCE[5], "", DASHED),
    "half-life 1/8": Look("PFR, half-life n/8", SEQUENCE[0]),
    "half-life 1/16": Look("PFR, half-life n/16", SEQUENCE[1], "", DASH_DOT),
    "half-life 1/4, window 1/8": Look("PFR, half-life n/4, last n/8", SEQUENCE[4], "^"),
    "window 1/10": Look("PFR in 48 kB, last n/10", SEQUENCE[6], "", DOTTED),
    "dsr": Look("DSR, 1 % warm-up", SCHEMES["dsr"].colour, "s"),
    "cnr": Look("CNR, 1 % warm-up", SCHEMES["cnr"].colour, "P"),
    "recent oracle": Look("OLH, last n/10 alone", SCHEMES["olh"].colour, "X", DASHED, hollow=True),
}
ENOUGH = 0.9
Curve = Sequence[float] | NDArray[np.float64]


def changing(scale: Scale) -> dict[str, Settings]:
    """The streams with what changes in them; the shop's year only where there is a copy."""
    replaced: Settings = ((REPLACED, HALF_WAY),)
    shop: dict[str, Settings] = {scale.timestamped: ()} if scale.timestamped else {}
    return {f"zipf:n={LONG * scale.items},d=10000,s=1.1": replaced, **shop}


def measurements(scale: Scale) -> list[Measurement]:
    """Everybody on every stream that changes."""
    return [
        Measurement(stream, scheme, epsilon, seed, warmup=warmup, settings=((STEPS, ASKED), *change, *settings))
        for stream, change in changing(scale).items()
        for seed in scale.seeds[:MOST_REPEATS]
        for epsilon in EPSILONS
        for scheme, warmup, settings in FOLLOWERS.values()
    ]


def draw_drift(results: Results) -> Figure:
    """A row for each stream, a column for each ε."""
    by_stream = results.by("stream")
    budgets = list(results.by("epsilon"))
    figure, axes = grid(len(by_stream) * len(budgets), min(COLUMNS, len(budgets)))
    panels = iter(axes)
    for stream in sorted(by_stream, key=stream_place):
        for epsilon in budgets:
            panel = next(panels)
            some = by_stream[stream].where(epsilon=epsilon)
            _draw_panel(panel, some)
            panel.set_title(f"{stream_title(str(stream))}, ε = {epsilon:g}", fontsize=10)
    legend_below(figure, axes)
    return figure


def _draw_panel(panel: Axes, results: Results) -> None:
    seen = 100 * np.arange(1, ASKED + 1) / ASKED
    for name, look in LOOKS.items():
        scheme, _, settings = FOLLOWERS[name]
        wanted = {part: dict(settings).get(part) for part in ("half_life", "window")}
        some = results.where(scheme=scheme, **wanted)
        if len(some):
            style = look.style | {"markersize": 3.5, "markevery": 4}
            panel.plot(seen, [some.mean(at_step(step)) for step in range(1, ASKED + 1)], **style)
    if len(results.where(replaced=HALF_WAY)):
        panel.axvline(50, color=GREY, linewidth=0.9)
        panel.annotate("the whole top\nis replaced", (50, 0), (48.5, 0.02), fontsize=SMALL - 1, ha="right", color=GREY)
    panel.set_ylim(-0.03, 1.03)
    panel.set_xlim(0, 101)
    panel.set_xlabel(ACROSS, fontsize=SMALL)
    panel.set_ylabel(f"recent {METRICS['precision']}", fontsize=SMALL)


def steady_before(curve: Curve, change: float) -> float:
    """The mean over the second half of the time before the change: a quarter of the stream if that is half-way.

    >>> steady_before([0.1, 0.2, 0.8, 0.9, 0.0, 0.0, 0.0, 0.0], 0.5)
    0.85
    """
    steps = round(change * len(curve))
    return round(float(np.mean(curve[steps // 2 : steps])), 6)


def steady_after_start(curve: Curve) -> float:
    """The median over the second half: for a stream that has seasons, and no one change."""
    return float(np.median(curve[len(curve) // 2 :]))


def time_below(curve: Curve, steady: float) -> list[tuple[float, bool]]:
    """Each stay below 90 % of the steady value: for which share of the curve, and whether it ended within it.

    >>> time_below([0.9, 0.2, 0.3, 0.9, 0.9, 0.9, 0.9, 0.1], steady=1.0)
    [(0.25, True), (0.125, False)]
    """
    below = [value < ENOUGH * steady - 1e-12 for value in curve]
    stays: list[tuple[float, bool]] = []
    length = 0
    for one in below:
        if one:
            length += 1
        elif length:
            stays.append((length / len(below), True))
            length = 0
    return [*stays, (length / len(below), False)] if length else stays


def back_after(curve: Curve, change: float, steady: float) -> float | None:
    """The share of the stream from the change until the first stay below 90 % is over; None if it never is.

    >>> back_after([0.9, 0.9, 0.9, 0.9, 0.9, 0.2, 0.4, 0.9], 0.5, steady=0.9)
    0.5
    >>> back_after([0.9, 0.9, 0.9, 0.9, 0.8, 0.2, 0.4, 0.8], 0.5, steady=0.9) is None
    True
    """
    first, dropped = round(change * len(curve)), False
    for step in range(first, len(curve)):
        enough = curve[step] >= ENOUGH * steady - 1e-12
        if dropped and enough:
            return (step + 1 - first) / len(curve)
        dropped = dropped or not enough
    return None if dropped else 0.0


SWEEP = Sweep("frontier-drift", "Who follows a stream that changes", measurements, judged=False)

PICTURE = Picture(
    "frontier-drift",
    "Who follows a stream that changes",
    "The share of the last tenth's true top 20 that is in the answer, mean of at most 5 repeats, PFR with"
    f" {LISTED_CELLS:,} cells and 16 kB unless said otherwise; “last n/8” is what it answers when asked for that"
    " window. Zipf: the 20 most frequent items change places with others halfway. online-retail, where the folder of"
    " data has it: a shop's year with its seasons. OLH has a counter for each item and starts anew for each"
    " answer, from the reports of the last tenth. Eight bands would hide each other: the repeats are in the CSV.",
    ("frontier-drift",),
    draw_drift,
)

STUDY = Study("frontier-drift", Topic.FRONTIER, sweeps=(SWEEP,), pictures=(PICTURE,))
