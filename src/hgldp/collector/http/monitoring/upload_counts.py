"""How uploads fared since the start: refusals by problem, and how long the others waited for their answer."""

from collections import Counter
from collections.abc import Collection
from time import perf_counter, time

from hgldp.collector.problems import Problem
from hgldp.collector.timings import Histogram


class UploadCounts:
    """`seconds` are from the arrival of a body until its reports were durable; `under_way` have no answer yet.

    >>> counts = UploadCounts()
    >>> counts.refuse(b"task", Problem.TASK_CLOSED)
    >>> counts.refuse(None, Problem.UNKNOWN_KEY)
    >>> counts.by_problem([b"task"])
    [({'problem': 'unknown-key'}, 1), ({'task': '7461736b', 'problem': 'task-closed'}, 1)]
    >>> counts.by_problem([])
    [({'problem': 'task-closed'}, 1), ({'problem': 'unknown-key'}, 1)]
    """

    def __init__(self) -> None:
        self.seconds = Histogram()
        self.under_way = 0
        self._accepted: dict[bytes, float] = {}
        self._refused: Counter[tuple[bytes | None, Problem]] = Counter()

    def accept(self, task: bytes, begun: float) -> None:
        """Count an upload that is durable now; its body had come at a time of `perf_counter`."""
        self._accepted[task] = now = perf_counter()
        self.seconds.observe(now - begun)

    def last(self, task: bytes) -> float | None:
        """When an upload of a task was last accepted, by the time of day; None if none was."""
        found = self._accepted.get(task)
        return None if found is None else round(time() - (perf_counter() - found), 3)

    def refuse(self, task: bytes | None, problem: Problem) -> None:
        """Count a refusal. Without a known key it belongs to no task."""
        self._refused[task, problem] += 1

    def number_of(self, wanted: Problem) -> int:
        """How many uploads were refused for this problem."""
        return sum(number for (_, problem), number in list(self._refused.items()) if problem is wanted)

    def by_problem(self, shown: Collection[bytes]) -> list[tuple[dict[str, object], float]]:
        """The labels and the number of each kind. Tasks that are not shown are added up without their names."""
        found: Counter[tuple[str, str]] = Counter()
        for (task, problem), number in list(self._refused.items()):
            found[task.hex() if task in shown and task else "", problem.slug] += number
        return [
            ({"task": task, "problem": slug} if task else {"problem": slug}, number)
            for (task, slug), number in sorted(found.items())
        ]
