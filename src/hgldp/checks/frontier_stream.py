"""PFR over a stream: its kernel against its objects, and its memory against its bound."""

import numpy as np

from hgldp.checks.result import StreamFindings
from hgldp.model.randomness import SeededWords, derive_seed
from hgldp.schemes.pfr import PFR
from hgldp.simulation.frontier import follow
from hgldp.simulation.hot_list import CLIENTS
from hgldp.stores.frontier import Frontier

SEED, MEMORY, EPOCH, EVENTS = 20_261_115, 800, 40, 1_200


def check_frontier(scheme: PFR) -> StreamFindings:
    """Both ways over the same events end in the same bytes, never more of them than the memory allows."""
    words = SeededWords(SEED)
    events = [min(words.below(scheme.domain_size), words.below(scheme.domain_size)) for _ in range(EVENTS)]
    fused, stepwise = (Frontier(scheme, memory=MEMORY, seed=SEED, epoch=EPOCH) for _ in range(2))
    follow(scheme, fused, np.array(events, np.int32), SEED)
    client, largest = SeededWords(derive_seed(SEED, CLIENTS)), 0
    for event in events:
        stepwise.insert([scheme.randomize(event, stepwise.bulletin, client)])
        if stepwise.epoch_is_full:
            stepwise.seal()
            largest = max(largest, len(stepwise.serialize()))
    if stepwise.in_epoch:
        stepwise.seal()
    same = stepwise.serialize() == fused.serialize()
    return StreamFindings(
        [] if same else [f"{scheme.name}: the kernel and the step-by-step objects end in different states"],
        [] if largest <= MEMORY else [f"{scheme.name}: the state grew to {largest} bytes, above {MEMORY}"],
    )
