"""What the paper sums up: the order of the schemes, and the trade-off that it calls satisfactory."""

from itertools import pairwise

from hgldp.experiments.judging.claim import Claim, Section, Verdict
from hgldp.experiments.judging.gaps import CLEARLY, TO_WIN, contest
from hgldp.experiments.judging.view import FIGURES, NORMAL, NotMeasured, View
from hgldp.experiments.measurement import HOT_LISTS, OURS, PUBLISHED, WARMUP, Measurement
from hgldp.experiments.scale import Scale
from hgldp.experiments.studies.costs.memory import LITTLE
from hgldp.experiments.studies.parameters.hot_share import AS_PRINTED
from hgldp.experiments.studies.study import Study, Topic

PAPER = "paper"


def for_claims(scale: Scale) -> list[Measurement]:
    """The printed algorithms, mended only where they cannot run."""
    stream = scale.synthetic("normal", 1000)
    return [
        Measurement(stream, scheme, epsilon, seed, settings=AS_PRINTED)
        for seed in scale.seeds
        for epsilon in scale.few_epsilons
        for scheme in HOT_LISTS
    ]


def accuracy_order(view: View) -> Verdict:
    """The four schemes by their mean NDCG over everything."""
    means = {scheme: view.accuracy(scheme).mean("ndcg") for scheme in HOT_LISTS}
    steps = [contest(view.accuracy(after), view.accuracy(before), "ndcg") for before, after in pairwise(HOT_LISTS)]
    number = ", ".join(f"{scheme} {mean:.3f}" for scheme, mean in means.items())
    holds = all(step.gap > CLEARLY * step.error for step in steps)
    return Verdict(holds, number, f"mean NDCG over {FIGURES.name} and all ε; each step must be beyond its error")


def worth_its_warmup(view: View) -> Verdict:
    """Every scheme against the raw sample that it starts from."""
    found, holds = [], False
    for scheme in HOT_LISTS[1:]:
        match = contest(view.accuracy(scheme), view.accuracy(WARMUP), "ndcg")
        holds = holds or match.won
        found.append(f"{scheme}: {match}")
    why = "NDCG against the raw warm-up alone, which has spent its donors' privacy already; one scheme must win"
    return Verdict(holds, "; ".join(found), why)


def superior_to_existing(view: View) -> Verdict:
    """DSR, BDR and CNR against BGR, an existing mechanism in the same bounded memory."""
    parts = []
    for scheme in HOT_LISTS[1:]:
        ours, existing = view.accuracy(scheme), view.accuracy("bgr")
        match, memory = contest(ours, existing, "ndcg"), ours.mean("state_bytes") / existing.mean("state_bytes")
        parts.append((match.won and memory <= LITTLE, f"{scheme}: {match}, {memory:.2f} times the memory"))
    why = f"NDCG over bgr at the same ε; each must {TO_WIN}, in at most {LITTLE} times its memory"
    return Verdict.of_all(parts, why)


def debiasing_early(view: View) -> Verdict:
    """The authors' code, which debiases while counting, against the printed algorithm, which does so at the end."""
    parts = []
    for scheme in ("bgr", "bdr", "cnr"):
        printed = view.results.where(scheme=scheme, variant=PAPER).with_no_settings_but("variant", "cells")
        if not len(printed):
            raise NotMeasured(f"{scheme} in the variant {PAPER}")
        match = contest(view.accuracy(scheme, NORMAL), printed, "aae")
        parts.append((match.won, f"{scheme}: {match}"))
    why = "relative AAE gained over the printed algorithm on the normal stream (the code has other changes too)"
    return Verdict.of_all(parts, why)


def not_of_ours(reason: str) -> Verdict:
    """The verdict on a statement that nothing here can measure."""
    return Verdict(None, "", reason)


CLAIMS = (
    Claim(
        "superior-tradeoff",
        Section.ABSTRACT,
        "Existing techniques applied directly give an inferior trade-off, the advanced schemes a “superior” one.",
        superior_to_existing,
    ),
    Claim(
        "table-accuracy",
        Section.DISCUSSION,
        "Scheme-selection table, accuracy: CNR first, then BDR, DSR and BGR.",
        accuracy_order,
    ),
    Claim(
        "satisfactory-tradeoff",
        Section.CONCLUSION,
        "The schemes achieve a “satisfactory” trade-off of accuracy, privacy and memory.",
        worth_its_warmup,
    ),
    Claim(
        "debiasing-before-storing",
        Section.DETAILS,
        "Debiasing while counting avoids that the bias of decay is amplified.",
        debiasing_early,
        (PUBLISHED,),
    ),
    Claim(
        "smaller-decay-base",
        Section.PARAMETERS,
        "As in HeavyGuardian's own paper, a smaller decay base b lets items in more easily and helps, up to a point.",
        lambda _: not_of_ours("not measured: a figure of another paper, of a sketch with no privacy"),
        (OURS,),
    ),
    Claim(
        "bobhash-is-faster",
        Section.DETAILS,
        "BobHash is more efficient than xxHash.",
        lambda _: not_of_ours(
            "not measured: neither hash is used here; the paper's own footnote gives 0.1 against 0.01 µs"
        ),
        (OURS,),
    ),
)

STUDY = Study("tradeoff", Topic.ORDER, claims=CLAIMS, for_claims=for_claims)
