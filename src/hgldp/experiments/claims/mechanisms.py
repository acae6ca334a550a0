"""The LDP mechanisms without a bound on memory, among themselves and against bounded memory."""

from hgldp.experiments.claims.claim import Claim, Verdict
from hgldp.experiments.claims.gaps import CLEARLY, contest
from hgldp.experiments.claims.memory import savings, span
from hgldp.experiments.claims.order import SECTION
from hgldp.experiments.claims.view import COLD, LARGE, NORMAL, OURS, WEBDOCS, NotMeasured, View
from hgldp.experiments.results import Row
from hgldp.mechanisms.registry import MECHANISMS

HADAMARD, FRONTIER = "hr", "pfr"
LIKE = 0.05
WEBDOCS_DOMAIN = 5_000_000


def hadamard_is_best(view: View) -> Verdict:
    """HR against every other mechanism that was run on a normal stream."""
    found, holds = [], True
    for name in sorted(MECHANISMS):
        rows = view.results.where(scheme=name)
        if name == HADAMARD or not any(NORMAL.holds(row.measurement.stream) for row in rows):
            continue
        match = contest(view.accuracy(name, NORMAL), view.accuracy(HADAMARD, NORMAL), "ndcg")
        holds = holds and match.gap <= CLEARLY * match.error
        found.append(f"{name} − hr: {match.shown}")
    if not found:
        raise NotMeasured("any mechanism beside hr")
    return Verdict(holds, "; ".join(found), "NDCG on normal streams; none may be better by two standard errors")


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
    why = f"on {match.streams}; pfr encodes the domain into 256 symbols; {refutes}"
    return Verdict(not refuted, number, why)


CLAIMS = (
    Claim(
        "hadamard-is-the-best-oracle",
        "Appendix, Implementation Details",
        "Of the LDP mechanisms HR performs best.",
        hadamard_is_best,
        (OURS,),
    ),
    Claim(
        "oracles-cannot-run-on-webdocs",
        SECTION,
        "GRR and HR exceed a server's computing or storage capabilities on Webdocs.",
        too_large_for_webdocs,
        (OURS,),
    ),
    Claim(
        "encodings-defeat-bounded-memory",
        "A Baseline Scheme: BGR",
        "Mechanisms that encode a large domain into a small one need the whole domain at the server, and their "
        "collisions make space-saving strategies unusable.",
        encodings_need_the_domain,
        (OURS,),
    ),
)
