"""NDCG, precision and AAE against ε: a panel for each stream, a line for each scheme; ours, and the authors' code."""

from collections.abc import Iterable, Iterator
from functools import partial

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from hgldp.experiments.measurement import (
    AUTHORS_CODE,
    COLD,
    HOT_LISTS,
    NO_BUDGET,
    ORACLES,
    OURS,
    PUBLISHED,
    WARMUP,
    WITHOUT_BUDGET,
    Measurement,
)
from hgldp.experiments.plotting.look import BUDGET, SCHEMES, stream_place, stream_title
from hgldp.experiments.plotting.panels import curve, grid, legend_below, level, name_axes
from hgldp.experiments.results import Results
from hgldp.experiments.scale import Scale
from hgldp.experiments.studies.study import Picture, Study, Sweep, Topic
from hgldp.model.task import FRONTIER
from hgldp.simulation.run import HEAVY_GUARDIAN

COLUMNS = 3
COLD_PFR = "pfr cold"
LINES = {
    OURS: (HEAVY_GUARDIAN, WARMUP, *ORACLES, *HOT_LISTS, FRONTIER, COLD_PFR),
    PUBLISHED: (HEAVY_GUARDIAN, WARMUP, *HOT_LISTS),
}


def lineup(stream: str, epsilons: Iterable[float], seeds: Iterable[int]) -> Iterator[Measurement]:
    """Every contestant at every budget under every seed; the authors' code has as many cells as answers, as printed."""
    budgets = tuple(epsilons)
    for seed in seeds:
        yield Measurement(stream, WARMUP, NO_BUDGET, seed)
        yield Measurement(stream, HEAVY_GUARDIAN, NO_BUDGET, seed)
        yield Measurement(stream, HEAVY_GUARDIAN, NO_BUDGET, seed, settings=AUTHORS_CODE)
        for epsilon in budgets:
            for scheme in (*HOT_LISTS, FRONTIER, *ORACLES):
                yield Measurement(stream, scheme, epsilon, seed)
            yield Measurement(stream, FRONTIER, epsilon, seed, warmup=COLD)
            for scheme in HOT_LISTS:
                yield Measurement(stream, scheme, epsilon, seed, settings=AUTHORS_CODE)


def measurements(scale: Scale) -> list[Measurement]:
    """Every stream, every contestant, every budget."""
    streams = (*scale.synthetics, *scale.data)
    return [one for stream in streams for one in lineup(stream, scale.epsilons, scale.seeds)]


def on_webdocs(scale: Scale) -> list[Measurement]:
    """The data set where there is a copy, and a Zipf stream of its size where there is none."""
    return list(lineup(scale.webdocs, scale.webdocs_epsilons, scale.webdocs_seeds))


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
    if name == COLD_PFR:
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
    "Bars: 95 % confidence interval of the mean over the repeats. BGR, DSR, BDR, CNR and PFR start from the first 1 %"
    " of the stream, given raw; GRR, HR, OLH and “PFR, no warm-up” have every event randomised. The line “warm-up"
    " alone” is that sample by itself, scaled up."
)
PUBLISHED_NOTE = (
    "The variant as-published, with 20 cells for 20 answers as in the paper. It cannot be deployed; it is here to"
    " explain the paper's figures. HeavyGuardian is theirs too, with its inverted decay. Bars: 95 % interval."
)

SWEEPS = (
    Sweep("accuracy", "Accuracy against ε on synthetic and real streams", measurements),
    Sweep("webdocs", "Accuracy on a stream of the size of webdocs", on_webdocs),
)

OUR_PICTURES = tuple(
    Picture(
        metric, title, f"{meaning} {NOTE}", ("accuracy", "webdocs"), partial(draw_accuracy, metric=metric, variant=OURS)
    )
    for metric, (title, meaning) in TITLES.items()
)
PUBLISHED_PICTURES = tuple(
    Picture(
        f"{metric}-published",
        f"{title}: the authors' code",
        f"{meaning} {PUBLISHED_NOTE}",
        ("accuracy", "webdocs"),
        partial(draw_accuracy, metric=metric, variant=PUBLISHED),
    )
    for metric, (title, meaning) in TITLES.items()
)

STUDY = Study("accuracy", Topic.ORDER, sweeps=SWEEPS, pictures=(*OUR_PICTURES, *PUBLISHED_PICTURES))
