"""HeavyGuardian over a whole stream with no privacy: what the schemes would reach without noise."""

from typing import Literal

import numpy as np
from numpy.typing import NDArray

from hgldp.errors import InvalidField
from hgldp.model.domain import check_size
from hgldp.model.estimate import Estimate
from hgldp.model.randomness import derive_seed
from hgldp.model.reports import symbol_bytes
from hgldp.model.validate import check_whole
from hgldp.simulation.hot_list import SERVER
from hgldp.simulation.outcome import Outcome, check_stream
from hgldp.stores.heavy_guardian import HeavyGuardian

Variant = Literal["default", "paper", "as-published"]


def simulate_heavy_guardian(
    variant: Variant, stream: NDArray[np.int32], *, domain_size: int, k: int, cells: int, seed: int
) -> Outcome:
    """One bucket of `cells` cells. Counts are arrivals since admission; in the two variants, the decayed counter.

    There is no noise, so the standard error is the most that a count can be wrong: all that came before the admission.
    The interval then holds the true count for certain.

    >>> stream = np.array([7, 7, 7, 8, 7, 9], np.int32)
    >>> simulate_heavy_guardian("paper", stream, domain_size=10, k=1, cells=2, seed=1).estimates[0].item
    7
    """
    if variant not in ("default", "paper", "as-published"):
        raise InvalidField("variant", "must be one of default, paper, as-published", variant)
    items = check_stream(stream, check_size(domain_size))
    check_whole("k", k, 1, cells)
    published = variant == "as-published"
    sketch = HeavyGuardian(buckets=1, heavy_cells=cells, seed=derive_seed(seed, SERVER), inverted_decay=published)
    sketch.update(items)
    held = sketch.most_common(cells)
    counts = [line.count if variant == "default" else sketch.guard(line.item) for line in held]
    order = sorted(range(len(held)), key=lambda slot: -counts[slot])
    return Outcome(
        estimates=tuple(
            Estimate(
                held[slot].item,
                float(counts[slot]),
                float(held[slot].high - counts[slot]),
                bounds=(float(counts[slot]), float(held[slot].high)),
            )
            for slot in order[:k]
        ),
        reports=stream.size,
        state_bytes=len(sketch.serialize()),
        upload_bytes=stream.size * symbol_bytes(domain_size),
        download_bytes=0,
        resident_bytes=sketch.nbytes,
    )
