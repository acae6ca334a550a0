"""The numbers behind the findings, each computed from results."""

from statistics import median

from hgldp.experiments.claims.gaps import contest
from hgldp.experiments.claims.hot_share import EXACT, ONLINE, WARM_UP, told
from hgldp.experiments.claims.memory import QUOTED
from hgldp.experiments.claims.regimes import whole_domain_shares
from hgldp.experiments.claims.splits import HALF, NINTH, at_split
from hgldp.experiments.claims.starts import TRUE, UNIFORM
from hgldp.experiments.claims.theory import bound_of, growth
from hgldp.experiments.claims.view import (
    COLD,
    IN_TURN,
    NORMAL,
    OURS,
    PUBLISHED,
    REAL,
    SYNTHETIC,
    WEBDOCS,
    View,
    on,
)
from hgldp.experiments.measurement import WARMUP
from hgldp.experiments.results import Results


def _both(results: Results) -> tuple[View, View]:
    return View(results, OURS), View(results, PUBLISHED)


def against_warmup(results: Results) -> str:
    """Mean NDCG over the warm-up's, per scheme and implementation."""
    return "; ".join(
        f"{label} against the warm-up: "
        + ", ".join(
            f"{scheme} {contest(view.accuracy(scheme), view.accuracy(WARMUP), 'ndcg').gap:+.3f}" for scheme in IN_TURN
        )
        for label, view in zip(("ours", "as published"), _both(results), strict=True)
    )


def published_against_ours(results: Results) -> str:
    """The spread between DSR, BDR and CNR, in both implementations."""
    found = []
    for label, view in zip(("ours", "as published"), _both(results), strict=True):
        means = [view.accuracy(scheme).mean("ndcg") for scheme in IN_TURN[1:]]
        found.append(f"{label}: mean NDCG of DSR, BDR, CNR " + ", ".join(f"{mean:.3f}" for mean in means))
    return "; ".join(found)


def whole_domain_share(results: Results) -> str:
    """DSR's reports over the whole domain, as published."""
    view = View(results, PUBLISHED)
    families = [family for family in (SYNTHETIC, REAL) if len(on(results, family))] or [SYNTHETIC]
    shares = {family.name: whole_domain_shares(view.accuracy("dsr", family)) for family in families}
    return ", ".join(f"{sum(some) / len(some):.1%} of the reports on {name}" for name, some in shares.items())


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


def recommended_splits(results: Results) -> str:
    """NDCG of the two recommended splits."""
    found = []
    for label, view in zip(("ours", "as published"), _both(results), strict=True):
        rows = view.setting("bdr", "judge_share", SYNTHETIC)
        half, ninth = at_split(rows, HALF).mean("ndcg"), at_split(rows, NINTH).mean("ndcg")
        found.append(f"bdr {label}: NDCG {half:.3f} at 1/2, {ninth:.3f} at 1/9")
    return "; ".join(found)


def allocation_of_the_tight_judge(results: Results) -> str:
    """The tight judge against the split of 1/2, at the same streams and ε."""
    view = View(results, OURS)
    split = at_split(view.setting("bdr", "judge_share", SYNTHETIC), HALF)
    match = contest(view.accuracy("bdr", SYNTHETIC), split, "aae")
    return f"the tight judge has {match.gap:.0%} less AAE than a split of 1/2"


def share_of_the_top(results: Results) -> str:
    """The true share of the top items."""
    return f"top share {View(results, OURS).accuracy('bdr', NORMAL).mean('top_share'):.3f}"


def gamma_ways(results: Results) -> str:
    """AAE by where γ_h comes from."""
    view = View(results, OURS)
    rows = told(view, "bdr")
    errors = [
        f"{view.need(rows.where(hot_share=way), f'γ_h {way}').mean('aae'):,.0f} ({way})"
        for way in (WARM_UP, EXACT, ONLINE)
    ]
    return "AAE of bdr with the printed split by the source of γ_h: " + ", ".join(errors)


def bound_over_error(results: Results) -> str:
    """How many times the bound exceeds the error."""
    view = View(results, OURS)
    ratios = {
        scheme: median(bound_of(row) / max(row.values["aae"], 1e-9) for row in view.accuracy(scheme))
        for scheme in ("bgr", "bdr")
    }
    return "bound over AAE, median: " + ", ".join(f"{scheme} {ratio:,.0f}" for scheme, ratio in ratios.items())


def growth_with_domain(results: Results) -> str:
    """AAE of BGR from the smallest domain to the largest."""
    error, domain = growth(View(results, PUBLISHED).accuracy("bgr", SYNTHETIC))
    return f"BGR's AAE as published grows {error:.2f}-fold over a {domain:.0f}-fold domain"


def after_a_wrong_start(results: Results) -> str:
    """Precision without a sample, with a wrong one and with a right one of the same size."""
    view, found = View(results, OURS), []
    for scheme in ("dsr", "bdr", "cnr", "pfr"):
        means = (view.accuracy(scheme, NORMAL, start).mean("precision") for start in (COLD, UNIFORM, TRUE))
        found.append(f"{scheme} " + " / ".join(f"{mean:.2f}" for mean in means))
    return "precision with no sample / 50 wrong items / 50 right items on the normal stream: " + ", ".join(found)


def memory_of_states(results: Results) -> str:
    """Bytes of state at the quoted domain."""
    view = View(results, OURS)
    names = ("grr", "hr", *IN_TURN)
    return ", ".join(f"{name} {view.accuracy(name, QUOTED).mean('state_bytes'):,.0f} B" for name in names)


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
