"""PFR over a whole stream: clients and server in one process."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from hgldp.kernels.frontier import add_reports
from hgldp.model.randomness import derive_seed
from hgldp.model.validate import check_whole
from hgldp.schemes.pfr import PFR
from hgldp.simulation.hot_list import CLIENTS, SERVER
from hgldp.simulation.outcome import Outcome, check_stream
from hgldp.stores.frontier import Frontier


def follow(
    scheme: PFR,
    store: Frontier,
    stream: NDArray[np.int32],
    seed: int,
    advance: Callable[[int], None] | None = None,
    *,
    seals: bool = True,
) -> int:
    """Every event randomised by its client and counted by the server until the stream ends; the bytes they sent.

    Without `seals` all events answer the bulletin in force, and the epoch stays open.
    """
    words = np.array([derive_seed(seed, CLIENTS)], np.uint64)
    leaf_of = np.full(scheme.domain_size, -1, np.int16)
    position = sent = 0
    while position < stream.size:
        mechanism = scheme.mechanism_over(store.bulletin.cells)
        order = np.array(mechanism.members + mechanism.others, np.int32)
        truth, members = np.uint64(mechanism.truth), np.uint64(len(mechanism.members))
        leaves = np.array(store.bulletin.leaves, np.int64)
        leaf_of[leaves] = np.arange(leaves.size)
        end = min(stream.size, position + store.epoch_length - store.in_epoch) if seals else stream.size
        key, symbols, tracked = np.uint64(store.bulletin.key), np.uint64(mechanism.size), np.uint64(leaves.size)
        items = stream[position:end]
        add_reports(words, truth, order, members, leaf_of, tracked, key, symbols, items, store.histogram)
        leaf_of[leaves] = -1
        if advance is not None:
            advance(end - position)
        position, sent = end, sent + (end - position) * mechanism.report_bytes
        if seals:
            store.seal()
    return sent


def simulate_frontier(
    scheme: PFR,
    stream: NDArray[np.int32],
    *,
    k: int,
    warmup: int,
    memory: int,
    seed: int,
    epoch: int | None = None,
    half_life: int | None = None,
    advance: Callable[[int], None] | None = None,
) -> Outcome:
    """A stream whose first `warmup` items are raw. Every report counts one download of the bulletin."""
    check_whole("k", k, 1, scheme.most_leaves)
    items = check_stream(stream, scheme.domain_size, warmup)
    start = items[:warmup].astype(np.int64)
    store = Frontier(
        scheme, memory=memory, seed=derive_seed(seed, SERVER), warmup=start, epoch=epoch, half_life=half_life
    )
    sent = follow(scheme, store, items[warmup:], seed, advance)
    reports = stream.size - warmup
    return Outcome(
        estimates=store.estimates(k),
        reports=reports,
        state_bytes=len(store.serialize()),
        upload_bytes=sent,
        download_bytes=reports * len(store.bulletin.canonical),
    )
