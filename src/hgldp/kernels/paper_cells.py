"""The paper's store: hot cells with one decayed counter each, in buckets, and CNR's light cells beside them.

A cell's value is `raw` − lost, where `lost` is what every cell has lost alike (the authors' partial debiasing; 0 in the
paper's algorithms). So the order of the cells is the order of `raw`, and nothing is touched but what a report touches.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hgldp.kernels.compile import inlined, kernel
from hgldp.kernels.words import GOLDEN, high_product

LOST, LOST_TO_LIGHT = range(2)
QUIET, NAMING, ON_HOT_SIDE, NAMED = range(4)


class PaperCells(NamedTuple):
    """All that the server holds, and per bucket the weakest cell and a lower bound of the raw counts of all others.

    `prior` is what the warm-up counted, 0 for a newcomer. `reports` counts reports in each regime, those on the hot
    side, and those the light part has seen. `words` is the state of the server's own random words.
    """

    item: NDArray[np.int32]
    raw: NDArray[np.float64]
    prior: NDArray[np.int32]
    bucket: NDArray[np.int32]
    weakest: NDArray[np.int64]
    others: NDArray[np.float64]
    light_item: NDArray[np.int32]
    light_count: NDArray[np.float64]
    light_filled: NDArray[np.int64]
    lost: NDArray[np.float64]
    reports: NDArray[np.int64]
    words: NDArray[np.uint64]


@inlined
def bucket_of(item: Any, buckets: Any) -> Any:
    """The bucket of an item: Fibonacci hashing, multiply and take the top."""
    return np.int64(high_product(np.uint64(item) * GOLDEN, np.uint64(buckets)))


@kernel
def buckets_of(items: NDArray[np.int64], buckets: int) -> NDArray[np.int64]:
    """The bucket of every item."""
    homes = np.empty(items.size, np.int64)
    for t in range(items.size):
        homes[t] = bucket_of(items[t], buckets)
    return homes


@kernel
def settle(raw: NDArray[np.float64], weakest: NDArray[np.int64], others: NDArray[np.float64], bucket: Any) -> None:
    """Find the weakest cell of a bucket, the first of the least, and the least raw count of the other cells."""
    width = raw.size // weakest.size
    least, second = bucket * width, np.inf
    for slot in range(bucket * width + 1, bucket * width + width):
        if raw[slot] < raw[least]:
            second = raw[least]
            least = slot
        elif raw[slot] < second:
            second = raw[slot]
    weakest[bucket] = least
    others[bucket] = second


@kernel
def weakest_of_all(raw: NDArray[np.float64], weakest: NDArray[np.int64]) -> int:
    """The weakest cell of all buckets, the first of the least."""
    least = weakest[0]
    for bucket in range(1, weakest.size):
        if raw[weakest[bucket]] < raw[least]:
            least = weakest[bucket]
    return int(least)


def empty_paper_cells(items: NDArray[np.int32], buckets: int, light_cells: int, state: int) -> PaperCells:
    """Cells that hold arbitrary items at count 0, which is as good as empty: the first item to come takes them."""
    size = items.size
    return PaperCells(
        item=items,
        raw=np.zeros(size),
        prior=np.zeros(size, np.int32),
        bucket=np.repeat(np.arange(buckets, dtype=np.int32), size // buckets),
        weakest=np.zeros(buckets, np.int64),
        others=np.zeros(buckets),
        light_item=np.full(light_cells, -1, np.int32),
        light_count=np.zeros(light_cells),
        light_filled=np.zeros(buckets, np.int64),
        lost=np.zeros(2),
        reports=np.zeros(4, np.int64),
        words=np.array([state], np.uint64),
    )
