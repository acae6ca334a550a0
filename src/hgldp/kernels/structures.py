"""What happens when a nominee meets a full list: the step in which one space-saving structure differs from another.

Among nominees that wait, a count is a number of votes, and each structure is the one of its authors. On the hot list a
count is a sum of noisy estimates, which must stay unbiased: what a structure adds to it or takes from it is kept apart,
in `carried`, and decides only who stays.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from hgldp.kernels.compile import inlined, kernel
from hgldp.kernels.words import GOLDEN, high_product, mix, next_word

HEAVY_GUARDIAN, SPACE_SAVING, MISRA_GRIES, HEAVY_KEEPER = range(4)
MOST_VOTES = (1 << 16) - 1
NO_ITEM = -1
Votes = NDArray[np.int32]
Floats = NDArray[np.float64]


@kernel
def join_space_saving(item: Votes, votes: Votes, least: Any, name: Any) -> None:
    """Space-Saving (Metwally et al. 2005): the newcomer takes the place of the least, and one vote more than it had."""
    item[least] = name
    votes[least] = min(votes[least] + 1, MOST_VOTES)


@kernel
def join_misra_gries(item: Votes, votes: Votes) -> None:
    """Misra and Gries (1982): the newcomer and one vote of everybody cancel out. Who has none left is gone."""
    for place in range(votes.size):
        votes[place] -= 1
        if votes[place] == 0:
            item[place] = NO_ITEM


@inlined
def home_of(name: Any, salt: Any, row: Any, size: Any) -> Any:
    """One of the two places that a name may have."""
    return np.int64(high_product(mix(np.uint64(name) * GOLDEN + np.uint64(salt) + np.uint64(row)), np.uint64(size)))


@kernel
def vote_heavy_keeper(
    item: Votes, votes: Votes, name: Any, salt: Any, decay: NDArray[np.uint64], words: NDArray[np.uint64]
) -> None:
    """HeavyKeeper (Yang et al. 2019, software minimum version), with whole names in place of fingerprints.

    A name has two places. It counts where it is held; else it takes a free one; else the smaller of the two counts
    decays with chance b^-C, and at 0 the name takes its place.
    """
    first, second = home_of(name, salt, 1, item.size), home_of(name, salt, 2, item.size)
    for place in (first, second):
        if votes[place] > 0 and item[place] == name:
            votes[place] = min(votes[place] + 1, decay.size - 1)
            return
    weaker = first if votes[first] <= votes[second] else second
    if votes[weaker] > 0:
        if next_word(words) >= decay[votes[weaker]]:
            return
        votes[weaker] -= 1
    if votes[weaker] == 0:
        item[weaker] = name
        votes[weaker] = 1


@kernel
def guards(mean: Floats, seen: NDArray[np.int64], prior: Votes, warmup: Any, carried: Floats, found: Floats) -> None:
    """The count by which each cell is compared with others; without bound if nothing was measured yet.

    It is the best reading of what the cell covers, and what the structure has added to it or taken from it.
    """
    for i in range(mean.size):
        covered = seen[i] + (warmup if prior[i] > 0 else 0)
        found[i] = mean[i] * covered + carried[i] if covered > 0 else np.inf


@kernel
def meet_misra_gries(guard: Floats, carried: Floats, votes: Any) -> tuple[int, float]:
    """A nominee with so many votes cancels as many of every cell, until one has none left.

    Returns the cell that it takes, with the votes that it has left, or -1.
    """
    least = int(np.argmin(guard))
    taken = min(float(votes), max(guard[least], 0.0))
    for i in range(guard.size):
        guard[i] -= taken
        carried[i] -= taken
    if guard[least] > 0.0:
        return -1, 0.0
    return least, votes - taken
