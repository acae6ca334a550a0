"""What the raw start is worth: donated samples that are wrong, small or good, the stream's own start, and none."""

from matplotlib.figure import Figure

from hgldp.experiments.judging.claim import Claim, Finding, Section, Verdict
from hgldp.experiments.judging.gaps import CLEARLY, contest
from hgldp.experiments.judging.view import KOSARAK, NORMAL, Family, View
from hgldp.experiments.measurement import (
    AUTHORS_CODE,
    COLD,
    HOT_LISTS,
    NO_BUDGET,
    ONE_PERCENT,
    OURS,
    PUBLISHED,
    WARMUP,
    Measurement,
    Setting,
)
from hgldp.experiments.plotting.look import SCHEMES, stream_place, stream_title
from hgldp.experiments.plotting.panels import categories, curve, grid, legend_below, name_axes
from hgldp.experiments.results import Results
from hgldp.experiments.scale import Scale
from hgldp.experiments.studies.parameters.allocation import SPLIT_SCHEMES
from hgldp.experiments.studies.study import Picture, Study, Sweep, Topic
from hgldp.model.task import FRONTIER

EPSILON = 2.0
UNIFORM = "uniform 50"
SKEWED = "skewed 50"
TRUE = "true 50"
LARGER = "true 500"
DONATED = (UNIFORM, SKEWED, TRUE, LARGER)
STARTS = (COLD, *DONATED, ONE_PERCENT)
METRICS = ("ndcg", "precision", "aae")
LINES = {OURS: (WARMUP, *HOT_LISTS, FRONTIER), PUBLISHED: (WARMUP, *HOT_LISTS)}
NAMES = {"0": "none", "uniform 50": "uniform\n50", "skewed 50": "skewed\n50", "true 50": "true\n50"}
ACROSS = "raw items before the first report (number)"


def measurements(scale: Scale) -> list[Measurement]:
    """At the paper's ε = 2 on the normal stream and on kosarak, as far as there is a copy."""
    kosarak = tuple(name for name in scale.data if name.startswith("kosarak"))
    return [
        one
        for stream in (scale.synthetic("normal", 1000), *kosarak)
        for seed in scale.seeds
        for warmup in STARTS
        for one in _after(stream, seed, warmup)
    ]


def _after(stream: str, seed: int, warmup: str) -> list[Measurement]:
    alone = [Measurement(stream, WARMUP, NO_BUDGET, seed, warmup=warmup)] if warmup != COLD else []
    ours = [Measurement(stream, scheme, EPSILON, seed, warmup=warmup) for scheme in (*HOT_LISTS, FRONTIER)]
    theirs = [
        Measurement(stream, scheme, EPSILON, seed, warmup=warmup, settings=_published(scheme, warmup))
        for scheme in HOT_LISTS
    ]
    return alone + ours + theirs


def _published(scheme: str, warmup: str) -> tuple[tuple[str, Setting], ...]:
    """Without a warm-up there is nothing to take γ_h from: the authors' code is then told the true one."""
    told = scheme in SPLIT_SCHEMES and warmup == COLD
    return (*AUTHORS_CODE, ("hot_share", "true")) if told else AUTHORS_CODE


def draw_warm_up(results: Results) -> Figure:
    """A row for each stream and implementation, a column for each metric."""
    by_stream = results.by("stream")
    rows = [(stream, variant) for stream in sorted(by_stream, key=stream_place) for variant in LINES]
    figure, axes = grid(len(rows) * len(METRICS), len(METRICS))
    panels = iter(axes)
    for stream, variant in rows:
        for metric in METRICS:
            panel = next(panels)
            for name in LINES[variant]:
                some = by_stream[stream].where(scheme=name, variant=OURS if name == "warmup" else variant)
                points = [(float(place), some.where(warmup=start)) for place, start in enumerate(STARTS)]
                curve(panel, points, metric, SCHEMES[name])
            categories(panel, [NAMES.get(start, start.replace(" ", "\n")) for start in STARTS])
            who = "ours" if variant == OURS else "authors' code"
            name_axes(panel, f"{stream_title(str(stream)).partition(', d =')[0]}, {who}", ACROSS, metric)
    legend_below(figure, axes)
    return figure


def from_start(view: View, scheme: str, warmup: str, family: Family) -> Results:
    """The rows with one start, at the ε of the figure."""
    return view.accuracy(scheme, family, warmup)


def step_gains(view: View, family: Family, steps: tuple[tuple[str, str], ...]) -> Verdict:
    """What each step to a better start gains, for every scheme."""
    parts = []
    for scheme in HOT_LISTS:
        gains = [
            contest(from_start(view, scheme, after, family), from_start(view, scheme, before, family), "ndcg")
            for before, after in steps
        ]
        total = sum(gain.gap for gain in gains)
        error = sum(gain.error**2 for gain in gains) ** 0.5
        shown = ", ".join(f"{after} {gain.gap:+.3f}" for (_, after), gain in zip(steps, gains, strict=True))
        holds = total > CLEARLY * error and all(gain.gap > -CLEARLY * gain.error for gain in gains)
        number = f"{scheme}: {shown}"
        parts.append((holds, number))
    why = f"NDCG gained step by step on {family.name}; every scheme must gain, and no step may lose clearly"
    return Verdict.of_all(parts, why)


def spreads(view: View, family: Family) -> dict[str, float]:
    """Per scheme, how far its best start is from its worst."""
    means = {
        scheme: [from_start(view, scheme, start, family).mean("ndcg") for start in DONATED] for scheme in HOT_LISTS
    }
    return {scheme: max(some) - min(some) for scheme, some in means.items()}


def least_affected(view: View, family: Family) -> Verdict:
    """The spread of BDR and CNR against that of BGR and DSR."""
    spread = spreads(view, family)
    holds = max(spread["bdr"], spread["cnr"]) < min(spread["bgr"], spread["dsr"])
    number = ", ".join(f"{scheme} {value:.3f}" for scheme, value in spread.items())
    return Verdict(holds, number, f"best start − worst start in NDCG on {family.name}")


def easier_to_enter(view: View) -> Verdict:
    """Precision after a start that knows nothing."""
    parts = []
    for strong in ("bdr", "cnr"):
        for weak in ("bgr", "dsr"):
            better, worse = (from_start(view, scheme, UNIFORM, NORMAL) for scheme in (strong, weak))
            match = contest(better, worse, "precision")
            parts.append((match.gap > CLEARLY * match.error, f"{strong} − {weak}: {match.shown}"))
    return Verdict.of_all(parts, f"precision after the start {UNIFORM} on {NORMAL.name}")


def filling_is_enough(view: View) -> Verdict:
    """A sample that fills the list and is wrong, against none."""
    parts = []
    for scheme in HOT_LISTS:
        filled, empty = (from_start(view, scheme, start, NORMAL) for start in (UNIFORM, COLD))
        match = contest(filled, empty, "precision")
        parts.append((match.gap >= -CLEARLY * match.error, f"{scheme}: {match.shown}"))
    why = f"precision of the start {UNIFORM} over none on {NORMAL.name}: a start that is good enough must not harm"
    return Verdict.of_all(parts, why)


def same_on_kosarak(view: View) -> Verdict:
    """The three observations, on Kosarak."""
    parts = [
        step_gains(view, KOSARAK, ((UNIFORM, SKEWED), (SKEWED, TRUE))),
        step_gains(view, KOSARAK, ((TRUE, LARGER),)),
        least_affected(view, KOSARAK),
    ]
    said = ("nearer to the truth", "more items", "BDR and CNR least affected")
    number = "; ".join(f"{what}: {part.word}" for what, part in zip(said, parts, strict=True))
    return Verdict(all(part.holds for part in parts), f"{number} ({parts[2].number})", "kosarak, the same three rules")


def after_a_wrong_start(results: Results) -> str:
    """Precision without a sample, with a wrong one and with a right one of the same size."""
    view, found = View(results, OURS), []
    for scheme in ("dsr", "bdr", "cnr", "pfr"):
        means = (view.accuracy(scheme, NORMAL, start).mean("precision") for start in (COLD, UNIFORM, TRUE))
        found.append(f"{scheme} " + " / ".join(f"{mean:.2f}" for mean in means))
    return "precision with no sample / 50 wrong items / 50 right items on the normal stream: " + ", ".join(found)


SWEEP = Sweep("warm-up", "What the warm-up is worth", measurements)

PICTURE = Picture(
    "warm-up",
    "What the warm-up is worth",
    "ε = 2. Uniform: any item of the domain; skewed: chances in proportion to the root of the true counts; true: from"
    " the stream's own distribution; 1 %: the first items of the stream. “Warm-up alone”: the raw sample by itself."
    " Bars: 95 % confidence interval of the mean.",
    ("warm-up",),
    draw_warm_up,
)

CLAIMS = (
    Claim(
        "nearer-start-is-better",
        Section.PARAMETERS,
        "Accuracy rises as the warm-up's distribution approaches the true one.",
        lambda view: step_gains(view, NORMAL, ((UNIFORM, SKEWED), (SKEWED, TRUE))),
    ),
    Claim(
        "larger-start-is-better",
        Section.PARAMETERS,
        "Accuracy rises with the size of the warm-up.",
        lambda view: step_gains(view, NORMAL, ((TRUE, LARGER),)),
    ),
    Claim(
        "bdr-and-cnr-least-affected",
        Section.PARAMETERS,
        "BDR and CNR are the least affected by the warm-up of all schemes.",
        lambda view: least_affected(view, NORMAL),
    ),
    Claim(
        "cold-items-enter-more-easily",
        Section.PARAMETERS,
        "Reason given: with BDR and CNR cold items enter the list more easily and repair a bad start.",
        easier_to_enter,
    ),
    Claim(
        "filling-the-list-is-enough",
        Section.DISCUSSION,
        "The “only requirement” on the warm-up's data is that they fill the list.",
        filling_is_enough,
        (OURS,),
    ),
    Claim("same-on-kosarak", Section.PARAMETERS, "On Kosarak the warm-up has a similar influence.", same_on_kosarak),
)

FINDINGS = (
    Finding(
        "a-wrong-start-stays",
        "A wrong start is worse than none, for BDR and CNR too",
        "The paper finds BDR and CNR the least affected by the warm-up. Fifty items drawn uniformly fill the list with "
        "items that hardly occur, and no hot-list scheme gets rid of them, ours included: the sample is evidence, "
        "and a cell gives way only when it is clearly below the k-th best, which is no better.",
        after_a_wrong_start,
        (("filling-the-list-is-enough", OURS, False), ("bdr-and-cnr-least-affected", OURS, False)),
    ),
)

STUDY = Study("warm-up", Topic.START, sweeps=(SWEEP,), pictures=(PICTURE,), claims=CLAIMS, findings=FINDINGS)
