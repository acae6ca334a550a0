"""The first start of a version that derives something else: what was published stays, and it goes on from there."""

import logging
from collections.abc import Callable
from functools import partial

from hgldp.collector.log.recovery import Progress, recover_task
from hgldp.collector.log.storage import Storage, TaskRow, Transaction
from hgldp.collector.log.takeover.era import ERA
from hgldp.collector.log.takeover.past_task import PastTask

AT_ONCE, SECRET_BYTES = 32, 8
log = logging.getLogger("hgldp.collector")


def take_over(
    storage: Storage,
    entropy: Callable[[int], bytes],
    progress: Progress | None = None,
    recovered: Callable[[TaskRow], PastTask] | None = None,
) -> None:
    """Take over every task of a store of another era. If that is cut off, the next start does all of it again.

    `recovered` reads a task, if that takes more than the store of a folder.
    """
    if storage.era() == ERA:
        return
    recovered = recovered or partial(recover_task, storage, kind=PastTask)
    rows, waiting = storage.tasks(), Transaction()
    for done, row in enumerate(rows):
        if progress is not None:
            progress(done, len(rows))
        if len(waiting.takeovers) == AT_ONCE:
            storage.write(waiting)
            waiting = Transaction()
        state = recovered(row)
        results = [*storage.latest_results(row.number, 2), *state.derived.results][-2:]
        state.take_over(int.from_bytes(entropy(SECRET_BYTES), "big"), results)
        waiting.extend(state.derived)
    waiting.era = ERA
    storage.write(waiting)
    if rows:
        log.info(
            "%d tasks were last counted by another version: what it published stays, and hgldp replay begins here",
            len(rows),
        )
