"""Bulletins per epoch instead of per report: what they cost to publish, and what rarer ones cost in accuracy."""

from matplotlib.figure import Figure

from hgldp.experiments.measurement import HOT_LISTS, Measurement, Setting
from hgldp.experiments.plotting.axes import plain_numbers
from hgldp.experiments.plotting.look import SCHEMES, stream_place
from hgldp.experiments.plotting.panels import curve, grid, legend_below, name_axes
from hgldp.experiments.results import Results
from hgldp.experiments.scale import Scale
from hgldp.experiments.studies.study import Picture, Study, Sweep, Topic

EPSILON = 2.0
SHARES_OF_THE_STREAM = (1e-4, 3e-4, 1e-3, 3e-3, 1e-2)
SHORTEST = (1, 3)
METRICS = {"published_bytes_per_report": "cost of bulletins", "ndcg": "NDCG", "aae": "average absolute error"}
ACROSS = "epoch length (reports)"


def lengths(items: int) -> list[int]:
    """From one report to 1 % of the stream.

    >>> lengths(100_000)
    [1, 3, 10, 30, 100, 300, 1000]
    """
    return sorted({*SHORTEST, *(max(1, round(share * items)) for share in SHARES_OF_THE_STREAM)})


def measurements(scale: Scale) -> list[Measurement]:
    """Epochs of one length from beginning to end: they do not grow with the stream, as they do by default."""
    streams = (scale.synthetic("normal", 1000), scale.synthetic("exponential", 1000))
    found = []
    for stream in streams:
        for seed in scale.seeds:
            for length in lengths(scale.items):
                settings: tuple[tuple[str, Setting], ...] = (("epoch", length), ("growth", 0.0))
                found += [Measurement(stream, scheme, EPSILON, seed, settings=settings) for scheme in HOT_LISTS]
    return found


def draw_epochs(results: Results) -> Figure:
    """A row for each stream; BGR's clients need no bulletin."""
    by_stream = results.by("stream")
    figure, axes = grid(len(by_stream) * len(METRICS), len(METRICS))
    panels = iter(axes)
    for stream in sorted(by_stream, key=stream_place):
        for metric, title in METRICS.items():
            panel = next(panels)
            panel.set_xscale("log")
            plain_numbers(panel.xaxis)
            for name in HOT_LISTS:
                by_length = by_stream[stream].where(scheme=name).by("epoch")
                points = [(float(length), some) for length, some in by_length.items() if isinstance(length, int)]
                curve(panel, points, metric, SCHEMES[name])
            name_axes(panel, f"{str(stream).partition(':')[0]}, {title}", ACROSS, metric, near_one=True)
    legend_below(figure, axes)
    return figure


SWEEP = Sweep("epochs", "Bulletins per epoch instead of per report", measurements)

PICTURE = Picture(
    "epochs",
    "Bulletins per epoch instead of per report",
    "ε = 2, d = 1,000. Bytes of all bulletins over the number of reports: what a client that follows every bulletin"
    " fetches. Epochs have one length here; by default they grow with the stream. The paper has one report an epoch."
    " Left: DSR, BDR and CNR lie on one line, BGR needs no bulletin. Bars: 95 % confidence interval of the mean.",
    ("epochs",),
    draw_epochs,
)

STUDY = Study("epochs", Topic.COSTS, sweeps=(SWEEP,), pictures=(PICTURE,))
