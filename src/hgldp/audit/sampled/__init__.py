"""An audit by random draws: many of each input, and bounds on ε that hold at a stated error rate."""

from hgldp.audit.sampled.expected import expected_ratios
from hgldp.audit.sampled.result import AuditResult, Comparison
from hgldp.audit.sampled.run import audit

__all__ = ["AuditResult", "Comparison", "audit", "expected_ratios"]
