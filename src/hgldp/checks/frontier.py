"""PFR under check: the channel of the items, and the unbiased count of every leaf."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from hgldp.checks.subjects import BulletinSubject, Subject
from hgldp.model.bulletins import FrontierBulletin
from hgldp.model.weights import Epsilon
from hgldp.schemes.pfr import PFR


@dataclass(frozen=True)
class FrontierSubject(BulletinSubject):
    """PFR in answer to one bulletin; its estimator is the debiased support of a leaf's symbol."""

    scheme: PFR
    bulletin: FrontierBulletin

    @property
    def title(self) -> str:
        """The scheme as it was built, and the bulletin: who is tracked, in how many cells."""
        return f"{self.scheme!r} with leaves {self.bulletin.leaves} in {self.bulletin.cells} cells"

    def targets(self) -> tuple[int, ...]:
        """The leaves."""
        return self.bulletin.leaves

    def adds(self, report: Any) -> list[Fraction]:
        """The debiased support of one report, for every leaf."""
        mechanism = self.scheme.mechanism_over(self.bulletin.cells)
        return [mechanism.debias(mechanism.support(report, slot), 1) for slot in range(len(self.bulletin.leaves))]


def frontier_cases(epsilon: Epsilon) -> list[Subject]:
    """A frontier with no leaf yet, one with two, and one that has given cells up."""
    scheme = PFR(12, 10, epsilon)
    bulletins = (
        FrontierBulletin(bytes(32), 0, 12, *rest) for rest in ((10, 99, ()), (10, 99, (4, 9)), (8, 99, (4, 9)))
    )
    return [FrontierSubject(scheme, bulletin) for bulletin in bulletins]
