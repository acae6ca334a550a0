"""The slow obvious twin of the frontier's evidence: item by item, epoch by epoch."""

from statistics import quantiles

from hgldp.model.frontier import search_cell
from hgldp.stores.frontier import Frontier
from hgldp.stores.frontier_epoch import SealedEpoch


def naive_evidence(store: Frontier, item: int) -> tuple[float, float]:
    total = precision = 0.0
    if store.prior.size:
        counts = dict(zip(store.prior.items.tolist(), store.prior.counts.tolist(), strict=True))
        count = counts.get(item, store.prior.ceiling / 2)
        share = count / store.prior.size
        certainty = 1 / ((counts.get(item, store.prior.ceiling) + 1) / store.prior.size**2 + (0.2 * share) ** 2)
        total, precision = total + certainty * share, precision + certainty
    led = [epoch for epoch in store.epochs if item in epoch.leaves]
    events = sum(epoch.reports * float(epoch.shares[epoch.leaves.tolist().index(item)]) for epoch in led)
    pooled = max(events / sum(epoch.reports for epoch in led), 0.0) if led else 0.0
    spread = sum(epoch.reports * _noise(store, epoch, pooled) for epoch in led) / max(1, sum(e.reports for e in led))
    widest = max((_noise(store, epoch, 0.0) for epoch in store.epochs), default=0.0)
    slope = max((_noise(store, epoch, 1.0) - _noise(store, epoch, 0.0) for epoch in store.epochs), default=0.0)
    for epoch in store.epochs:
        leaves = epoch.leaves.tolist()
        variance = _noise(store, epoch, 0.0)
        if item in leaves:
            share = float(epoch.shares[leaves.index(item)])
            certainty = epoch.reports / spread
        else:
            values = [float(value) * (variance / epoch.reports) ** 0.5 for value in epoch.cells]
            low, _, high = quantiles(values, n=4, method="inclusive") if len(values) > 1 else (0.0, 0.0, 0.0)
            between = ((high - low) / 1.3489795) ** 2
            share = values[search_cell(epoch.key, item, len(values))]
            certainty = 1 / max(between, max(widest, pooled * slope) / epoch.reports)
        total, precision = total + certainty * share, precision + certainty
    return (total / precision, precision**-0.5) if precision else (0.0, 1.0)


def _noise(store: Frontier, epoch: SealedEpoch, share: float) -> float:
    mechanism = store.scheme.mechanism_over(len(epoch.leaves) + len(epoch.cells))
    p, q = float(mechanism.p), float(mechanism.q)
    return mechanism.variance + share * (1 - p - q) / (p - q)
