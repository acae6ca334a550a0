"""The settings of the hot lists that have a default, one moved at a time while the others stay where they are."""

from dataclasses import dataclass
from math import floor, sqrt
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from hgldp.experiments.judging.gaps import Contest, Point, contest
from hgldp.experiments.judging.view import REAL, SYNTHETIC, NotMeasured, on
from hgldp.experiments.measurement import COLD, ONE_PERCENT, Measurement, Setting
from hgldp.experiments.plotting.look import DASHED, DOTTED, GREY, MARKERS, SEQUENCE, Look
from hgldp.experiments.plotting.panels import bars, categories, grid, legend_below, name_axes
from hgldp.experiments.results import Results, student_95
from hgldp.experiments.scale import Scale
from hgldp.experiments.studies.parameters.allocation import SPLIT_SCHEMES
from hgldp.experiments.studies.study import ABSENT, Grid, Picture, Study, Sweep, Table, Topic
from hgldp.model.budget import Budget
from hgldp.model.domain import RangeDomain
from hgldp.model.task import Task

K, DOMAIN = 20, 1000
STARTS = (ONE_PERCENT, COLD)
BUDGETS = (1.0, 2.0, 4.0)
MOST_REPEATS = 5
PRINTED = "1:2"
SET = ("cells", "decay_base", "light_cells", "tight")
MARGIN = 0.03
PRECISION = "precision"
NDCG = "ndcg"
AAE = "aae"
GAPS = {
    "gap, 1 %": (PRECISION, (ONE_PERCENT,)),
    "gap, cold": (PRECISION, (COLD,)),
    "gap, both": (PRECISION, STARTS),
    "NDCG gap, both": (NDCG, STARTS),
    "AAE gap, 1 %": (AAE, (ONE_PERCENT,)),
    "AAE gap, cold": (AAE, (COLD,)),
}
HEADINGS = ("precision, 1 %", "precision, cold", *GAPS)


@dataclass(frozen=True)
class Knob:
    """A setting of the task, the values it is moved to, and the schemes it is tried with.

    >>> CELLS.default, dict(CELLS.settings(80))
    (40, {'cells': 80, 'decay_base': 1.08, 'light_cells': 60, 'tight': True})
    >>> CELLS.label(30), DECAY.label(1.08), JUDGE.label(False)
    ('1.5', '1.08', '1:2')
    """

    field: str
    title: str
    schemes: tuple[str, ...]
    values: tuple[Setting, ...]

    @property
    def default(self) -> Setting:
        """The value that the task chooses."""
        return dict(_settings())[self.field]

    def label(self, value: Setting) -> str:
        """A value as axes and tables show it."""
        if self.field == "tight":
            return "tight" if value else PRINTED
        return f"{float(value) / (K if self.field == 'cells' else 1):g}"

    def settings(self, value: Setting) -> tuple[tuple[str, Setting], ...]:
        """Every knob with its value: this one moved, the others as the task then chooses them."""
        return _settings(**{self.field: value})

    def rows(self, results: Results, value: Setting) -> Results:
        """What was measured with the knob at a value."""
        return results.where(scheme=self.schemes, k=K, **dict(self.settings(value)))


def _settings(**moved: Any) -> tuple[tuple[str, Setting], ...]:
    """All settings with a default, as the task chooses them; only BDR and CNR use `tight`."""
    task = Task("cnr", Budget(1.0), RangeDomain(DOMAIN), K, **moved)
    return tuple((name, getattr(task.rules, name)) for name in SET)


DECAY = Knob("decay_base", "decay base", ("dsr", "cnr"), (1.02, 1.08, 1.2, 1.5))
LIGHT = Knob("light_cells", "light cells", ("dsr", "cnr"), (0, 8, 20, 60))
CELLS = Knob("cells", "cells per k", ("dsr", "cnr"), (20, 30, 40, 60, 80))
JUDGE = Knob("tight", "split", SPLIT_SCHEMES, (False, True))
KNOBS = (DECAY, LIGHT, CELLS, JUDGE)

ACROSS = {
    DECAY: "decay base b (number)",
    LIGHT: "light cells (number)",
    CELLS: f"cells per k (ratio; k = {K})",
    JUDGE: "split of the budget (ε1:ε2; tight: none)",
}


def measurements(scale: Scale) -> list[Measurement]:
    """On two synthetic streams and the real ones, with the usual warm-up and without."""
    streams = (scale.synthetic("normal", DOMAIN), scale.synthetic("exponential", DOMAIN), *scale.data)
    asked = dict.fromkeys(
        (scheme, knob.settings(value)) for knob in KNOBS for scheme in knob.schemes for value in knob.values
    )
    return [
        Measurement(stream, scheme, epsilon, seed, k=K, warmup=warmup, settings=settings)
        for stream in streams
        for seed in scale.seeds[:MOST_REPEATS]
        for epsilon in scale.few_epsilons
        if epsilon in BUDGETS
        for warmup in STARTS
        for scheme, settings in asked
    ]


def draw_defaults(results: Results) -> Figure:
    """A row for each start, all with one scale; a column for each knob, with its default marked."""
    figure, axes = grid(len(STARTS) * len(KNOBS), len(KNOBS))
    for number, start in enumerate(STARTS):
        panels = axes[number * len(KNOBS) :][: len(KNOBS)]
        rows = results.where(warmup=start)
        lowest = min(_panel(panel, knob, rows) for panel, knob in zip(panels, KNOBS, strict=True))
        for panel, knob in zip(panels, KNOBS, strict=True):
            who = ", ".join(scheme.upper() for scheme in knob.schemes)
            name_axes(
                panel, f"{'warm-up of 1 %' if start == ONE_PERCENT else 'no warm-up'}; {who}", ACROSS[knob], PRECISION
            )
            panel.set_ylim(bottom=floor(10 * lowest) / 10 - MARGIN)
    legend_below(figure, axes)
    return figure


def _panel(panel: Axes, knob: Knob, rows: Results) -> float:
    """Every ε on both kinds of streams; returns the lowest mean."""
    panel.axvline(knob.values.index(knob.default), color=GREY, linestyle=DOTTED, label="the default")
    lowest = 1.0
    for number, (epsilon, some) in enumerate(rows.by("epsilon").items()):
        solid = Look(f"ε = {epsilon:g}, synthetic streams", SEQUENCE[number], MARKERS[number])
        dashed = Look(f"ε = {epsilon:g}, real streams", SEQUENCE[number], MARKERS[number], DASHED, hollow=True)
        for streams, look in ((SYNTHETIC, solid), (REAL, dashed)):
            lowest = min(lowest, _line(panel, knob, on(some, streams), look))
    categories(panel, [knob.label(value) for value in knob.values])
    return lowest


def _line(panel: Axes, knob: Knob, rows: Results, look: Look) -> float:
    points = [(place, knob.rows(rows, value)) for place, value in enumerate(knob.values)]
    bands = [(place, *stratified(some)) for place, some in points if len(some)]
    if not bands:
        return 1.0
    places, means, widths = zip(*bands, strict=True)
    panel.plot(places, means, **look.style)
    lows, highs = ([mean + sign * width for mean, width in zip(means, widths, strict=True)] for sign in (-1, 1))
    bars(panel, places, lows, highs, look)
    return float(min(means))


def stratified(rows: Results) -> tuple[float, float]:
    """The mean, each stream and scheme counting the same, and half its 95 % interval by the spread within them."""
    places = [some for stream in rows.by("stream").values() for some in stream.by("scheme").values()]
    mean = sum(some.mean(PRECISION) for some in places) / len(places)
    error = sqrt(sum(some.standard_error(PRECISION) ** 2 for some in places)) / len(places)
    freedom = len(rows) - len(places)
    return mean, error * student_95(freedom) if freedom else 0.0


def gap_to_default(results: Results, knob: Knob, value: Setting, metric: str) -> Contest:
    """Paired by stream, scheme, ε, warm-up and seed; positive where the value is better than the default."""
    moved, default = knob.rows(results, value), knob.rows(results, knob.default)
    points: list[Point] = []
    for scheme in knob.schemes:
        for start in STARTS:
            first, second = (side.where(scheme=scheme, warmup=start) for side in (moved, default))
            if len(first) and len(second):
                points += contest(first, second, metric).points
    if not points:
        raise NotMeasured(f"{knob.field} = {value} beside its default")
    return Contest(tuple(points))


def make_table(results: Results) -> Grid:
    """A row for each value of each knob."""
    rows = tuple(
        (
            f"{knob.title} {knob.label(value)}{' (default)' if value == knob.default else ''}",
            *(_mean(knob.rows(results, value).where(warmup=start)) for start in (ONE_PERCENT, COLD)),
            *(_gap(results.where(warmup=starts), knob, value, metric) for metric, starts in GAPS.values()),
        )
        for knob in KNOBS
        for value in knob.values
    )
    return Grid(("", *HEADINGS), tuple(row for row in rows if any(text != ABSENT for text in row[1:])))


def _mean(rows: Results) -> str:
    return f"{rows.mean(PRECISION):.3f}" if len(rows) else ABSENT


def _gap(results: Results, knob: Knob, value: Setting, metric: str) -> str:
    if value == knob.default:
        return ABSENT
    try:
        gap = gap_to_default(results, knob, value, metric)
    except NotMeasured:
        return ABSENT
    if metric == AAE:
        return f"{-100 * gap.gap + 0.0:+.1f} ± {100 * gap.error:.1f} %"
    return f"{gap.gap:+.3f} ± {gap.error:.3f}"


SWEEP = Sweep("defaults", "The defaults of the hot lists, one moved at a time", measurements)

PICTURE = Picture(
    "defaults",
    "Where the defaults come from",
    "One setting moved, all others at their default (dotted), top 20. Each line is the mean over its streams and the"
    " named schemes; bars: 95 % interval by the spread of repeats within a stream and scheme. Light cells follow the"
    " cells by their rule, cells − k and at least 8, where the cells are moved. The two rows"
    " have different scales.",
    ("defaults",),
    draw_defaults,
)

TABLE = Table(
    "defaults",
    "The defaults, one setting moved at a time",
    "Mean over the streams, ε = 1, 2, 4 (as far as run) and the schemes (DSR and CNR; of the split BDR and CNR), with a"
    " raw warm-up of 1 %, cold, or both. Gap: to the default, of precision if nothing else is said, paired by stream,"
    " scheme, ε and seed, ± one standard error; of AAE in per cent of the larger of the two, where less is better.",
    make_table,
)

STUDY = Study("defaults", Topic.DEFAULTS, sweeps=(SWEEP,), pictures=(PICTURE,), tables=(TABLE,))
