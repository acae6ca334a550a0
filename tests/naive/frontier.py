"""The slow obvious twin of the frontier's smoothing: one normal law of everything, conditioned on what was measured."""

from dataclasses import dataclass

import numpy as np

from hgldp.kernels.joint import UNSEEN, Found, Seen, Times


@dataclass(frozen=True)
class Smoothed:
    """One item's rates and what really occurred in every stretch: mean and covariance of both."""

    rates: np.ndarray
    rate_cov: np.ndarray
    counts: np.ndarray
    count_cov: np.ndarray

    def total(self, weights: np.ndarray) -> tuple[float, float]:
        return float(weights @ self.counts), float(weights @ self.count_cov @ weights)


def smooth_exactly(times: Times, found: Found, item: int, drift: float) -> Smoothed:
    """The rates walk; what occurs differs from the rate by chance; what is measured differs from that by noise."""
    rows = times.reports.size
    scale, noise, value = found.scale[:, item], found.noise[:, item], found.value[:, item]
    steps = np.array([1.0] + [drift * times.gap[t] * max(scale[t], scale[t - 1]) ** 2 for t in range(1, rows)])
    rate_cov = np.array([[steps[: min(s, t) + 1].sum() for t in range(rows)] for s in range(rows)])
    chance = np.diag(scale / times.reports)
    seen = np.linalg.inv(rate_cov + chance + np.diag(noise))
    gain, occurred = rate_cov @ seen, (rate_cov + chance) @ seen
    return Smoothed(
        gain @ value,
        rate_cov - gain @ rate_cov,
        occurred @ value,
        rate_cov + chance - occurred @ (rate_cov + chance),
    )


def measured_by_hand(seen: Seen, cells: np.ndarray, t: int, item: int) -> float | None:
    """What a stretch says about an item before anybody takes a part of a cell."""
    if seen.how[t, item] == UNSEEN:
        return None
    return float(seen.share[t, item] if seen.how[t, item] else cells[t, seen.cell[t, item]])
