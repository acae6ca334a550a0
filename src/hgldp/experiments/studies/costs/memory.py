"""Memory of the server, with the factor that the abstract quotes."""

import numpy as np

from hgldp.experiments.judging.claim import Claim, Finding, Section, Verdict
from hgldp.experiments.judging.view import FIGURES, LARGE, QUOTED, QUOTED_DOMAIN, SYNTHETIC, Family, NotMeasured, View
from hgldp.experiments.measurement import AUTHORS_CODE, HOT_LISTS, ORACLES, OURS, Measurement, Settings
from hgldp.experiments.results import Results
from hgldp.experiments.scale import Scale
from hgldp.experiments.studies.costs.lines import by_stream
from hgldp.experiments.studies.study import Grid, Study, Table, Topic
from hgldp.model.frontier_size import LISTED_CELLS
from hgldp.model.task import FRONTIER
from hgldp.simulation.run import HEAVY_GUARDIAN

QUOTED_STREAM = f"uniform:n=20000,d={QUOTED_DOMAIN}"
QUOTED_FACTOR = 2300
TENFOLD = 10.0
LINEAR = 0.25
SAME = 1.1
LITTLE = 1.5


def for_claims(_: Scale) -> list[Measurement]:
    """Everybody on the domain for which the abstract quotes a factor; memory depends neither on the items nor on ε."""
    schemes: tuple[tuple[str, Settings], ...] = tuple((scheme, ()) for scheme in (*HOT_LISTS, *ORACLES, FRONTIER))
    theirs: tuple[tuple[str, Settings], ...] = tuple((scheme, AUTHORS_CODE) for scheme in HOT_LISTS)
    return [Measurement(QUOTED_STREAM, scheme, 1.0, 1, settings=settings) for scheme, settings in (*schemes, *theirs)]


def bytes_of(view: View, scheme: str, family: Family = FIGURES) -> float:
    """The mean bytes of the server's state."""
    return view.accuracy(scheme, family).mean("state_bytes")


def savings(large: Results, small: Results) -> tuple[float, float]:
    """By which factors the second has less state than the first: on the stream with the least saving and the most."""
    more, less = large.by("stream"), small.by("stream")
    factors = [more[name].mean("state_bytes") / less[name].mean("state_bytes") for name in more.keys() & less.keys()]
    if not factors:
        raise NotMeasured("a stream on which both were run")
    return min(factors), max(factors)


def span(least: float, most: float) -> str:
    """Two whole numbers, or one where they are the same.

    >>> span(7.9, 16.2), span(15.9, 16.2)
    ('8 to 16', '16')
    """
    low, high = f"{least:,.0f}", f"{most:,.0f}"
    return low if low == high else f"{low} to {high}"


def quoted_factor(view: View) -> Verdict:
    """GRR's and HR's bytes over the schemes', at the quoted domain."""
    factors = {
        scheme: min(bytes_of(view, oracle, QUOTED) for oracle in ("grr", "hr")) / bytes_of(view, scheme, QUOTED)
        for scheme in ("dsr", "bdr", "cnr")
    }
    number = ", ".join(f"{scheme} {factor:,.0f}×" for scheme, factor in factors.items())
    why = f"serialised state; “about {QUOTED_FACTOR}×” if at least half of it. The paper has the sizes of Java objects"
    return Verdict(min(factors.values()) >= QUOTED_FACTOR / 2, number, why)


def advantage_on_large(view: View) -> Verdict:
    """The same where the domain is large."""
    grr = view.accuracy("grr", LARGE)
    factors = {scheme: savings(grr, view.accuracy(scheme, LARGE)) for scheme in HOT_LISTS}
    number = ", ".join(f"{scheme} {span(*factor)}×" for scheme, factor in factors.items())
    holds = min(least for least, _ in factors.values()) >= TENFOLD
    streams = ", ".join(sorted({row.measurement.stream for row in grr}))
    return Verdict(holds, number, f"grr's state over theirs on {streams}; at least tenfold on each")


def more_efficient(view: View) -> Verdict:
    """The least factor by which the schemes need less than GRR and HR, over all streams."""
    oracles = [view.accuracy(oracle) for oracle in ("grr", "hr")]
    factors = {
        scheme: min(savings(rows, view.accuracy(scheme))[0] for rows in oracles) for scheme in ("dsr", "bdr", "cnr")
    }
    number = ", ".join(f"{scheme} at least {factor:.2f}×" for scheme, factor in factors.items())
    return Verdict(
        min(factors.values()) > 1, number, f"state of grr and hr over theirs; less on each of the {FIGURES.name}"
    )


def linear_in_domain(view: View) -> Verdict:
    """The slope of log bytes against log d."""
    slopes = {}
    for oracle in ("grr", "hr"):
        rows = view.accuracy(oracle)
        points = {(row.values["domain_size"], row.values["state_bytes"]) for row in rows}
        if len({size for size, _ in points}) < 2:
            raise NotMeasured("several domains")
        sizes, states = np.log(sorted(points)).T
        slopes[oracle] = float(np.polyfit(sizes, states, 1)[0])
    number = ", ".join(f"{oracle}: d^{slope:.2f}" for oracle, slope in slopes.items())
    return Verdict(
        all(abs(slope - 1) <= LINEAR for slope in slopes.values()), number, "fit over all streams; 1 is linear"
    )


def independent_of_domain(view: View) -> Verdict:
    """The largest state over the smallest, whatever the stream."""
    ratios = {}
    for scheme in (*HOT_LISTS, HEAVY_GUARDIAN):
        states = view.accuracy(scheme).values("state_bytes")
        ratios[scheme] = float(states.max() / states.min())
    number = ", ".join(f"{scheme} {ratio:.2f}" for scheme, ratio in ratios.items())
    return Verdict(max(ratios.values()) <= SAME, number, f"largest state over smallest, all streams; at most {SAME}")


def order_of_the_table(view: View) -> Verdict:
    """BGR = DSR = BDR < CNR."""
    state = {scheme: bytes_of(view, scheme, SYNTHETIC) for scheme in HOT_LISTS}
    first = [state[scheme] for scheme in ("bgr", "dsr", "bdr")]
    holds = max(first) <= SAME * min(first) and state["cnr"] > SAME * max(first)
    number = ", ".join(f"{scheme} {value:,.0f} B" for scheme, value in state.items())
    return Verdict(holds, number, "the first three equal to a tenth, CNR above")


def little_for_nomination(view: View) -> Verdict:
    """CNR over BDR."""
    ratio = bytes_of(view, "cnr", SYNTHETIC) / bytes_of(view, "bdr", SYNTHETIC)
    return Verdict(
        ratio <= LITTLE, f"CNR has {ratio:.2f} times BDR's bytes", f"not too much more: at most {LITTLE} times"
    )


def _make(results: Results) -> Grid:
    return by_stream(results, lambda rows: f"{rows.mean('state_bytes'):,.0f}")


def memory_of_states(results: Results) -> str:
    """Bytes of state at the quoted domain."""
    view = View(results, OURS)
    names = ("grr", "hr", *HOT_LISTS)
    return ", ".join(f"{name} {view.accuracy(name, QUOTED).mean('state_bytes'):,.0f} B" for name in names)


TABLE = Table(
    "memory",
    "Memory of the server (bytes of serialised state)",
    f"HeavyGuardian and our hot lists have 2k = 40 cells, PFR {LISTED_CELLS:,}, the published schemes k = 20; GRR, HR "
    "and OLH keep a counter for every possible item. HR's counters are a power of two, so it grows in steps.",
    _make,
)

CLAIMS = (
    Claim(
        "memory-2300-times",
        Section.ABSTRACT,
        "The schemes save 2300× memory over the baselines when there are 41,270 items.",
        quoted_factor,
    ),
    Claim(
        "more-memory-efficient",
        Section.INTRODUCTION,
        "The proposed schemes achieve “higher memory efficiency” than the baseline methods.",
        more_efficient,
    ),
    Claim(
        "memory-advantage-on-large-domains",
        Section.MEMORY,
        "The schemes have a significant advantage in memory where the domain is large (Kosarak, Webdocs).",
        advantage_on_large,
    ),
    Claim(
        "oracle-memory-is-linear",
        Section.MEMORY,
        "The memory of GRR and HR grows linearly with d.",
        linear_in_domain,
        (OURS,),
    ),
    Claim(
        "scheme-memory-depends-on-k-alone",
        Section.MEMORY,
        "The memory of all space-saving schemes depends on k alone.",
        independent_of_domain,
    ),
    Claim(
        "memory-order",
        Section.DISCUSSION,
        "Scheme-selection table, memory: BGR, DSR and BDR share the first place, CNR is second.",
        order_of_the_table,
    ),
    Claim(
        "nomination-costs-little-memory",
        Section.CNR,
        "CNR does not need much more memory than the other schemes.",
        little_for_nomination,
    ),
)

FINDINGS = (
    Finding(
        "memory-factor",
        "2300× compares Java objects",
        "The printed kilobytes are the sizes of boxed objects: about 150 bytes for each item that GRR counts. "
        "Counters of four to eight bytes shrink the factor, which stays large and grows with the domain.",
        memory_of_states,
        (("memory-2300-times", OURS, False), ("memory-advantage-on-large-domains", OURS, True)),
    ),
)

STUDY = Study("memory", Topic.MEMORY, tables=(TABLE,), claims=CLAIMS, findings=FINDINGS, for_claims=for_claims)
