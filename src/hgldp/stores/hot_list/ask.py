"""What a hot list knows about any item: by its cell if it has one, else by what all cells leave."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from hgldp.kernels import hot_list as kernels
from hgldp.model.estimate import Z95, Estimate
from hgldp.stores.hot_list.store import HotList


def ask(store: HotList, items: Sequence[int]) -> tuple[Estimate, ...]:
    """A line for each item, in this order.

    >>> from hgldp.stores.hot_list.store import make_rule
    >>> rule, warmup = make_rule(1, 1000, 0.0025, 1.08, always_nominating=False), [7] * 40 + [8] * 20 + [9] * 10
    >>> store = HotList.start(domain_size=11, cells=1, light_cells=2, rule=rule, seed=1, warmup=warmup)
    >>> [(line.item, line.count, line.may_be_noise) for line in ask(store, [7, 9])]
    [(7, 40.0, False), (9, 3.0, True)]
    """
    published = {line.item: line for line in store.estimates(store.cells.item.size)}
    other = untracked(store)
    return tuple(published.get(item) or replace(other, item=item) for item in items)


def untracked(store: HotList) -> Estimate:
    """What is known about an item without a cell, which nobody ever counted by itself.

    Its count is the mean of what the cells leave to all the others. The interval ends where all of that would be its
    own: what the cells have measured since their items were admitted, less its error, cannot be. Errors are added up as
    if they were one and the same, because those of several cells may go together.
    """
    cells, size = store.cells, store.cells.item.size
    total = float(cells.counter[kernels.REPORTS] + cells.counter[kernels.WARMUP])
    taken = sum(max(0.0, line.count) for line in store.estimates(size))
    measured = float(cells.prior.sum() + cells.score.sum())
    error = float(np.sqrt(cells.noise + np.maximum(cells.spread, 0.0)).sum())
    most = min(total, max(0.0, total - measured + Z95 * error))
    mean = min(most, max(0.0, total - taken) / (store.domain_size - size))
    return Estimate(0, mean, most / (2 * Z95), bounds=(0.0, most), may_be_noise=True)
