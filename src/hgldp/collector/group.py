"""One group of uploads, sorted: what is new, what was sent again, what comes too late."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from hgldp.collector.allowance import DailyCap
from hgldp.collector.arrival import Arrival
from hgldp.collector.entry import RUN, Entry, pack_counts
from hgldp.collector.problems import Problem, Refused
from hgldp.collector.storage import LogEnd
from hgldp.collector.task_state import TaskState
from hgldp.collector.views import Receipt


@dataclass
class Group:
    """`runs` are the new uploads by task and bulletin, oldest bulletin first; `echoes` repeat one of the same group.

    `others` need no commit: they were counted before, or cannot be.
    """

    runs: dict[tuple[int, bytes], list[Arrival]] = field(default_factory=dict)
    echoes: list[Arrival] = field(default_factory=list)
    others: list[Arrival] = field(default_factory=list)

    @classmethod
    def sort(
        cls, arrivals: Iterable[Arrival], states: Mapping[int, TaskState], caps: Mapping[int, DailyCap]
    ) -> "Group":
        """The others get their outcome here."""
        group, by_task = cls(), _by_task(arrivals)
        for number, some in by_task.items():
            group._sort_task(states[number], caps[number], some)
        return group

    def _sort_task(self, state: TaskState, cap: DailyCap, arrivals: list[Arrival]) -> None:
        ids = [arrival.id for arrival in arrivals]
        known = set().union(*(seen.known(ids) for seen in state.seen.values()))
        runs: dict[bytes, list[Arrival]] = {version: [] for version in state.gates}
        fresh: set[bytes] = set()
        planned = 0
        for arrival in arrivals:
            run = runs.get(arrival.gate.version)
            if arrival.id in known:
                self._settle_at_once(arrival, Receipt(arrival.count, duplicate=True))
            elif state.closed is not None:
                self._settle_at_once(arrival, Refused(Problem.TASK_CLOSED))
            elif run is None:
                self._settle_at_once(arrival, Refused(Problem.BULLETIN_TOO_OLD))
            elif arrival.id in fresh:
                self.echoes.append(arrival)
            elif refusal := cap.refusal(arrival.count, planned):
                self._settle_at_once(arrival, refusal)
            else:
                planned += arrival.count
                fresh.add(arrival.id)
                run.append(arrival)
        self.runs |= {(state.row.number, version): run for version, run in runs.items() if run}

    def _settle_at_once(self, arrival: Arrival, outcome: Receipt | Refused) -> None:
        arrival.outcome = outcome
        self.others.append(arrival)

    def reports_of(self, task: int) -> int:
        """How many new reports of a task the group holds."""
        return sum(arrival.count for (number, _), run in self.runs.items() if number == task for arrival in run)

    def entries(self, after: LogEnd, now: float) -> list[Entry]:
        """The runs as entries of the log, not chained yet."""
        return [
            Entry(
                position=after.position + place,
                group=after.group + 1,
                time=now,
                task=task,
                kind=RUN,
                bulletin=bulletin,
                reports=sum(arrival.count for arrival in run),
                ids=b"".join([arrival.id for arrival in run]),
                counts=pack_counts([arrival.count for arrival in run]),
                symbols=b"".join([arrival.symbols for arrival in run]),
            )
            for place, ((task, bulletin), run) in enumerate(self.runs.items(), 1)
        ]

    def settle(self) -> None:
        """The commit succeeded."""
        for run in self.runs.values():
            for arrival in run:
                arrival.outcome = _receipt(arrival.count)
        for arrival in self.echoes:
            arrival.outcome = Receipt(arrival.count, duplicate=True)

    def refuse(self, problem: Problem, retry_after: int) -> None:
        """The commit failed: nothing of it happened."""
        for arrival in (*(each for run in self.runs.values() for each in run), *self.echoes):
            arrival.outcome = Refused(problem, retry_after=retry_after)

    def outcomes(self) -> Iterator[tuple[int, Receipt | Refused | None, int]]:
        """Task, outcome, and how many uploads it is the outcome of: all of a run have the same kind."""
        for (task, _), run in self.runs.items():
            yield task, run[0].outcome, len(run)
        for arrival in (*self.echoes, *self.others):
            yield arrival.task, arrival.outcome, 1


_receipt = lru_cache(maxsize=256)(Receipt)


def _by_task(arrivals: Iterable[Arrival]) -> dict[int, list[Arrival]]:
    found: dict[int, list[Arrival]] = {}
    for arrival in arrivals:
        found.setdefault(arrival.task, []).append(arrival)
    return found
