"""One report on a throw-away task of each kind, before anybody waits: the first use of compiled code loads it."""

import logging
from collections.abc import Iterable

from hgldp.collector.log.entry import SEAL
from hgldp.collector.log.storage import LogEnd, TaskRow
from hgldp.collector.log.task_state import TaskState
from hgldp.collector.views import TaskTerms
from hgldp.collector.writer.batch import Batch
from hgldp.collector.writer.pending import PendingUpload
from hgldp.collector.writer.quotas import DailyCap
from hgldp.model.task import Task
from hgldp.system.clock import Clock

NUMBER, SEED, NOBODYS = 1, 1, bytes(32)
Kind = tuple[str, type]
log = logging.getLogger("hgldp.collector")
_warm: set[Kind] = set()


def warm_up(tasks: Iterable[Task], clock: Clock) -> None:
    """Make ready what these tasks need, once in the life of the process for each scheme and kind of domain."""
    smallest: dict[Kind, Task] = {}
    for task in tasks:
        kind = task.scheme, type(task.domain)
        if kind not in _warm and (kind not in smallest or _size(task) < _size(smallest[kind])):
            smallest[kind] = task
    for kind, task in smallest.items():
        _warm.add(kind)
        try:
            _count_one(task, clock)
        except Exception:
            log.exception("warming up failed")  # the task itself may still work


def _size(task: Task) -> int:
    """How many items are listed; strings are not."""
    return getattr(task.domain, "size", 0) or 0


def _count_one(task: Task, clock: Clock) -> None:
    """What happens to an upload, without a store; and the end of its epoch, where that is quick."""
    row = TaskRow(NUMBER, task.id, task.canonical, SEED, TaskTerms("warm-up"), 0.0, NOBODYS, NOBODYS)
    state = TaskState.start(row, task)
    form = next(iter(state.formats.values()))
    upload = PendingUpload(NUMBER, bytes(16), form, 1, bytes(form.width))
    batch = Batch([upload], {NUMBER: state}, {NUMBER: DailyCap(0, clock, 0)})
    endings = [] if state.is_slow else [(NUMBER, SEAL)]
    for entry in batch.entries(LogEnd(), {NUMBER: state.chain}, clock.now(), endings):
        state.count(entry)
    state.view()
