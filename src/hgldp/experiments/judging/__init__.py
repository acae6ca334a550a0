"""How a claim of the paper is judged from results: who is compared with whom, and what counts as better."""

from hgldp.experiments.judging.claim import Claim, Finding, Section, Verdict
from hgldp.experiments.judging.gaps import Contest, contest
from hgldp.experiments.judging.view import NotMeasured, View

__all__ = ["Claim", "Contest", "Finding", "NotMeasured", "Section", "Verdict", "View", "contest"]
