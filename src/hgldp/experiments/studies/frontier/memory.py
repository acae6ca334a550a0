"""PFR's accuracy against its memory, from 32 cells to 4,096, nobody with a warm-up."""

from functools import partial

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from hgldp.experiments.measurement import COLD, HOT_LISTS, Measurement
from hgldp.experiments.plotting.look import SCHEMES, stream_place, stream_title
from hgldp.experiments.plotting.panels import curve, grid, legend_below, name_axes
from hgldp.experiments.results import Results
from hgldp.experiments.scale import Scale
from hgldp.experiments.studies.study import Picture, Study, Sweep, Topic
from hgldp.model.frontier_size import LISTED_CELL_BYTES
from hgldp.model.task import FRONTIER

K = 10
CELLS = (32, 64, 128, 256, 512, 1024, 2048, 4096)
UNLIMITED = ("hr", "olh")
MOST_REPEATS = 5
ACROSS = "state of the server (bytes)"
TICKS = {1e3: "1 k", 1e4: "10 k", 1e5: "100 k"}
FIXED = (*UNLIMITED, *HOT_LISTS)


def measurements(scale: Scale) -> list[Measurement]:
    """A top 10, the largest that 32 cells can give; the other schemes with the memory that they have."""
    found = []
    for stream in (scale.synthetic("normal", 1000), *scale.data):
        for seed in scale.seeds[:MOST_REPEATS]:
            for epsilon in scale.few_epsilons:
                for cells in CELLS:
                    settings = (("cells", cells), ("memory", LISTED_CELL_BYTES * cells))
                    found.append(Measurement(stream, FRONTIER, epsilon, seed, K, COLD, settings))
                found += [Measurement(stream, name, epsilon, seed, K, COLD) for name in (*HOT_LISTS, *UNLIMITED)]
    return found


def draw_memory(results: Results, metric: str) -> Figure:
    """PFR as a curve; the others, whose memory is fixed, as levels with a mark at that memory."""
    by_stream = results.by("stream")
    streams = sorted(by_stream, key=stream_place)
    budgets = [float(str(epsilon)) for epsilon in results.by("epsilon")]
    figure, axes = grid(len(streams) * len(budgets), len(budgets))
    panels = iter(axes)
    for stream in streams:
        for epsilon in budgets:
            panel = next(panels)
            _draw_panel(panel, by_stream[stream].where(epsilon=epsilon), metric)
            short = stream_title(str(stream)).partition(", n =")[0]
            name_axes(panel, f"{short}, ε = {epsilon:g}", ACROSS, metric)
    legend_below(figure, axes)
    return figure


def _draw_panel(panel: Axes, results: Results, metric: str) -> None:
    points = [(some.mean("state_bytes"), some) for some in results.where(scheme="pfr").by("cells").values()]
    levels = {name: results.where(scheme=name) for name in FIXED}
    places = [place for place, _ in points] + [some.mean("state_bytes") for some in levels.values() if len(some)]
    for name, some in levels.items():
        if len(some):
            own, height = some.mean("state_bytes"), some.mean(metric)
            style = SCHEMES[name].style | {"linewidth": 1.0, "markersize": 6, "markevery": [1]}
            panel.plot([min(places), own, max(places)], [height] * 3, **style)
    panel.set_xscale("log")
    panel.set_xticks(list(TICKS), list(TICKS.values()))
    curve(panel, points, metric, SCHEMES["pfr cold"])


CAPTION = (
    "Top 10, the largest that 32 cells can give; no warm-up for anybody. PFR with 32, 64, … 4,096 cells of"
    f" {LISTED_CELL_BYTES} bytes."
    " The others are levels, with a mark at the memory that they have: HR and OLH a counter for each possible item,"
    " the paper's schemes 20 cells. Band: 95 % confidence interval of the mean over at most 5 repeats."
)

SWEEP = Sweep("frontier-memory", "PFR against its memory", measurements, judged=False)

PICTURES = tuple(
    Picture(
        f"frontier-memory-{metric}",
        f"{name} against memory",
        CAPTION,
        ("frontier-memory",),
        partial(draw_memory, metric=metric),
    )
    for metric, name in (("precision", "Precision"), ("ndcg", "NDCG"))
)

STUDY = Study("frontier-memory", Topic.FRONTIER, sweeps=(SWEEP,), pictures=PICTURES)
