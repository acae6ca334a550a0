"""What a hot list knows about any item: by its cell if it has one, else by what all cells leave."""

from collections.abc import Sequence
from dataclasses import replace
from math import sqrt
from statistics import NormalDist

from hgldp.kernels import hot_list as kernels
from hgldp.model.estimate import Z95, Estimate
from hgldp.stores.hot_list.store import HotList

TINY = 1e-9


def ask(store: HotList, items: Sequence[int]) -> tuple[Estimate, ...]:
    """A line for each item, in this order.

    >>> from hgldp.stores.hot_list.store import make_rule
    >>> rule, warmup = make_rule(1, 1000, 0.0025, 1.08, always_nominating=False), [7] * 40 + [8] * 20 + [9] * 10
    >>> store = HotList.start(domain_size=11, cells=1, light_cells=2, rule=rule, seed=1, warmup=warmup)
    >>> [(line.item, line.count, line.may_be_noise) for line in ask(store, [7, 9])]
    [(7, 40.0, False), (9, 3.0, True)]
    """
    lines = store.estimates(store.cells.item.size)
    published, other = {line.item: line for line in lines}, untracked(store, lines)
    return tuple(published.get(item) or replace(other, item=item) for item in items)


def untracked(store: HotList, lines: Sequence[Estimate]) -> Estimate:
    """What is known about an item without a cell, which nobody ever counted by itself.

    Its count is the mean of what the cells leave to all the others. The interval ends where all that the lower ends of
    the cells' intervals leave would be its own; it begins at 0, unless it is the only item without a cell. All ends are
    taken at once, because the errors of several cells may go together.
    """
    counter = store.cells.counter
    total = float(counter[kernels.REPORTS] + counter[kernels.WARMUP])
    others = max(1, store.domain_size - len(lines))
    error = sqrt(sum(line.standard_error**2 for line in lines))
    left = _not_below_zero(total - sum(line.count for line in lines), error)
    most = max(0.0, total - sum(max(0.0, line.interval[0]) for line in lines))
    least = max(0.0, total - sum(line.interval[1] for line in lines)) if others == 1 else 0.0
    mean = min(most, max(least, left / others))
    return Estimate(0, mean, (most - least) / (2 * Z95), bounds=(least, most), may_be_noise=True)


def _not_below_zero(mean: float, error: float) -> float:
    """The mean of what a normal error leaves open, where nothing below 0 can be.

    >>> [round(_not_below_zero(mean, 10.0), 1) for mean in (100.0, 0.0, -30.0, -1000.0)]
    [100.0, 8.0, 2.8, 0.1]
    """
    if mean < -8 * error or error <= 0:
        return max(0.0, error**2 / max(-mean, TINY)) if mean < 0 else mean
    standard = NormalDist()
    return mean + error * standard.pdf(mean / error) / standard.cdf(mean / error)
