"""Every claim, in the order of the paper's sections."""

from hgldp.experiments.claims import (
    allocation,
    allocation_discussed,
    baselines,
    hot_share,
    mechanisms,
    memory,
    order,
    real_streams,
    regimes,
    starts,
    theory,
    times,
    tradeoff,
    traffic,
)
from hgldp.experiments.claims.claim import Claim

SECTIONS = (
    "Abstract",
    "Introduction",
    "A Baseline Scheme: BGR",
    "DSR",
    "BDR",
    "CNR",
    "Comparison of Accuracy",
    "Impact of Key Parameters",
    "Comparison of Memory Consumption",
    "Discussion",
    "Conclusion",
    "Appendix, Implementation Details",
    "Appendix, Supplementary Experiments",
)
TOPICS = (
    order,
    real_streams,
    regimes,
    baselines,
    mechanisms,
    theory,
    allocation,
    allocation_discussed,
    hot_share,
    starts,
    memory,
    traffic,
    times,
    tradeoff,
)
CLAIMS: tuple[Claim, ...] = tuple(
    sorted((claim for topic in TOPICS for claim in topic.CLAIMS), key=lambda claim: SECTIONS.index(claim.section))
)
