"""How ε is divided between judging hot or cold (ε1) and naming the item (ε2) in BDR and CNR, from 2/1 to 1/19.

Claims are asked of the printed split, in our store and in the authors'; our default, the tight judge, divides nothing.
"""

from fractions import Fraction
from functools import partial

from matplotlib.figure import Figure

from hgldp.experiments.judging.claim import Claim, Section, Verdict
from hgldp.experiments.judging.gaps import CLEARLY, LESS_IS_BETTER, TO_WIN, Contest, contest, lost_to_domain, rises
from hgldp.experiments.judging.view import SYNTHETIC, Family, NotMeasured, View, domain_of, on_domain
from hgldp.experiments.measurement import AUTHORS_CODE, OURS, Measurement, Setting, Settings
from hgldp.experiments.plotting.look import DASHED, MARKERS, SEQUENCE, Look, stream_place, stream_title
from hgldp.experiments.plotting.panels import Point, categories, curve, grid, legend_below, name_axes
from hgldp.experiments.results import Results
from hgldp.experiments.scale import Scale
from hgldp.experiments.studies.study import Picture, Study, Sweep, Topic
from hgldp.schemes.bdr import BDR
from hgldp.schemes.cnr import CNR

SPLIT_SCHEMES = (BDR.name, CNR.name)
JUDGE_SHARES = {"2/3": "2/1", "1/2": "1/1", "1/3": "1/2", "1/5": "1/4", "1/10": "1/9", "1/20": "1/19"}
PRINTED_SPLIT: Settings = (("tight", False),)
COLUMNS = 3
NO_SPLIT = "none"
ACROSS = "ε1/ε2 (ratio; none: our tight judge)"
METRICS = ("ndcg", "precision", "aae")
NEAR = 0.02
TWO = Fraction(2, 3)
HALF = Fraction(1, 3)
NINTH = Fraction(1, 10)
NINETEENTH = Fraction(1, 20)
MIDDLE = Family("synthetic streams over 1,000 items", lambda one: SYNTHETIC.holds(one) and domain_of(one) == 1000)
OTHERS = Family("synthetic streams over other domains", lambda one: SYNTHETIC.holds(one) and domain_of(one) != 1000)


def measurements(scale: Scale) -> list[Measurement]:
    """The printed split in our schemes and in the authors' code, and the tight judge, which splits nothing."""
    found = []
    for stream in scale.synthetics:
        for seed in scale.seeds:
            for epsilon in scale.few_epsilons:
                for scheme in SPLIT_SCHEMES:
                    found.append(Measurement(stream, scheme, epsilon, seed))
                    for share in JUDGE_SHARES:
                        for variant in (PRINTED_SPLIT, AUTHORS_CODE):
                            settings = (*variant, ("judge_share", share))
                            found.append(Measurement(stream, scheme, epsilon, seed, settings=settings))
    return found


def at_split(rows: Results, split: Fraction) -> Results:
    """The rows with that share of ε for the judge."""
    found = Results(tuple(row for row in rows if _share(row.measurement.get("judge_share")) == split))
    if not len(found):
        raise NotMeasured(f"ε1/ε2 = {split / (1 - split)}")
    return found


def splits_of(rows: Results) -> list[Fraction]:
    """Every share that was run, the largest first."""
    return sorted({_share(row.measurement.get("judge_share")) for row in rows}, reverse=True)


def best_split(rows: Results, metric: str) -> Fraction:
    """The split whose mean is best."""
    means = {split: at_split(rows, split).mean(metric) for split in splits_of(rows)}
    return (min if metric in LESS_IS_BETTER else max)(means, key=lambda split: means[split])


def _share(setting: Setting | None) -> Fraction:
    return Fraction(str(setting))


def draw_allocation(results: Results, scheme: str, metric: str) -> Figure:
    """Ours filled and solid, the authors' code hollow and dashed."""
    by_stream = results.where(scheme=scheme).by("stream")
    streams = sorted(by_stream, key=stream_place)
    figure, axes = grid(len(streams), COLUMNS)
    for stream, panel in zip(streams, axes, strict=True):
        for number, (epsilon, some) in enumerate(by_stream[stream].by("epsilon").items()):
            colour, marker = SEQUENCE[number], MARKERS[number]
            ours = some.where(variant="default", tight=False)
            curve(panel, _points(ours), metric, Look(f"ours, ε = {epsilon:g}", colour, marker))
            theirs = some.where(variant="as-published")
            label = f"authors' code, ε = {epsilon:g}"
            curve(panel, _points(theirs), metric, Look(label, colour, marker, DASHED, hollow=True))
            tight = some.where(variant="default").with_no_settings_but()
            look = Look("_tight", colour, marker)
            curve(panel, [(float(len(JUDGE_SHARES)), tight)], metric, look)
        categories(panel, [*JUDGE_SHARES.values(), NO_SPLIT])
        name_axes(panel, stream_title(str(stream)), ACROSS, metric, near_one=True)
    legend_below(figure, axes)
    return figure


def _points(some: Results) -> list[Point]:
    return [(float(place), some.where(judge_share=share)) for place, share in enumerate(JUDGE_SHARES)]


def change(
    view: View, scheme: str, metric: str, steps: tuple[Fraction, Fraction], family: Family = SYNTHETIC
) -> Contest:
    """What a step from one split to another gains."""
    rows = view.setting(scheme, "judge_share", family)
    return contest(at_split(rows, steps[1]), at_split(rows, steps[0]), metric)


def less_to_judge(view: View, domains: Family, metrics: tuple[str, ...] = METRICS) -> Verdict:
    """From ε1/ε2 = 2/1 to 1/9."""
    parts = []
    for scheme in SPLIT_SCHEMES:
        for metric in metrics:
            gain = change(view, scheme, metric, (TWO, NINTH), domains)
            parts.append((gain.won, f"{scheme}, {metric}: {gain}"))
    why = f"gain from ε1/ε2 = 2/1 to 1/9 on {domains.name} (AAE: relative); each must {TO_WIN}"
    return Verdict.of_all(parts, why)


def slows_after_ninth(view: View) -> Verdict:
    """The NDCG gained before 1/9 and after it."""
    parts = []
    for scheme in SPLIT_SCHEMES:
        before = change(view, scheme, "ndcg", (TWO, NINTH))
        after = change(view, scheme, "ndcg", (NINTH, NINETEENTH))
        holds = before.gap > CLEARLY * before.error and after.gap < before.gap / 2
        number = f"{scheme}: {before.gap:+.3f} from 2/1 to 1/9, {after.gap:+.3f} from 1/9 to 1/19"
        parts.append((holds, number))
    return Verdict.of_all(parts, "NDCG on synthetic streams; the second step must gain less than half of the first")


def near_best(view: View, split: Fraction, limit: float, share: float) -> Verdict:
    """How far a split is from the best one, case by case."""
    short = []
    for scheme in SPLIT_SCHEMES:
        for stream in view.setting(scheme, "judge_share", SYNTHETIC).by("stream").values():
            for rows in stream.by("epsilon").values():
                chosen = at_split(rows, split).mean("ndcg")
                short.append(at_split(rows, best_split(rows, "ndcg")).mean("ndcg") - chosen)
    near = sum(one <= limit for one in short)
    number = f"within {limit} of the best split's NDCG in {near} of {len(short)} cases; {max(short):.3f} short at worst"
    name = f"ε1/ε2 = {split / (1 - split)}"
    return Verdict(near > share * len(short), number, f"{name}; a case is a scheme, a synthetic stream and an ε")


def domain_matters(view: View) -> Verdict:
    """The printed 1/2 at the smallest and the largest domain, and what another split gives at the largest."""
    parts = []
    for scheme in SPLIT_SCHEMES:
        rows = view.setting(scheme, "judge_share", SYNTHETIC)
        lost, large = lost_to_domain(at_split(rows, HALF), "ndcg"), on_domain(rows, max)
        regained = contest(at_split(large, best_split(large, "ndcg")), at_split(large, TWO), "ndcg")
        cost = f"{lost.shown} lost to the domain"
        holds = lost.gap > CLEARLY * lost.error and regained.gap > CLEARLY * regained.error
        number = f"{scheme}: {cost}, {regained.gap:+.3f} gained by the best split over 2/1"
        parts.append((holds, number))
    return Verdict.of_all(parts, "NDCG, smallest against largest synthetic domain")


def order_improves(view: View) -> Verdict:
    """What NDCG gains beyond precision, from 2/1 to 1/9."""
    parts = []
    for scheme in SPLIT_SCHEMES:
        order, items = (change(view, scheme, metric, (TWO, NINTH)) for metric in ("ndcg", "precision"))
        parts.append((rises(items, order), f"{scheme}: NDCG {order.shown}, precision {items.shown}"))
    why = "from ε1/ε2 = 2/1 to 1/9 on synthetic streams; NDCG must gain more than the items found explain"
    return Verdict.of_all(parts, why)


def hot_events_are_the_majority(view: View) -> Verdict:
    """The share of events that belong to the true top items."""
    rows = view.accuracy("bdr", SYNTHETIC)
    shares = {str(stream): found.mean("top_share") for stream, found in rows.by("stream").items()}
    if not shares:
        raise NotMeasured("the share of the top items")
    number = f"the true top items hold {min(shares.values()):.1%} to {max(shares.values()):.1%} of the events"
    return Verdict(min(shares.values()) > 1 / 2, number, "every synthetic stream; must be more than half")


METRIC_NAMES = {"ndcg": "NDCG", "precision": "Precision", "aae": "Average absolute error"}
CAPTION = (
    "ε1 decides hot or cold, ε2 which item. Filled: our {0} with the printed split; at “none” the tight judge, our"
    " default, which spends ε without splitting it. Hollow: the authors' code. Bars: 95 % confidence interval."
)
PICTURES = tuple(
    Picture(
        f"allocation-{scheme}-{metric}",
        f"{name} of {scheme.upper()} against the split of its budget",
        CAPTION.format(scheme.upper()),
        ("allocation",),
        partial(draw_allocation, scheme=scheme, metric=metric),
    )
    for scheme in SPLIT_SCHEMES
    for metric, name in METRIC_NAMES.items()
)

SWEEP = Sweep("allocation", "How BDR and CNR split their budget", measurements)

CLAIMS = (
    Claim(
        "less-to-judge",
        Section.PARAMETERS,
        "Giving less of ε to ε1 and more to ε2 makes BDR and CNR more accurate.",
        lambda view: less_to_judge(view, MIDDLE),
    ),
    Claim(
        "slows-after-a-ninth",
        Section.PARAMETERS,
        "NDCG improves significantly from ε1/ε2 = 2/1 to 1/9, and more slowly after it.",
        slows_after_ninth,
    ),
    Claim(
        "hot-events-are-the-majority",
        Section.PARAMETERS,
        "Reason given: there are more hot events than cold ones.",
        hot_events_are_the_majority,
        (OURS,),
    ),
    Claim(
        "eviction-finds-true-items",
        Section.PARAMETERS,
        "Reason given: a smaller ε1 evicts weak items sooner, so that the real hot items get in (precision).",
        lambda view: less_to_judge(view, SYNTHETIC, ("precision",)),
    ),
    Claim(
        "more-to-naming-improves-order",
        Section.PARAMETERS,
        "Reason given: a larger ε2 improves the order of the recorded items.",
        order_improves,
    ),
    Claim(
        "a-ninth-is-near-optimal",
        Section.PARAMETERS,
        "ε1/ε2 = 1/9 is recommended for “near-optimal accuracy” of BDR and CNR.",
        lambda view: near_best(view, NINTH, NEAR, 0.9),
    ),
    Claim(
        "less-to-judge-on-other-domains",
        Section.PARAMETERS,
        "Other domain sizes give “consistent observations”.",
        lambda view: less_to_judge(view, OTHERS),
    ),
    Claim(
        "domain-matters-and-allocation-helps",
        Section.PARAMETERS,
        "A larger domain costs accuracy, which can still be improved by the allocation.",
        domain_matters,
    ),
)

STUDY = Study("allocation", Topic.SPLIT, sweeps=(SWEEP,), pictures=PICTURES, claims=CLAIMS)
