"""The leaves of the next epoch: half are the most frequent items over all that counts, half the most frequent now."""

import numpy as np
from numpy.typing import NDArray

from hgldp.stores.frontier.reading.decoding import Decoded

CAUTION = 1.25
Reals = NDArray[np.float64]


def next_leaves(decoded: Decoded, shares: Reals, deviations: Reals, most: int) -> NDArray[np.int64]:
    """The places of the next leaves among the items, best first, chosen by lower bounds: luck alone must not win."""
    now, now_deviation = decoded.newest
    by_all = np.lexsort((decoded.items, -(shares - CAUTION * deviations)))
    by_now = np.lexsort((decoded.items, -(now - CAUTION * now_deviation)))
    chosen = by_all[: most - most // 2]
    fresh = by_now[~np.isin(by_now, chosen)][: most // 2]
    taken = np.concatenate([chosen, fresh])
    return taken[np.argsort(-shares[taken], kind="stable")]
