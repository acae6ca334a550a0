"""An audit of any client from outside: what it spends, and whether anything around its reports tells more.

`pairs` says which inputs to compare, `subjects` are the clients, and `views` is what can be seen of their uploads.
Two ways to compare: `sampled` draws many times and bounds ε; `steered` chooses every draw, and gets it exactly.
"""

from hgldp.audit.bulletins import made_bulletins
from hgldp.audit.pairs import Pair, pairs_of
from hgldp.audit.sampled import AuditResult, Comparison, audit, expected_ratios
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
