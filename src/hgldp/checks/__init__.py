"""Contract checks that every mechanism and scheme must pass; yours too."""

from hgldp.checks.result import CheckResult
from hgldp.checks.run import check, check_mechanism, check_scheme, run

__all__ = ["CheckResult", "check", "check_mechanism", "check_scheme", "run"]
