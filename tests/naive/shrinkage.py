"""The slow obvious twin of shrinkage: integrals over a grid of a hundred thousand shares."""

import numpy as np

from hgldp.kernels.shrinkage import Law

POINTS = 100_001


def log_likelihood(value: float, deviation: float, mean: float) -> float:
    """log ∫ exp(−s/mean)/mean · N(value; s, deviation²) ds over all s ≥ 0."""
    centre = value - deviation**2 / mean
    reach = 12 * deviation if centre > 0 else min(12 * deviation, 60 * deviation**2 / max(-centre, 1e-300))
    shares = np.linspace(max(0.0, centre - 12 * deviation), max(centre, 0.0) + reach, POINTS)
    exponent = -shares / mean - (value - shares) ** 2 / (2 * deviation**2)
    top = exponent.max()
    inside = np.trapezoid(np.exp(exponent - top), shares)
    return float(top + np.log(inside) - np.log(mean) - 0.5 * np.log(2 * np.pi * deviation**2))


def density(shares: np.ndarray, law: Law) -> np.ndarray:
    """The law's density: straight lines between its points in log–log, and the peak of those that are alike."""
    smooth = np.exp(np.interp(np.log(shares), law.log_shares, law.log_density))
    peak = np.exp(-((shares - law.mean) ** 2) / (2 * law.variance)) / np.sqrt(2 * np.pi * law.variance)
    return smooth + np.exp(law.alike) * peak


class Posterior:
    """One share, given what was measured and the law of all."""

    def __init__(self, value: float, deviation: float, law: Law) -> None:
        top = max(value, 0.0) + 12 * deviation
        self.edges = np.concatenate([[0.0], np.geomspace(1e-5 * deviation, top, POINTS)])
        self.shares = (self.edges[1:] + self.edges[:-1]) / 2
        chance = density(self.shares, law) * np.exp(-((value - self.shares) ** 2) / (2 * deviation**2))
        chance *= np.diff(self.edges)
        self.chance = chance / chance.sum()
        self.below = np.concatenate([[0.0], np.cumsum(self.chance)])
        self.mean = float(self.chance @ self.shares)
        self.deviation = float(self.chance @ (self.shares - self.mean) ** 2) ** 0.5

    def inside(self, low: float, high: float) -> float:
        """The chance to lie there."""
        return float(np.diff(np.interp([low, high], self.edges, self.below))[0])

    def shortest(self, wanted: float) -> float:
        """The length of the shortest interval that holds the wanted chance."""
        lows = np.linspace(0, 1 - wanted, 2_001)
        return float((np.interp(lows + wanted, self.below, self.edges) - np.interp(lows, self.below, self.edges)).min())
