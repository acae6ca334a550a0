"""NDCG, precision and AAE against ε: a panel for each stream, a line for each scheme; ours, and the authors' code."""

from functools import partial

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from hgldp.experiments.figures.look import BUDGET, SCHEMES
from hgldp.experiments.figures.panels import curve, grid, legend_below, level, name_axes
from hgldp.experiments.figures.picture import Picture
from hgldp.experiments.figures.streams import stream_place, stream_title
from hgldp.experiments.measurement import WITHOUT_BUDGET
from hgldp.experiments.results import Results

COLUMNS = 3
COLD = "pfr cold"
OURS, PUBLISHED = "default", "as-published"
LINES = {
    OURS: ("heavyguardian", "warmup", "grr", "hr", "olh", "bgr", "dsr", "bdr", "cnr", "pfr", COLD),
    PUBLISHED: ("heavyguardian", "warmup", "bgr", "dsr", "bdr", "cnr"),
}


def draw_accuracy(results: Results, metric: str, variant: str) -> Figure:
    """All streams that were run; the warm-up alone stands beside every variant."""
    by_stream = results.by("stream")
    streams = sorted(by_stream, key=stream_place)
    figure, axes = grid(len(streams), COLUMNS)
    for stream, panel in zip(streams, axes, strict=True):
        _draw_panel(panel, by_stream[stream], metric, variant)
        name_axes(panel, stream_title(str(stream)), BUDGET, metric, near_one=True)
    legend_below(figure, axes)
    return figure


def _draw_panel(panel: Axes, results: Results, metric: str, variant: str) -> None:
    budgets = [float(epsilon) for epsilon in results.by("epsilon") if isinstance(epsilon, float) and epsilon > 0]
    for name in LINES[variant]:
        some = _line(results, name, variant)
        if name in WITHOUT_BUDGET:
            level(panel, some, metric, SCHEMES[name], budgets)
        else:
            curve(panel, [(epsilon, some.where(epsilon=epsilon)) for epsilon in budgets], metric, SCHEMES[name])


def _line(results: Results, name: str, variant: str) -> Results:
    if name == "warmup":
        return results.where(scheme=name)
    if name == COLD:
        return results.where(scheme="pfr", warmup="0")
    return results.where(scheme=name, variant=variant, warmup="1%")


TITLES = {
    "ndcg": ("NDCG of the top 20 against ε", "1 is the true top 20 in the true order."),
    "precision": ("Precision of the top 20 against ε", "The share of the true top 20 that was found."),
    "aae": (
        "Average absolute error of the top 20 against ε",
        "By how many events a count is wrong; an item that was not found counts as 0. Where HeavyGuardian has no line,"
        " it is below the axis.",
    ),
}
NOTE = (
    "Bands: 95 % confidence interval of the mean over the repeats. BGR, DSR, BDR, CNR and PFR start from the first 1 %"
    " of the stream, given raw; GRR, HR, OLH and “PFR, no warm-up” have every event randomised. The line “warm-up"
    " alone” is that sample by itself, scaled up."
)
PUBLISHED_NOTE = (
    "The variant as-published, with 20 cells for 20 answers as in the paper. It cannot be deployed; it is here to"
    " explain the paper's figures. HeavyGuardian is theirs too, with its inverted decay. Bands: 95 % interval."
)
ACCURACY = tuple(
    Picture(
        metric, title, f"{meaning} {NOTE}", ("accuracy", "webdocs"), partial(draw_accuracy, metric=metric, variant=OURS)
    )
    for metric, (title, meaning) in TITLES.items()
)
ACCURACY_PUBLISHED = tuple(
    Picture(
        f"{metric}-published",
        f"{title}: the authors' code",
        f"{meaning} {PUBLISHED_NOTE}",
        ("accuracy", "webdocs"),
        partial(draw_accuracy, metric=metric, variant=PUBLISHED),
    )
    for metric, (title, meaning) in TITLES.items()
)
