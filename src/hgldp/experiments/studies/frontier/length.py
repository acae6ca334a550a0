"""PFR's accuracy against the number of reports, at budgets from 0.25 to 8, with nothing tuned."""

from matplotlib.figure import Figure

from hgldp.experiments.measurement import COLD, Measurement
from hgldp.experiments.plotting.axes import plain_numbers
from hgldp.experiments.plotting.look import DASHED, MARKERS, SEQUENCE, Look
from hgldp.experiments.plotting.panels import Point, curve, grid, legend_below, name_axes
from hgldp.experiments.results import Results
from hgldp.experiments.scale import FULL, Scale
from hgldp.experiments.studies.study import Picture, Study, Sweep, Topic
from hgldp.model.frontier_size import LISTED_CELLS
from hgldp.model.task import FRONTIER
from hgldp.simulation.generators import parse_generator

EPSILONS = (0.25, 0.5, 1.0, 2.0, 4.0, 8.0)
LENGTHS = (50_000, 150_000, 500_000, 1_500_000, 4_000_000, 8_000_000)
FEW = 2
MOST_REPEATS = 5
UNLIMITED = "olh"
ACROSS = "length of the stream (reports)"
TICKS = (100_000, 1_000_000)
METRICS = {"precision": "precision", "ndcg": "NDCG"}


def stream_of(length: int) -> str:
    """Zipf over a hundred thousand items."""
    return f"zipf:n={length},d=100000,s=1.1"


def measurements(scale: Scale) -> list[Measurement]:
    """PFR by its defaults, and OLH with a counter for each item beside it; short streams alone in a quick look."""
    lengths = LENGTHS if scale.items >= FULL.items else LENGTHS[:FEW]
    return [
        one
        for length in lengths
        for seed in scale.seeds[:MOST_REPEATS]
        for epsilon in EPSILONS
        for one in (
            Measurement(stream_of(length), FRONTIER, epsilon, seed, warmup=COLD),
            Measurement(stream_of(length), UNLIMITED, epsilon, seed, warmup=COLD),
        )
    ]


def draw_length(results: Results) -> Figure:
    """A panel for each metric; the oracle hollow and dashed in the same colour."""
    figure, axes = grid(len(METRICS), len(METRICS))
    for (metric, title), panel in zip(METRICS.items(), axes, strict=True):
        panel.set_xscale("log")
        for number, (epsilon, some) in enumerate(results.by("epsilon").items()):
            colour, marker = SEQUENCE[number], MARKERS[number]
            olh = Look(f"OLH (memory ~ d), ε = {epsilon:g}", colour, marker, DASHED, hollow=True)
            curve(panel, _points(some.where(scheme="pfr")), metric, Look(f"PFR, ε = {epsilon:g}", colour, marker))
            curve(panel, _points(some.where(scheme="olh")), metric, olh)
        panel.set_xlim(TICKS[0] / 2.5, TICKS[-1] * 9)
        panel.set_xticks(TICKS)
        plain_numbers(panel.xaxis)
        name_axes(panel, f"{title} of the top 20", ACROSS, metric)
    legend_below(figure, axes)
    return figure


def _points(some: Results) -> list[Point]:
    by_stream = some.by("stream").items()
    return sorted(((float(parse_generator(str(stream)).n), rows) for stream, rows in by_stream), key=lambda one: one[0])


SWEEP = Sweep("frontier-length", "PFR against the number of reports", measurements, judged=False)

PICTURE = Picture(
    "frontier-length",
    "PFR against the number of reports, with nothing tuned",
    f"Zipf 1.1 over 100,000 items, no warm-up. PFR: {LISTED_CELLS:,} cells and 16 kB, its defaults, at every ε and"
    " length; the length is not known beforehand. OLH: a counter for each item, 400 kB. Bars: 95 % confidence interval"
    " of the mean.",
    ("frontier-length",),
    draw_length,
)

STUDY = Study("frontier-length", Topic.FRONTIER, sweeps=(SWEEP,), pictures=(PICTURE,))
