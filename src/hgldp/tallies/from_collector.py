"""The state of a task in a collector's store, right after its last seal: from there, others can go on."""

import numpy as np

from hgldp.collector.log.reading import Reading
from hgldp.collector.log.recovery import given_to, read_task_row
from hgldp.collector.log.storage import KeptEpoch, TaskRow
from hgldp.errors import DamagedLog
from hgldp.model.bulletins import AnyBulletin
from hgldp.schemes.base import RETAINED
from hgldp.stores.open_epoch import unpack_tallies
from hgldp.tallies.state import SealState, check_adds_up
from hgldp.tallies.tally import Tally, combine
from hgldp.wire.bulletin import read_bulletin


def state_of(store: Reading, row: TaskRow) -> SealState:
    """As the last seal that was written left it; at the start of a task, what follows from its seed."""
    task = read_task_row(row)
    check_adds_up(task)
    snapshot, stored = store.snapshot(row.number), store.bulletins(row.number, RETAINED)
    bulletins = tuple(read_bulletin(each.data, each.version) for each in stored)
    if snapshot is None:
        given = given_to(row, store.warmup(row.number))
        raw = given.items(task.domain) if given.counts else ()
        state = SealState.start(task, row.seed, raw, hides_order=row.terms.hides_order)
    else:
        top = tuple(item.item for each in store.latest_results(row.number, 1) for item in each.result.top)
        counted = _counted(store.kept(row.number, RETAINED), bulletins)
        state = SealState(task, bulletins, snapshot.state, top, counted)
    if bulletins != state.bulletins:
        raise DamagedLog(f"task {row.number} must have published what its state says")
    return SealState.read(state.write())


def _counted(kept: list[KeptEpoch], bulletins: tuple[AnyBulletin, ...]) -> Tally:
    """What was counted of each bulletin that is still read, if all epochs are kept in which it could be counted."""
    known = {each.epoch for each in kept}
    complete = {
        each.epoch: each.version for each in bulletins[:-1] if known.issuperset(range(each.epoch, bulletins[-1].epoch))
    }
    tallies = [(epoch, counts) for each in kept for epoch, counts in unpack_tallies(each.opened)]
    return combine(Tally({complete[epoch]: np.asarray(counts)}) for epoch, counts in tallies if epoch in complete)
