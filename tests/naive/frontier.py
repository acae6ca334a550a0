"""The slow obvious twin of the frontier's evidence: item by item, epoch by epoch."""

from statistics import quantiles

from hgldp.model.bulletins import search_cell
from hgldp.stores.frontier import Frontier
from hgldp.stores.frontier.epoch import SealedEpoch


def naive_evidence(store: Frontier, item: int) -> tuple[float, float]:
    total = precision = squared = 0.0
    if store.prior.size:
        counts = dict(zip(store.prior.items.tolist(), store.prior.counts.tolist(), strict=True))
        count = counts.get(item, store.prior.ceiling / 2)
        share = count / store.prior.size
        certainty = 1 / ((counts.get(item, store.prior.ceiling) + 1) / store.prior.size**2 + (0.2 * share) ** 2)
        fading = 2 ** (-store.reports / store.half_life) if store.half_life else 1.0
        total, precision, squared = fading * certainty * share, fading * certainty, fading**2 * certainty
    weighted = list(zip(store.epochs, _ages_weights(store), strict=True))
    led = [(epoch, weight) for epoch, weight in weighted if item in epoch.leaves]
    reports = sum(weight * epoch.reports for epoch, weight in led)
    events = sum(weight * epoch.reports * _leaf(epoch, item) for epoch, weight in led)
    pooled = max(events / reports, 0.0) if led else 0.0
    spread = sum(weight * epoch.reports * _noise(store, epoch, pooled) for epoch, weight in led) / (reports or 1.0)
    widest = max((_noise(store, epoch, 0.0) for epoch in store.epochs), default=0.0)
    slope = max((_noise(store, epoch, 1.0) - _noise(store, epoch, 0.0) for epoch in store.epochs), default=0.0)
    for epoch, weight in weighted:
        unevenness = 1.0
        if item in epoch.leaves:
            share, certainty = _leaf(epoch, item), epoch.reports / spread
            unevenness = _noise(store, epoch, pooled) / spread
        else:
            values = [float(value) * (_noise(store, epoch, 0.0) / epoch.reports) ** 0.5 for value in epoch.cells]
            low, _, high = quantiles(values, n=4, method="inclusive") if len(values) > 1 else (0.0, 0.0, 0.0)
            between = ((high - low) / 1.3489795) ** 2
            share = values[search_cell(epoch.key, item, len(values))]
            certainty = 1 / max(between, max(widest, pooled * slope) / epoch.reports)
        total, precision = total + weight * certainty * share, precision + weight * certainty
        squared += weight**2 * certainty * unevenness
    return (total / precision, squared**0.5 / precision) if precision else (0.0, 1.0)


def _ages_weights(store: Frontier) -> list[float]:
    if not store.half_life:
        return [1.0] * len(store.epochs)
    return [2 ** (-(store.reports - epoch.end + epoch.reports / 2) / store.half_life) for epoch in store.epochs]


def _leaf(epoch: SealedEpoch, item: int) -> float:
    return float(epoch.shares[epoch.leaves.tolist().index(item)])


def _noise(store: Frontier, epoch: SealedEpoch, share: float) -> float:
    mechanism = store.scheme.mechanism_over(len(epoch.leaves) + len(epoch.cells))
    p, q = float(mechanism.p), float(mechanism.q)
    return mechanism.variance + share * (1 - p - q) / (p - q)
