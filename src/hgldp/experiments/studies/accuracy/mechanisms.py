"""The LDP mechanisms without a bound on memory, among themselves and against bounded memory."""

from matplotlib.figure import Figure

from hgldp.experiments.judging.claim import Claim, Finding, Section, Verdict
from hgldp.experiments.judging.gaps import CLEARLY, LIKE, contest
from hgldp.experiments.judging.view import LARGE, NORMAL, REAL, WEBDOCS, NotMeasured, View, on
from hgldp.experiments.measurement import COLD, OURS, Measurement
from hgldp.experiments.plotting.look import BUDGET, SCHEMES
from hgldp.experiments.plotting.panels import curve, grid, legend_below, name_axes
from hgldp.experiments.results import Results, Row
from hgldp.experiments.scale import Scale
from hgldp.experiments.studies.costs.memory import savings, span
from hgldp.experiments.studies.study import Picture, Study, Sweep, Topic
from hgldp.mechanisms.registry import MECHANISMS
from hgldp.model.frontier_size import LISTED_CELLS
from hgldp.model.task import FRONTIER

METRICS = {"ndcg": "NDCG", "precision": "precision", "aae": "average absolute error"}
HADAMARD = "hr"
WEBDOCS_DOMAIN = 5_000_000


def measurements(scale: Scale) -> list[Measurement]:
    """Every mechanism at every budget on the normal stream."""
    stream = scale.synthetic("normal", 1000)
    return [
        Measurement(stream, name, epsilon, seed)
        for seed in scale.seeds
        for epsilon in scale.epsilons
        for name in MECHANISMS
    ]


def draw_mechanisms(results: Results) -> Figure:
    """One panel a metric, one line a mechanism."""
    figure, axes = grid(len(METRICS), len(METRICS))
    for (metric, title), panel in zip(METRICS.items(), axes, strict=True):
        for name in MECHANISMS:
            by_budget = results.where(scheme=name).by("epsilon")
            points = [(float(epsilon), some) for epsilon, some in by_budget.items() if isinstance(epsilon, float)]
            curve(panel, points, metric, SCHEMES[name])
        name_axes(panel, title, BUDGET, metric, near_one=True)
    legend_below(figure, axes)
    return figure


def hadamard_is_best(view: View) -> Verdict:
    """HR against every other mechanism that was run on a normal stream."""
    parts = []
    for name in sorted(MECHANISMS):
        rows = view.results.where(scheme=name)
        if name == HADAMARD or not any(NORMAL.holds(row.measurement.stream) for row in rows):
            continue
        match = contest(view.accuracy(name, NORMAL), view.accuracy(HADAMARD, NORMAL), "ndcg")
        parts.append((match.gap <= CLEARLY * match.error, f"{name} − hr: {match.shown}"))
    if not parts:
        raise NotMeasured("any mechanism beside hr")
    return Verdict.of_all(parts, "NDCG on normal streams; none may be better by two standard errors")


def too_large_for_webdocs(view: View) -> Verdict:
    """Whether GRR and HR ran on a domain of that size, and in how much memory."""
    found, names = [], ("grr", HADAMARD)
    broken = [row for row in view.results.failed if row.measurement.scheme in names and _on_webdocs(row)]
    if broken:
        return Verdict(bool(broken), f"{len(broken)} runs failed: {broken[0].failure}", "grr and hr at that size")
    for name in names:
        rows = view.accuracy(name, WEBDOCS)
        size = rows.mean("domain_size")
        if size < WEBDOCS_DOMAIN:
            raise NotMeasured(f"a domain of {WEBDOCS_DOMAIN:,} items")
        megabytes, seconds = rows.mean("resident_bytes") / 1e6, rows.mean("seconds")
        found.append(f"{name}: {megabytes:,.0f} MB and {seconds:,.0f} s of one core for {size:,.0f} items")
    return Verdict(not found, "; ".join(found), "they ran here: it is a limit of one implementation")


def _on_webdocs(row: Row) -> bool:
    return WEBDOCS.holds(row.measurement.stream)


def encodings_need_the_domain(view: View) -> Verdict:
    """PFR without a warm-up, whose clients encode the domain into few symbols, against HR, which decodes all of it."""
    bounded, whole = view.accuracy(FRONTIER, LARGE, COLD), view.accuracy(HADAMARD, LARGE)
    least, most = savings(whole, bounded)
    match = contest(bounded, whole, "ndcg")
    refuted = least > 1 and match.gap >= -LIKE
    number = f"pfr without warm-up: {span(least, most)} times less memory than hr; NDCG over hr {match}"
    refutes = f"refuted if it is within {LIKE} of hr with less memory"
    why = f"on {match.streams}; pfr encodes the domain into {LISTED_CELLS:,} symbols; {refutes}"
    return Verdict(not refuted, number, why)


def oracles_on_webdocs(results: Results) -> str:
    """Memory and time of the oracles on the largest stream."""
    view, found = View(results, OURS), []
    for oracle in ("grr", "hr", "olh"):
        rows = view.accuracy(oracle, WEBDOCS)
        found.append(f"{oracle} {rows.mean('resident_bytes') / 1e6:,.1f} MB, {rows.mean('seconds'):,.1f} s")
    return f"{rows.mean('domain_size'):,.0f} items: " + "; ".join(found)


def hadamard_against_subset(results: Results) -> str:
    """The other mechanisms' NDCG over HR's."""
    view = View(results, OURS)
    names = [name for name in ("subset", "cyclic", "olh", "oue") if len(on(results.where(scheme=name), NORMAL))]
    base = view.accuracy("hr", NORMAL)
    return "NDCG over hr on normal streams: " + ", ".join(
        f"{name} {contest(view.accuracy(name, NORMAL), base, 'ndcg').gap:+.3f}" for name in names
    )


def offered_by_frontier(results: Results) -> str:
    """PFR without and with a warm-up, beside CNR and HR, on real streams."""
    view, streams = View(results, OURS), REAL if len(on(results, REAL)) else WEBDOCS
    rows = {
        "pfr without warm-up": view.accuracy("pfr", streams, COLD),
        "pfr": view.accuracy("pfr", streams),
        "cnr": view.accuracy("cnr", streams),
        "hr": view.accuracy("hr", streams),
    }
    shown = (f"{n} {some.mean('ndcg'):.3f} in {some.mean('state_bytes') / 1e3:,.1f} KB" for n, some in rows.items())
    return f"NDCG on {streams.name}: " + ", ".join(shown)


SWEEP = Sweep("mechanisms", "The mechanisms that count every possible item", measurements)

PICTURE = Picture(
    "mechanisms",
    "The LDP mechanisms without a bound on memory",
    "Normal stream, d = 1,000, no warm-up: every report is randomised and a counter is kept for each possible item."
    " Bars: 95 % confidence interval of the mean.",
    ("mechanisms",),
    draw_mechanisms,
)

CLAIMS = (
    Claim(
        "hadamard-is-the-best-oracle",
        Section.DETAILS,
        "Of the LDP mechanisms HR performs best.",
        hadamard_is_best,
        (OURS,),
    ),
    Claim(
        "oracles-cannot-run-on-webdocs",
        Section.ACCURACY,
        "GRR and HR exceed a server's computing or storage capabilities on Webdocs.",
        too_large_for_webdocs,
        (OURS,),
    ),
    Claim(
        "encodings-defeat-bounded-memory",
        Section.BASELINE,
        "Mechanisms that encode a large domain into a small one need the whole domain at the server, and their "
        "collisions make space-saving strategies unusable.",
        encodings_need_the_domain,
        (OURS,),
    ),
)

FINDINGS = (
    Finding(
        "oracles-are-not-beaten-by-memory",
        "Unlimited memory is neither large nor slow",
        "A counter per item of Webdocs is a few dozen megabytes, and Hadamard response decodes all of them in one "
        "fast transform. That GRR and HR could not be run is a matter of the implementation, which decodes every "
        "report for every item.",
        oracles_on_webdocs,
        (("oracles-cannot-run-on-webdocs", OURS, False),),
    ),
    Finding(
        "hadamard-is-not-the-best",
        "HR is not the most accurate mechanism",
        "The paper prints its variance four times too large and calls it the best of its evaluation. Subset "
        "selection, cyclic response and OLH have less variance beyond small ε; HR's merit is speed.",
        hadamard_against_subset,
        (("hadamard-is-the-best-oracle", OURS, False),),
    ),
    Finding(
        "discovery-is-the-weak-point",
        "A cold item cannot make itself known, unless reports search",
        "Over a large domain a cold report names its item with a chance near e^ε/d, so that a wrong or stale list is "
        "never repaired. PFR hashes the whole domain into a few cells in every report, and finds items without any "
        "warm-up in bounded memory: encodings and bounded memory do go together.",
        offered_by_frontier,
        (("encodings-defeat-bounded-memory", OURS, False),),
    ),
)

STUDY = Study("mechanisms", Topic.BASELINES, sweeps=(SWEEP,), pictures=(PICTURE,), claims=CLAIMS, findings=FINDINGS)
