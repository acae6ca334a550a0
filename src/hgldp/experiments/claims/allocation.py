"""Impact of Key Parameters: how ε is divided between judging (ε1) and naming (ε2) in BDR and CNR.

Asked of the printed split, in our store and in the authors'; our default, the tight judge, divides nothing.
"""

from fractions import Fraction

from hgldp.experiments.claims.claim import Claim, Verdict
from hgldp.experiments.claims.gaps import CLEARLY, TO_WIN, Contest, contest, rises
from hgldp.experiments.claims.splits import HALF, NINTH, TWO, at_split, best_split, lost_to_domain, on_domain
from hgldp.experiments.claims.view import SYNTHETIC, Family, NotMeasured, View, domain_of

SECTION = "Impact of Key Parameters"
SCHEMES = ("bdr", "cnr")
METRICS = ("ndcg", "precision", "aae")
NEAR = 0.02
NINETEENTH = Fraction(1, 20)
MIDDLE = Family("synthetic streams over 1,000 items", lambda one: SYNTHETIC.holds(one) and domain_of(one) == 1000)
OTHERS = Family("synthetic streams over other domains", lambda one: SYNTHETIC.holds(one) and domain_of(one) != 1000)


def change(
    view: View, scheme: str, metric: str, steps: tuple[Fraction, Fraction], family: Family = SYNTHETIC
) -> Contest:
    """What a step from one split to another gains."""
    rows = view.setting(scheme, "judge_share", family)
    return contest(at_split(rows, steps[1]), at_split(rows, steps[0]), metric)


def less_to_judge(view: View, domains: Family, metrics: tuple[str, ...] = METRICS) -> Verdict:
    """From ε1/ε2 = 2/1 to 1/9."""
    found, holds = [], True
    for scheme in SCHEMES:
        for metric in metrics:
            gain = change(view, scheme, metric, (TWO, NINTH), domains)
            holds = holds and gain.won
            found.append(f"{scheme}, {metric}: {gain}")
    why = f"gain from ε1/ε2 = 2/1 to 1/9 on {domains.name} (AAE: relative); each must {TO_WIN}"
    return Verdict(holds, "; ".join(found), why)


def slows_after_ninth(view: View) -> Verdict:
    """The NDCG gained before 1/9 and after it."""
    found, holds = [], True
    for scheme in SCHEMES:
        before = change(view, scheme, "ndcg", (TWO, NINTH))
        after = change(view, scheme, "ndcg", (NINTH, NINETEENTH))
        holds = holds and before.gap > CLEARLY * before.error and after.gap < before.gap / 2
        found.append(f"{scheme}: {before.gap:+.3f} from 2/1 to 1/9, {after.gap:+.3f} from 1/9 to 1/19")
    return Verdict(
        holds, "; ".join(found), "NDCG on synthetic streams; the second step must gain less than half of the first"
    )


def near_best(view: View, split: Fraction, limit: float, share: float) -> Verdict:
    """How far a split is from the best one, case by case."""
    short = []
    for scheme in SCHEMES:
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
    found, holds = [], True
    for scheme in SCHEMES:
        rows = view.setting(scheme, "judge_share", SYNTHETIC)
        lost, large = lost_to_domain(at_split(rows, HALF), "ndcg"), on_domain(rows, max)
        regained = contest(at_split(large, best_split(large, "ndcg")), at_split(large, TWO), "ndcg")
        holds = holds and lost.gap > CLEARLY * lost.error and regained.gap > CLEARLY * regained.error
        cost = f"{lost.shown} lost to the domain"
        found.append(f"{scheme}: {cost}, {regained.gap:+.3f} gained by the best split over 2/1")
    return Verdict(holds, "; ".join(found), "NDCG, smallest against largest synthetic domain")


def order_improves(view: View) -> Verdict:
    """What NDCG gains beyond precision, from 2/1 to 1/9."""
    found, holds = [], True
    for scheme in SCHEMES:
        order, items = (change(view, scheme, metric, (TWO, NINTH)) for metric in ("ndcg", "precision"))
        holds = holds and rises(items, order)
        found.append(f"{scheme}: NDCG {order.shown}, precision {items.shown}")
    why = "from ε1/ε2 = 2/1 to 1/9 on synthetic streams; NDCG must gain more than the items found explain"
    return Verdict(holds, "; ".join(found), why)


def hot_events_are_the_majority(view: View) -> Verdict:
    """The share of events that belong to the true top items."""
    rows = view.accuracy("bdr", SYNTHETIC)
    shares = {str(stream): found.mean("top_share") for stream, found in rows.by("stream").items()}
    if not shares:
        raise NotMeasured("the share of the top items")
    number = f"the true top items hold {min(shares.values()):.1%} to {max(shares.values()):.1%} of the events"
    return Verdict(min(shares.values()) > 1 / 2, number, "every synthetic stream; must be more than half")


CLAIMS = (
    Claim(
        "less-to-judge",
        SECTION,
        "Giving less of ε to ε1 and more to ε2 makes BDR and CNR more accurate.",
        lambda view: less_to_judge(view, MIDDLE),
    ),
    Claim(
        "slows-after-a-ninth",
        SECTION,
        "NDCG improves significantly from ε1/ε2 = 2/1 to 1/9, and more slowly after it.",
        slows_after_ninth,
    ),
    Claim(
        "hot-events-are-the-majority",
        SECTION,
        "Reason given: there are more hot events than cold ones.",
        hot_events_are_the_majority,
        ("default",),
    ),
    Claim(
        "eviction-finds-true-items",
        SECTION,
        "Reason given: a smaller ε1 evicts weak items sooner, so that the real hot items get in (precision).",
        lambda view: less_to_judge(view, SYNTHETIC, ("precision",)),
    ),
    Claim(
        "more-to-naming-improves-order",
        SECTION,
        "Reason given: a larger ε2 improves the order of the recorded items.",
        order_improves,
    ),
    Claim(
        "a-ninth-is-near-optimal",
        SECTION,
        "ε1/ε2 = 1/9 is recommended for “near-optimal accuracy” of BDR and CNR.",
        lambda view: near_best(view, NINTH, NEAR, 0.9),
    ),
    Claim(
        "less-to-judge-on-other-domains",
        SECTION,
        "Other domain sizes give “consistent observations”.",
        lambda view: less_to_judge(view, OTHERS),
    ),
    Claim(
        "domain-matters-and-allocation-helps",
        SECTION,
        "A larger domain costs accuracy, which can still be improved by the allocation.",
        domain_matters,
    ),
)
