"""A black-box audit of any client: what it spends at least, and whether anything around its reports tells more."""

from hgldp.audit.bulletins import made_bulletins
from hgldp.audit.expected import expected_ratios
from hgldp.audit.pairs import Pair, pairs_of
from hgldp.audit.result import AuditResult, Comparison
from hgldp.audit.run import audit
from hgldp.audit.steered import ExactComparison, NotFollowed, SteeredResult, steered_audit
from hgldp.audit.subjects.command import CommandClient
from hgldp.audit.subjects.own import OwnClient
from hgldp.audit.subjects.reporting import ReportingClient

__all__ = [
    "AuditResult",
    "CommandClient",
    "Comparison",
    "ExactComparison",
    "NotFollowed",
    "OwnClient",
    "Pair",
    "ReportingClient",
    "SteeredResult",
    "audit",
    "expected_ratios",
    "made_bulletins",
    "pairs_of",
    "steered_audit",
]
