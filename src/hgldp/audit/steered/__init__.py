"""A steered audit: the audit chooses every integer that the client draws, and so learns its exact chances."""

from hgldp.audit.steered.follow import exact_law
from hgldp.audit.steered.pieces import NotFollowed
from hgldp.audit.steered.result import ExactComparison, SteeredResult
from hgldp.audit.steered.run import steered_audit

__all__ = ["ExactComparison", "NotFollowed", "SteeredResult", "exact_law", "steered_audit"]
