"""Durable entries are counted at once, except where that ends an epoch that takes long: then beside the writer."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial

from hgldp.collector.log.entry import Entry
from hgldp.collector.log.task_state import TaskState
from hgldp.collector.writer.workshop import Job, Workshop

Counted = Callable[[TaskState, Sequence[Entry]], None]


class Counting:
    """`busy` are the tasks that end an epoch beside the writer, each with its job. Nobody else may touch such a task.

    `counted` is called when entries have been counted, in the thread of whoever calls `count` or `collect`.
    """

    def __init__(self, workshop: Workshop, counted: Counted) -> None:
        self._workshop, self._counted = workshop, counted
        self._under_way: dict[int, tuple[TaskState, Sequence[Entry]]] = {}
        self.busy: dict[int, Job] = {}

    def count(self, entries: Iterable[Entry], states: Mapping[int, TaskState]) -> None:
        """Of tasks that are not busy; `states` are all tasks."""
        by_task: dict[int, list[Entry]] = {}
        for entry in entries:
            by_task.setdefault(entry.task, []).append(entry)
        for number, some in by_task.items():
            self._count(states[number], some)

    def _count(self, state: TaskState, entries: Sequence[Entry]) -> None:
        if self._workshop.is_open and state.is_slow and state.seals(entries):
            self._under_way[state.row.number] = state, entries
            self.busy[state.row.number] = self._workshop.begin(partial(_apply, state, entries))
        else:
            _apply(state, entries)
            self._counted(state, entries)

    def collect(self) -> None:
        """Take over from jobs that have ended; what one of them raised is raised here."""
        for number, job in list(self.busy.items()):
            if job.done.is_set():
                del self.busy[number]
                state, entries = self._under_way.pop(number)
                job.check()
                self._counted(state, entries)

    def wait(self) -> None:
        """Until no task is busy."""
        for job in list(self.busy.values()):
            job.done.wait()
        self.collect()

    def forget(self, task: int) -> None:
        """It was deleted. Its last entries may have made it busy: nobody needs what comes out of that."""
        self.busy.pop(task, None)
        self._under_way.pop(task, None)

    def abandon(self) -> None:
        """Let every job end, whatever comes out of it."""
        for job in self.busy.values():
            job.done.wait()
        self.busy.clear()
        self._under_way.clear()


def _apply(state: TaskState, entries: Iterable[Entry]) -> None:
    for entry in entries:
        state.count(entry)
