"""One pass over a listed domain for the items whose search cells came out highest, in blocks of a fixed size."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from hgldp.kernels.frontier import search
from hgldp.stores.frontier.epoch import SealedEpoch, cell_variance

BLOCK = 1 << 16


def search_domain(
    epochs: Sequence[SealedEpoch], weights: NDArray[np.float64], domain_size: int, wanted: int
) -> NDArray[np.int64]:
    """The best 2 · wanted items by the sum of weight · precision · share over the cells that they fell into."""
    keys = np.array([epoch.key for epoch in epochs], np.uint64)
    cells = np.array([epoch.cells.size for epoch in epochs], np.uint64)
    rows = np.zeros((len(epochs), int(cells.max())))
    for row, epoch, weight, variance in zip(rows, epochs, weights, cell_variance(epochs), strict=True):
        row[: epoch.cells.size] = weight * (1.0 / variance) * epoch.cell_shares
    best = []
    for first in range(0, domain_size, BLOCK):
        total = np.empty(min(BLOCK, domain_size - first))
        search(keys, cells, rows, np.uint64(first), total)
        top = np.argpartition(-total, wanted)[:wanted] if wanted < total.size else np.arange(total.size)
        best.append(np.stack([first + top.astype(np.float64), total[top]]))
    found = np.concatenate(best, axis=1)
    chosen: NDArray[np.int64] = found[0, np.argsort(-found[1], kind="stable")[: 2 * wanted]].astype(np.int64)
    return chosen
