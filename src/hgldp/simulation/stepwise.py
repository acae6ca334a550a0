"""Any registered scheme over a whole stream, report by report: for schemes without a kernel."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from hgldp.model.randomness import SeededWords, derive_seed
from hgldp.model.reports import symbol_bytes
from hgldp.model.task import Task
from hgldp.schemes.registry import scheme_of
from hgldp.simulation.hot_list import CLIENTS, SERVER
from hgldp.simulation.outcome import Outcome, check_stream
from hgldp.tracker import Tracker


def simulate_stepwise(
    task: Task, stream: NDArray[np.int32], warmup: int, seed: int, advance: Callable[[int], None] | None = None
) -> Outcome:
    """A task over a stream, its first `warmup` items raw, by the objects that a client and a server use."""
    items = check_stream(stream, task.domain_size, warmup)
    tracker = Tracker(task, derive_seed(seed, SERVER), warmup=items[:warmup])
    scheme, words = scheme_of(task), SeededWords(derive_seed(seed, CLIENTS))
    position = warmup
    sent = fetched = 0
    while position < items.size:
        bulletin = tracker.bulletin
        events = items[position : position + max(1, tracker.epoch_room)].tolist()
        tracker.insert_many(bulletin.version, [scheme.randomize(event, bulletin, words) for event in events])
        sent += len(events) * symbol_bytes(scheme.symbol_limit(bulletin))
        fetched += len(events) * len(bulletin.canonical)
        position += len(events)
        if advance is not None:
            advance(len(events))
    answer = tracker.respond(task.k)
    tracker.seal()
    return Outcome(
        estimates=answer,
        reports=items.size - warmup,
        state_bytes=len(tracker.serialize()),
        upload_bytes=sent,
        download_bytes=fetched,
    )
