"""Every claim of the paper's text that can be measured, with its verdict; and what we found beside them."""

from hgldp.experiments.claims.claim import Claim, Verdict
from hgldp.experiments.claims.finding import Finding
from hgldp.experiments.claims.findings import FINDINGS
from hgldp.experiments.claims.registry import CLAIMS

__all__ = ["CLAIMS", "FINDINGS", "Claim", "Finding", "Verdict"]
