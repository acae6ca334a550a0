"""What bulletins cost to publish, and what rarer ones cost in accuracy."""

from matplotlib.figure import Figure

from hgldp.experiments.figures.log_axis import plain_numbers
from hgldp.experiments.figures.look import SCHEMES
from hgldp.experiments.figures.panels import curve, grid, legend_below, name_axes
from hgldp.experiments.figures.picture import Picture
from hgldp.experiments.figures.streams import stream_place
from hgldp.experiments.results import Results

METRICS = {"published_bytes_per_report": "cost of bulletins", "ndcg": "NDCG", "aae": "average absolute error"}
NAMES = ("bgr", "dsr", "bdr", "cnr")
ACROSS = "epoch length (reports)"


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
            for name in NAMES:
                by_length = by_stream[stream].where(scheme=name).by("epoch")
                points = [(float(length), some) for length, some in by_length.items() if isinstance(length, int)]
                curve(panel, points, metric, SCHEMES[name])
            name_axes(panel, f"{str(stream).partition(':')[0]}, {title}", ACROSS, metric, near_one=True)
    legend_below(figure, axes)
    return figure


EPOCHS = Picture(
    "epochs",
    "Bulletins per epoch instead of per report",
    "ε = 2, d = 1,000. Bytes of all bulletins over the number of reports: what a client that follows every bulletin"
    " fetches. Epochs have one length here; by default they grow with the stream. The paper has one report an epoch."
    " Left: DSR, BDR and CNR lie on one line, BGR needs no bulletin. Bands: 95 % confidence interval of the mean.",
    ("epochs",),
    draw_epochs,
)
