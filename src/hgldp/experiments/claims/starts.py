"""Impact of Key Parameters: what the schemes start from."""

from hgldp.experiments.claims.allocation import SECTION
from hgldp.experiments.claims.claim import Claim, Verdict
from hgldp.experiments.claims.gaps import CLEARLY, contest
from hgldp.experiments.claims.view import COLD, IN_TURN, KOSARAK, NORMAL, OURS, Family, View
from hgldp.experiments.results import Results

UNIFORM, SKEWED, TRUE, LARGER = "uniform 50", "skewed 50", "true 50", "true 500"
STARTS = (UNIFORM, SKEWED, TRUE, LARGER)


def from_start(view: View, scheme: str, warmup: str, family: Family) -> Results:
    """The rows of one start, at the ε of the figure."""
    return view.accuracy(scheme, family, warmup)


def step_gains(view: View, family: Family, steps: tuple[tuple[str, str], ...]) -> Verdict:
    """What each step to a better start gains, for every scheme."""
    found, holds = [], True
    for scheme in IN_TURN:
        gains = [
            contest(from_start(view, scheme, after, family), from_start(view, scheme, before, family), "ndcg")
            for before, after in steps
        ]
        total = sum(gain.gap for gain in gains)
        error = sum(gain.error**2 for gain in gains) ** 0.5
        holds = holds and total > CLEARLY * error and all(gain.gap > -CLEARLY * gain.error for gain in gains)
        shown = ", ".join(f"{after} {gain.gap:+.3f}" for (_, after), gain in zip(steps, gains, strict=True))
        found.append(f"{scheme}: {shown}")
    why = f"NDCG gained step by step on {family.name}; every scheme must gain, and no step may lose clearly"
    return Verdict(holds, "; ".join(found), why)


def spreads(view: View, family: Family) -> dict[str, float]:
    """Per scheme, how far its best start is from its worst."""
    means = {scheme: [from_start(view, scheme, start, family).mean("ndcg") for start in STARTS] for scheme in IN_TURN}
    return {scheme: max(some) - min(some) for scheme, some in means.items()}


def least_affected(view: View, family: Family) -> Verdict:
    """The spread of BDR and CNR against that of BGR and DSR."""
    spread = spreads(view, family)
    holds = max(spread["bdr"], spread["cnr"]) < min(spread["bgr"], spread["dsr"])
    number = ", ".join(f"{scheme} {value:.3f}" for scheme, value in spread.items())
    return Verdict(holds, number, f"best start − worst start in NDCG on {family.name}")


def easier_to_enter(view: View) -> Verdict:
    """Precision after a start that knows nothing."""
    found, holds = [], True
    for strong in ("bdr", "cnr"):
        for weak in ("bgr", "dsr"):
            better, worse = (from_start(view, scheme, UNIFORM, NORMAL) for scheme in (strong, weak))
            match = contest(better, worse, "precision")
            holds = holds and match.gap > CLEARLY * match.error
            found.append(f"{strong} − {weak}: {match.shown}")
    return Verdict(holds, "; ".join(found), f"precision after the start {UNIFORM} on {NORMAL.name}")


def filling_is_enough(view: View) -> Verdict:
    """A sample that fills the list and is wrong, against none."""
    found, holds = [], True
    for scheme in IN_TURN:
        filled, empty = (from_start(view, scheme, start, NORMAL) for start in (UNIFORM, COLD))
        match = contest(filled, empty, "precision")
        holds = holds and match.gap >= -CLEARLY * match.error
        found.append(f"{scheme}: {match.shown}")
    why = f"precision of the start {UNIFORM} over none on {NORMAL.name}: a start that is good enough must not harm"
    return Verdict(holds, "; ".join(found), why)


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


CLAIMS = (
    Claim(
        "nearer-start-is-better",
        SECTION,
        "Accuracy rises as the warm-up's distribution approaches the true one.",
        lambda view: step_gains(view, NORMAL, ((UNIFORM, SKEWED), (SKEWED, TRUE))),
    ),
    Claim(
        "larger-start-is-better",
        SECTION,
        "Accuracy rises with the size of the warm-up.",
        lambda view: step_gains(view, NORMAL, ((TRUE, LARGER),)),
    ),
    Claim(
        "bdr-and-cnr-least-affected",
        SECTION,
        "BDR and CNR are the least affected by the warm-up of all schemes.",
        lambda view: least_affected(view, NORMAL),
    ),
    Claim(
        "cold-items-enter-more-easily",
        SECTION,
        "Reason given: with BDR and CNR cold items enter the list more easily and repair a bad start.",
        easier_to_enter,
    ),
    Claim(
        "filling-the-list-is-enough",
        "Discussion",
        "The “only requirement” on the warm-up's data is that they fill the list.",
        filling_is_enough,
        (OURS,),
    ),
    Claim("same-on-kosarak", SECTION, "On Kosarak the warm-up has a similar influence.", same_on_kosarak),
)
