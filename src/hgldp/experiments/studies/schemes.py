"""What the paper's sections on DSR, BDR and CNR say of them, and its table of which scheme to select."""

from collections.abc import Callable
from functools import partial

from hgldp.experiments.judging.claim import Claim, Section, Verdict
from hgldp.experiments.judging.gaps import CLEARLY, TO_WIN, contest, lost_to_domain, rises
from hgldp.experiments.judging.view import EXPONENTIAL, FIGURES, NORMAL, SYNTHETIC, NotMeasured, View
from hgldp.experiments.measurement import AUTHORS_CODE, COLD, HOT_LISTS, OURS, PUBLISHED, Measurement, Settings
from hgldp.experiments.results import Results
from hgldp.experiments.scale import Scale
from hgldp.experiments.studies.costs.times import typical
from hgldp.experiments.studies.study import ABSENT, Grid, Study, Table, Topic

LIGHT_CELLS = (1, 5, 20, 80)
LIGHT_EPSILON = 2.0
PRINTED = {
    "accuracy": ("4th", "3rd", "2nd", "1st"),
    "computation": ("1st", "2nd", "3rd", "4th"),
    "memory": ("1st", "1st", "1st", "2nd"),
}
ORDINALS = ("1st", "2nd", "3rd", "4th")
ALIKE = 0.02


def for_claims(scale: Scale) -> list[Measurement]:
    """CNR with a short and a long light part, without a warm-up, where nominees matter most."""
    stream = scale.synthetic("normal", 1000)
    variants: tuple[Settings, ...] = ((), (*AUTHORS_CODE, ("hot_share", "true")))
    return [
        Measurement(stream, "cnr", LIGHT_EPSILON, seed, warmup=COLD, settings=(*variant, ("light_cells", cells)))
        for seed in scale.seeds
        for variant in variants
        for cells in LIGHT_CELLS
    ]


def domain_matters_less(view: View) -> Verdict:
    """NDCG lost from the smallest to the largest domain."""
    lost = {scheme: lost_to_domain(view.accuracy(scheme, SYNTHETIC), "ndcg") for scheme in ("bgr", "dsr", "bdr")}
    number = ", ".join(f"{scheme} {cost.shown}" for scheme, cost in lost.items())
    holds = all(rises(lost["bdr"], lost[scheme]) for scheme in ("bgr", "dsr"))
    return Verdict(holds, number, "NDCG lost from the smallest to the largest domain; clearly less for BDR")


def more_on_concentrated(view: View) -> Verdict:
    """DSR − BGR on the normal stream against the exponential one, whose top holds less."""
    normal, spread = (
        contest(view.accuracy("dsr", family), view.accuracy("bgr", family), "ndcg") for family in (NORMAL, EXPONENTIAL)
    )
    held = [view.accuracy("dsr", family).mean("top_share") for family in (NORMAL, EXPONENTIAL)]
    said = [
        f"{gap:+.3f} where the top holds {top:.0%}" for gap, top in zip((normal.gap, spread.gap), held, strict=True)
    ]
    number = f"dsr − bgr, NDCG: {said[0]} (normal), {said[1]} (exponential)"
    concentrated, other = (normal, spread) if held[0] >= held[1] else (spread, normal)
    return Verdict(rises(other, concentrated), number, "the stream whose top holds more must show the larger gap")


def beyond(view: View, after: str, before: str) -> Verdict:
    """One scheme against the one that it improves on."""
    match = contest(view.accuracy(after), view.accuracy(before), "ndcg")
    return Verdict(match.won, f"{after} over {before}, NDCG: {match}", f"all {FIGURES.name}; must {TO_WIN}")


def light_part_helps(view: View) -> Verdict:
    """CNR with its light part against BDR without one, at small ε."""
    match = contest(view.accuracy("cnr", NORMAL), view.accuracy("bdr", NORMAL), "ndcg").among(0.0, 1.0)
    number = f"cnr − bdr at ε < 1: {match.shown}"
    why = "NDCG on normal streams; the authors' light part has 5 cells, ours as many as there are cells beyond k"
    return Verdict(match.gap > CLEARLY * match.error, number, why)


def longer_light_part(view: View) -> Verdict:
    """CNR with the shortest and with the longest light part that was run."""
    rows = view.setting("cnr", "light_cells", NORMAL, COLD).with_no_settings_but(
        "variant", "cells", "hot_share", "light_cells"
    )
    groups = view.need(rows, "cnr with nothing moved but the light cells").by("light_cells")
    sizes = sorted(int(size) for size in groups if size is not None)
    match = contest(groups[sizes[-1]], groups[sizes[0]], "precision")
    shown = ", ".join(f"{size}: {groups[size].mean('precision'):.3f}" for size in sizes)
    number = f"precision with light cells {shown}; {match.shown} from first to last"
    return Verdict(len(sizes) > 1 and match.gap > CLEARLY * match.error, number, "normal stream, no warm-up")


def places(values: dict[str, float], *, most_is_first: bool) -> list[str]:
    """The place of each; values within a fiftieth of the one before share its place.

    >>> places({"bgr": 0.5, "dsr": 0.9, "bdr": 0.901, "cnr": 0.7}, most_is_first=True)
    ['3rd', '1st', '1st', '2nd']
    """
    order = sorted(values, key=lambda name: values[name], reverse=most_is_first)
    place = 0
    found = {}
    before = None
    for name in order:
        if before is not None and abs(values[name] - before) > ALIKE * abs(before):
            place += 1
        found[name], before = ORDINALS[place], values[name]
    return [found[name] for name in values]


def _row(label: str, measure: Callable[[], dict[str, float]], form: str, *, most_is_first: bool) -> tuple[str, ...]:
    try:
        values = measure()
    except NotMeasured:
        return (label, *(ABSENT for _ in HOT_LISTS))
    shown = zip(places(values, most_is_first=most_is_first), values.values(), strict=True)
    return (label, *(f"{place} ({format(value, form)})" for place, value in shown))


def _means(results: Results, variant: str, value: str) -> dict[str, float]:
    view = View(results, variant)
    return {scheme: view.accuracy(scheme).mean(value) for scheme in HOT_LISTS}


def _make(results: Results) -> Grid:
    client = partial(typical, View(results, OURS), "client_us", "word_us")
    server = partial(typical, View(results, OURS), "server_ns", "exact_ns")
    ours, published = partial(_means, results, OURS), partial(_means, results, PUBLISHED)
    rows = (
        ("accuracy, printed", *PRINTED["accuracy"]),
        _row("mean NDCG, ours", partial(ours, "ndcg"), ".3f", most_is_first=True),
        _row("mean NDCG, as published", partial(published, "ndcg"), ".3f", most_is_first=True),
        ("computation, printed", *PRINTED["computation"]),
        _row("client, ours (words of entropy)", client, ".2f", most_is_first=False),
        _row("server, ours (exact counts)", server, ",.0f", most_is_first=False),
        ("memory, printed", *PRINTED["memory"]),
        _row("state bytes, ours", partial(ours, "state_bytes"), ",.0f", most_is_first=False),
        _row("state bytes, as published", partial(published, "state_bytes"), ",.0f", most_is_first=False),
    )
    return Grid(("", *(scheme.upper() for scheme in HOT_LISTS)), rows)


SELECTION = Table(
    "selection",
    "Which scheme: the paper's table beside the measurements",
    "Places as printed, then as measured over all streams and ε; values within 2 % share a place.",
    _make,
)

CLAIMS = (
    Claim(
        "dsr-better-on-concentrated",
        Section.DSR,
        "What DSR gains over BGR is larger on more concentrated streams.",
        more_on_concentrated,
    ),
    Claim(
        "dsr-beyond-bgr",
        Section.DSR,
        "DSR alleviates the low utility that a large domain causes in BGR.",
        lambda view: beyond(view, "dsr", "bgr"),
    ),
    Claim(
        "bdr-beyond-dsr",
        Section.BDR,
        "BDR “further enhances accuracy beyond DSR”.",
        lambda view: beyond(view, "bdr", "dsr"),
    ),
    Claim(
        "cnr-beyond-bdr",
        Section.CNR,
        "CNR uses idle budget and the light part to improve further on BDR.",
        lambda view: beyond(view, "cnr", "bdr"),
    ),
    Claim(
        "bdr-suffers-less-from-domain",
        Section.BDR,
        "BDR reduces the impact of a large domain significantly, compared to BGR and DSR.",
        domain_matters_less,
    ),
    Claim(
        "light-part-of-five",
        Section.CNR,
        "Five light cells for a top 20 give a significant improvement at small ε on a concentrated stream.",
        light_part_helps,
    ),
    Claim(
        "longer-light-part", Section.CNR, "A longer light part provides more accurate new hot items.", longer_light_part
    ),
)

STUDY = Study("schemes", Topic.ORDER, tables=(SELECTION,), claims=CLAIMS, for_claims=for_claims)
