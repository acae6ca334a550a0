"""Comparison of Accuracy: the schemes against unlimited memory and against no privacy."""

from hgldp.experiments.judging.claim import Claim, Section, Verdict
from hgldp.experiments.judging.gaps import TO_WIN, contest, rises
from hgldp.experiments.judging.view import FIGURES, LARGE, SYNTHETIC, Family, NotMeasured, View, between, domain_of
from hgldp.experiments.measurement import NO_BUDGET
from hgldp.experiments.studies.study import Study, Topic
from hgldp.simulation.run import HEAVY_GUARDIAN

METRICS = ("ndcg", "precision", "aae")
CLOSE, MUCH = 0.1, 0.1
NO_SAMPLE = "grr and hr get no raw sample"


def beat_grr(view: View) -> Verdict:
    """BDR and CNR against GRR below ε = 3."""
    parts = []
    for scheme in ("bdr", "cnr"):
        for metric in METRICS:
            match = contest(view.accuracy(scheme), view.accuracy("grr"), metric).among(NO_BUDGET, 3.0)
            parts.append((match.won and not match.worse, f"{scheme}, {metric}: {match}"))
    why = f"at ε < 3 on every stream where grr was run, clearly worse nowhere (AAE: relative); {NO_SAMPLE}"
    return Verdict.of_all(parts, why)


def close_to(view: View, yardstick: str, family: Family) -> Verdict:
    """BDR and CNR against a yardstick, stream by stream."""
    parts = []
    for scheme in ("bdr", "cnr"):
        for metric in ("ndcg", "precision"):
            match = contest(view.accuracy(scheme, family), view.accuracy(yardstick, family), metric)
            streams = {point.stream for point in match.points}
            mean_gaps = [
                sum(p.gap for p in match.points if p.stream == stream) / sum(p.stream == stream for p in match.points)
                for stream in sorted(streams)
            ]
            holds = min(mean_gaps) >= -CLOSE
            number = f"{scheme}, {metric}: {match.gap:+.3f}, worst stream {min(mean_gaps):+.3f}"
            parts.append((holds, number))
    why = f"against {yardstick} on {family.name}; close if no stream's mean over ε is more than {CLOSE} below"
    return Verdict.of_all(parts, why)


def dominate_with_domain(view: View) -> Verdict:
    """BGR and DSR against GRR below ε = 3.5: smallest and largest synthetic domain, and the streams beyond."""
    parts = []
    for scheme in ("bgr", "dsr"):
        ours, grr = (between(view.accuracy(name), NO_BUDGET, 3.5) for name in (scheme, "grr"))
        match = contest(ours, grr, "ndcg")
        sizes = {size for point in match.points if (size := domain_of(point.stream)) and SYNTHETIC.holds(point.stream)}
        if len(sizes) < 2:
            raise NotMeasured("two synthetic streams with different domains")
        small, large = (
            type(match)(tuple(p for p in match.points if SYNTHETIC.holds(p.stream) and domain_of(p.stream) == size))
            for size in (min(sizes), max(sizes))
        )
        real = type(match)(tuple(point for point in match.points if LARGE.holds(point.stream)))
        if not real.points:
            raise NotMeasured(f"{scheme} and grr on {LARGE.name}")
        gaps = f"{small.gap:+.3f} at d = {min(sizes)}, {large.gap:+.3f} at d = {max(sizes)}"
        holds = rises(small, large) and real.gap > 2 * real.error
        number = f"{scheme} − grr: {gaps}, {real.gap:+.3f} on {real.streams}"
        parts.append((holds, number))
    return Verdict.of_all(parts, "NDCG at ε < 3.5; must rise with d and be positive on the streams named")


def far_below_on_large(view: View) -> Verdict:
    """The better of BGR and DSR against the worse of BDR and CNR, where domains are large."""
    parts = []
    for weak in ("bgr", "dsr"):
        for strong in ("bdr", "cnr"):
            match = contest(view.accuracy(strong, LARGE), view.accuracy(weak, LARGE), "ndcg")
            parts.append((match.gap > MUCH, f"{strong} − {weak}: {match.shown}"))
    return Verdict.of_all(parts, f"NDCG on {match.streams}; “much lower” is more than {MUCH}")


def more_accurate_than_oracles(view: View) -> Verdict:
    """DSR, BDR and CNR against GRR and HR, everywhere."""
    parts = []
    for scheme in ("dsr", "bdr", "cnr"):
        for oracle in ("grr", "hr"):
            match = contest(view.accuracy(scheme), view.accuracy(oracle), "ndcg")
            parts.append((match.won, f"{scheme} over {oracle}: {match}"))
    return Verdict.of_all(parts, f"NDCG on {FIGURES.name}; each must {TO_WIN}; {NO_SAMPLE}")


CLAIMS = (
    Claim(
        "beat-grr-below-3",
        Section.ACCURACY,
        "BDR and CNR outperform GRR on all streams and by all metrics when ε < 3.",
        beat_grr,
    ),
    Claim(
        "close-to-hr",
        Section.ACCURACY,
        "On synthetic streams BDR and CNR are close to HR, which has unlimited memory.",
        lambda view: close_to(view, "hr", SYNTHETIC),
    ),
    Claim(
        "close-to-heavyguardian",
        Section.ACCURACY,
        "On all streams BDR and CNR are close to HeavyGuardian without privacy.",
        lambda view: close_to(view, HEAVY_GUARDIAN, FIGURES),
    ),
    Claim(
        "dominate-grr-with-domain",
        Section.ACCURACY,
        "Below ε = 3.5 BGR and DSR gradually dominate GRR as the domain grows.",
        dominate_with_domain,
    ),
    Claim(
        "far-below-on-large-domains",
        Section.ACCURACY,
        "Where the domain is extremely large, BGR and DSR are much less accurate than BDR and CNR.",
        far_below_on_large,
    ),
    Claim(
        "more-accurate-than-baselines",
        Section.INTRODUCTION,
        "The proposed schemes achieve “higher accuracy” than the baseline methods.",
        more_accurate_than_oracles,
    ),
)

STUDY = Study("baselines", Topic.BASELINES, claims=CLAIMS)
