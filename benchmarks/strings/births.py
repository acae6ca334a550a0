"""What a child of the search among strings may know, at birth, of the prefix it was cut from."""

from collections.abc import Callable
from dataclasses import dataclass, field
from math import sqrt

from hgldp.stores.strings.search import Measured

Birth = Callable[[Measured, list[float]], list[Measured]]


def nothing(_: Measured, parts: list[float]) -> list[Measured]:
    """Each child is measured anew."""
    return [Measured() for _ in parts]


def model_part(parent: Measured, parts: list[float], doubt: float) -> list[Measured]:
    """The model's part of the parent's share, as an observation with the parent's variance + doubt · that part²."""
    return [_observed(parent, part, doubt * (part * parent.share) ** 2) for part in parts]


def all_or_none(parent: Measured, parts: list[float]) -> list[Measured]:
    """The same, with the variance it has if one child, drawn by the model, has all that the parent has."""
    return [_observed(parent, part, part * (1 - part) * parent.share**2) for part in parts]


def _observed(parent: Measured, part: float, spread: float) -> Measured:
    one_report = parent.noise / parent.weight
    weight = one_report / (parent.deviation**2 + spread)
    return Measured(weight * part * parent.share, weight * one_report, weight, max(1, round(weight)))


@dataclass
class Capped(Measured):
    """Never more than its parent can have had."""

    most: float = 1.0

    @property
    def share(self) -> float:
        """The mean, or the most there can be."""
        return min(super().share, self.most)


def capped(parent: Measured, parts: list[float], deviations: float) -> list[Measured]:
    """Each child is measured anew, and taken for at most the parent's share and so many standard deviations."""
    return [Capped(most=parent.share + deviations * parent.deviation) for _ in parts]


@dataclass
class Family:
    """What the parent had and its children do not show, and the variance of that difference."""

    missing: float
    variance: float


@dataclass
class Sibling(Measured):
    """The best linear estimate of a child, given that all children together are what the parent was."""

    family: Family = field(kw_only=True)

    @property
    def share(self) -> float:
        """The mean, and its part of what the family misses."""
        return super().share + self.family.missing * super().deviation ** 2 / self.family.variance

    @property
    def deviation(self) -> float:
        """Its standard deviation, a little smaller than that of the child alone."""
        alone = super().deviation
        return alone * sqrt(1 - alone**2 / self.family.variance)

    def add(self, share: float, variance: float, reports: int) -> None:
        """The family learns of it."""
        before, doubt = super().share, super().deviation ** 2
        super().add(share, variance, reports)
        self.family.missing -= super().share - before
        self.family.variance += super().deviation ** 2 - doubt


def family(parent: Measured, parts: list[float]) -> list[Measured]:
    """Each child is measured anew, and all are made to agree with the parent."""
    one = Family(parent.share, parent.deviation**2 + len(parts) * Measured().deviation ** 2)
    return [Sibling(family=one) for _ in parts]
