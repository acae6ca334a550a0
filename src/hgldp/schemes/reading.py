"""How the server reads the symbols of one regime: unbiased, linear, with its variance."""

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property


@dataclass(frozen=True)
class Reading:
    """How the reports of one regime are read: the exact chance that a report lands on a given slot or on any slot.

    With C hits, H reports on the hot side and n reports in all, the count of the slot's item is
    (C − per_hot·H − per_report·n)/gain: exactly unbiased and linear, with no prior of the hot share.
    """

    own: Fraction
    other: Fraction
    cold: Fraction
    hot_if_hot: Fraction
    hot_if_cold: Fraction
    hot_share: Fraction | None = None

    @classmethod
    def even(cls, own: Fraction, noise: Fraction, cells: int) -> "Reading":
        """Where hot and cold events make the same noise on every slot, so that the hot share drops out."""
        return cls(own, noise, noise, own + (cells - 1) * noise, cells * noise)

    @cached_property
    def gain(self) -> Fraction:
        """What one true event adds to the hits, above another hot event."""
        return self.own - self.other

    @cached_property
    def per_hot(self) -> Fraction:
        """Noise to subtract for each report on the hot side; 0 where hot and cold events make the same noise."""
        if self.hot_share is not None or self.other == self.cold:
            return Fraction(0)
        return (self.other - self.cold) / (self.hot_if_hot - self.hot_if_cold)

    @property
    def per_report(self) -> Fraction:
        """Noise to subtract for each report."""
        if self.hot_share is not None:
            return self.hot_share * self.other + (1 - self.hot_share) * self.cold
        return self.cold - self.hot_if_cold * self.per_hot

    def spread(self, hit: Fraction, hot: Fraction) -> Fraction:
        """The variance that one event adds to the estimate, for an event that hits and lands hot with these chances."""
        first = hit - self.per_hot * hot
        second = hit * (1 - 2 * self.per_hot) + self.per_hot**2 * hot
        return (second - first**2) / self.gain**2

    @property
    def coefficients(self) -> tuple[float, ...]:
        """What the kernels need: per_hot, per_report, gain, hot_if_hot, hot_if_cold, and three spreads.

        A hot share set by hand tells how many events make which noise, so that the kernel need not estimate it.
        """
        own, other = self.spread(self.own, self.hot_if_hot), self.spread(self.other, self.hot_if_hot)
        cold = self.spread(self.cold, self.hot_if_cold)
        if self.hot_share is not None:
            cold = self.hot_share * other + (1 - self.hot_share) * cold
        spreads = (own, other, cold)
        line = (self.per_hot, self.per_report, self.gain, self.hot_if_hot, self.hot_if_cold, *spreads)
        return tuple(float(number) for number in line)

    @property
    def variance(self) -> float:
        """The variance that one event of an item outside the hot list adds to the estimate of a hot one."""
        return float(self.spread(self.cold, self.hot_if_cold))

    @property
    def leverage(self) -> float:
        """What one forged report is worth, in honest reports."""
        return float((1 - self.per_hot - self.per_report) / self.gain)
