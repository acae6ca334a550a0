"""One batch of uploads, sorted: which are new, which were sent before, which cannot be counted."""

from collections.abc import Container, Iterable, Mapping, Sequence
from functools import lru_cache

from hgldp.collector.log.entry import Entry, chained, run_entry
from hgldp.collector.log.storage import LogEnd
from hgldp.collector.log.task_state import TaskState
from hgldp.collector.problems import Problem, Refused
from hgldp.collector.views import Receipt
from hgldp.collector.writer.pending import PendingUpload
from hgldp.collector.writer.quotas import DailyCap
from hgldp.system.clock import day_of


class Batch:
    """`tasks` are those that the uploads belong to, `reports` how many new reports each of them gets."""

    def __init__(
        self, uploads: Iterable[PendingUpload], states: Mapping[int, TaskState], caps: Mapping[int, DailyCap]
    ) -> None:
        self.reports: dict[int, int] = {}
        self._states = states
        self._runs: dict[tuple[int, bytes], list[PendingUpload]] = {}
        self._echoes: list[PendingUpload] = []
        by_task = _by_task(uploads, states)
        self.tasks = by_task.keys()
        for number, some in by_task.items():
            self._sort(states[number], caps[number], some)

    def _sort(self, state: TaskState, cap: DailyCap, uploads: list[PendingUpload]) -> None:
        """New uploads go into a run for each bulletin, the oldest first; echoes repeat one of the same batch.

        All others need no commit: they get their outcome and are counted here.
        """
        number, counts = state.row.number, state.uploads
        known = state.upload_ids.known([upload.id for upload in uploads])
        room = cap.room()
        runs: dict[bytes, list[PendingUpload]] = {version: [] for version in state.accepted}
        fresh: set[bytes] = set()
        planned = 0
        for upload in uploads:
            run = runs.get(upload.format.version)
            if upload.id in known:
                upload.outcome = Receipt(upload.count, duplicate=True)
                counts.duplicate += 1
            elif state.closed is not None:
                upload.outcome = Refused(Problem.TASK_CLOSED)
                counts.refused += 1
            elif run is None:
                upload.outcome = Refused(Problem.BULLETIN_TOO_OLD)
                counts.refused += 1
            elif upload.id in fresh:
                self._echoes.append(upload)
            elif planned + upload.count > room:
                upload.outcome = cap.refusal()
                counts.refused += 1
            else:
                planned += upload.count
                fresh.add(upload.id)
                run.append(upload)
        self.reports[number] = planned
        self._runs |= {(number, version): run for version, run in runs.items() if run}

    def entries(
        self, after: LogEnd, chains: Mapping[int, bytes], now: float, endings: Sequence[tuple[int, int]]
    ) -> list[Entry]:
        """The next entries of the log: each run, then the end of each epoch or task, as (task, kind).

        `chains` says for each task what its next entry is linked to.
        """
        number, position = after.batch + 1, after.position
        found = []
        for (task, bulletin), run in self._runs.items():
            position += 1
            ids = [upload.id for upload in run]
            counts = [upload.count for upload in run]
            symbols = [upload.symbols for upload in run]
            found.append(run_entry(position, number, now, task, bulletin, ids, counts, symbols))
        for task, kind in endings:
            position += 1
            found.append(Entry(position, number, now, task, kind))
        return chained(found, chains)

    def days(self, now: float) -> dict[tuple[int, int], int]:
        """What the tasks with a cap get today, by task and day."""
        day, states = day_of(now), self._states
        return {
            (task, day): reports
            for task, reports in self.reports.items()
            if reports and states[task].row.terms.reports_per_day
        }

    def settle(self) -> None:
        """The commit succeeded: every waiting upload gets a receipt, and is counted."""
        for (task, _), run in self._runs.items():
            for upload in run:
                upload.outcome = _receipt(upload.count)
            self._states[task].uploads.accepted += len(run)
        for upload in self._echoes:
            upload.outcome = Receipt(upload.count, duplicate=True)
            self._states[upload.task].uploads.duplicate += 1

    def refuse(self, problem: Problem, retry_after: int) -> None:
        """The commit failed and nothing was written: every waiting upload is refused."""
        for upload in (*(each for run in self._runs.values() for each in run), *self._echoes):
            upload.outcome = Refused(problem, retry_after=retry_after)
            self._states[upload.task].uploads.refused += 1


_receipt = lru_cache(maxsize=256)(Receipt)


def _by_task(uploads: Iterable[PendingUpload], states: Container[int]) -> dict[int, list[PendingUpload]]:
    """Those that have no outcome yet; one of an unknown task gets it here."""
    found: dict[int, list[PendingUpload]] = {}
    for upload in uploads:
        if upload.task not in states:
            upload.outcome = Refused(Problem.UNKNOWN_KEY)
        elif upload.outcome is None:
            found.setdefault(upload.task, []).append(upload)
    return found
