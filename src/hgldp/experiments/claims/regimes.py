"""Comparison of Accuracy: the reasons given for it, which speak of how often DSR must ask the whole domain.

A report over the whole domain takes more bytes than one over the cells, so the bytes uploaded tell its share. This can
be asked of the published DSR alone: ours looks at the whole domain with a coin of fixed odds.
"""

from hgldp.experiments.claims.claim import Claim, Verdict
from hgldp.experiments.claims.gaps import CLEARLY
from hgldp.experiments.claims.order import ANY, ONE, SECTION
from hgldp.experiments.claims.view import PUBLISHED, REAL, SYNTHETIC, Family, NotMeasured, View, between
from hgldp.experiments.measurement import NO_BUDGET
from hgldp.experiments.results import Results
from hgldp.model.reports import symbol_bytes

ALWAYS = 0.9
LARGE_EPSILON = 3.0
SMALL_SYMBOL = 1


def whole_domain_shares(rows: Results) -> list[float]:
    """Per row, the share of reports over the whole domain."""
    shares = []
    for row in rows:
        naming = symbol_bytes(int(row.values["domain_size"]))
        if naming > SMALL_SYMBOL:
            sent = row.values["upload_bytes"] / row.values["reports"]
            shares.append((sent - SMALL_SYMBOL) / (naming - SMALL_SYMBOL))
    if not shares:
        raise NotMeasured("a stream whose items need more than one byte")
    return shares


def share_of(view: View, family: Family, low: float, high: float) -> tuple[float, float]:
    """Its mean and standard error over streams, ε in [low, high) and seeds."""
    rows = view.need(between(view.accuracy("dsr", family), low, high), f"dsr with {low:g} ≤ ε < {high:g}")
    shares = whole_domain_shares(rows)
    mean = sum(shares) / len(shares)
    spread = sum((share - mean) ** 2 for share in shares) / max(len(shares) - 1, 1)
    return mean, (spread / len(shares)) ** 0.5


def rare_at_large_epsilon(view: View) -> Verdict:
    """The share above ε = 1 against the share up to it."""
    (low, low_error), (high, high_error) = (
        share_of(view, SYNTHETIC, NO_BUDGET, ONE + 1e-9),
        share_of(view, SYNTHETIC, ONE + 1e-9, ANY),
    )
    holds = low - high > CLEARLY * (low_error**2 + high_error**2) ** 0.5
    number = f"{low:.1%} of the reports are over the whole domain at ε ≤ 1, {high:.1%} above"
    return Verdict(holds, number, "synthetic streams, read from the bytes uploaded")


def always_at_small_epsilon(view: View) -> Verdict:
    """The share below ε = 1."""
    share, _ = share_of(view, SYNTHETIC, NO_BUDGET, ONE)
    number = f"{share:.1%} of DSR's reports are over the whole domain at ε < 1"
    return Verdict(share >= ALWAYS, number, f"synthetic streams; “always” is at least {ALWAYS:.0%}")


def always_on_real(view: View) -> Verdict:
    """The share on real streams at a large ε."""
    share, _ = share_of(view, REAL, LARGE_EPSILON, ANY)
    number = f"{share:.1%} of DSR's reports are over the whole domain at ε ≥ {LARGE_EPSILON:g}"
    return Verdict(share >= ALWAYS, number, f"retail and kosarak; “always” is at least {ALWAYS:.0%}")


CLAIMS = (
    Claim(
        "whole-domain-rare-at-large-epsilon",
        SECTION,
        "Reason given: above ε = 1 hot items stay concentrated, so that DSR seldom asks the whole domain.",
        rare_at_large_epsilon,
        (PUBLISHED,),
    ),
    Claim(
        "whole-domain-always-at-small-epsilon",
        SECTION,
        "Reason given: below ε = 1 reports are nearly uniform, and the weakest item “always” needs replacing.",
        always_at_small_epsilon,
        (PUBLISHED,),
    ),
    Claim(
        "whole-domain-always-on-real",
        SECTION,
        "Reason given: on real streams items are replaced so often that DSR asks the whole domain even at a large ε.",
        always_on_real,
        (PUBLISHED,),
    ),
)
