"""Run as a script with the code under measurement: the public names of the library in one thread.

Prints one JSON object: seconds of processor time by what was done.
"""

import json
import sys
import time
from collections.abc import Callable
from itertools import cycle, islice
from random import Random

from hgldp import Randomizer, SeededWords, Task, Tracker

EVENTS, BLOCK, BEFORE = 5_000, 10_000, 5


def spent(work: Callable[[], object]) -> float:
    """Processor seconds of one call."""
    began = time.process_time()
    work()
    return time.process_time() - began


class Crowd:
    """Clients with skewed events over a listed domain."""

    def __init__(self, task: Task, items: int) -> None:
        draw = Random(1)
        weights = [1 / rank for rank in range(1, items + 1)]
        self.events = draw.choices(range(items), weights, k=EVENTS)
        self.client = Randomizer(task, max_epsilon=10.0, words=SeededWords(1))

    def reports(self, tracker: Tracker) -> list:  # type: ignore[type-arg]
        """All events, as answers to the bulletin in force."""
        return [self.client.report(event, tracker.bulletin) for event in self.events]


def client(scheme: str) -> float:
    """A report, drawn in Python."""
    task = Task(scheme, epsilon=2.0, domain=range(10_000), k=20)
    tracker, crowd = Tracker(task, seed=1), Crowd(task, 10_000)
    crowd.reports(tracker)
    return spent(lambda: crowd.reports(tracker)) / EVENTS


def tracker(scheme: str, reports: int) -> dict[str, float]:
    """A report that is counted: in arrays, and one by one; ends of epochs included."""
    task = Task(scheme, epsilon=2.0, domain=range(10_000), k=20, epoch=20_000)
    made, crowd, found = Tracker(task, seed=1), Crowd(task, 10_000), {"arrays": 0.0, "singles": 0.0}
    blocks = max(1, reports // BLOCK)
    for number in range(-BEFORE, blocks):
        drawn = list(islice(cycle(crowd.reports(made)), BLOCK))
        version, symbols, some = made.bulletin.version, [each.symbol for each in drawn], drawn[: BLOCK // 10]
        arrays = spent(lambda: made.insert_many(version, symbols))  # noqa: B023 - called at once
        singles = spent(lambda: [made.insert(each) for each in some])  # noqa: B023
        if number >= 0:  # what compiles comes before
            found["arrays"] += arrays / BLOCK
            found["singles"] += singles / len(some)
    return {name: total / blocks for name, total in found.items()}


def seal(reports: int, epochs: int) -> list[float]:
    """The end of each epoch of so many reports, with default cells; the first two compile."""
    task = Task("pfr", epsilon=2.0, domain=range(20_000), k=20, epoch=100_000_000)
    made, crowd, found = Tracker(task, seed=1), Crowd(task, 20_000), []
    for _ in range(epochs + 2):
        drawn = list(islice(cycle(crowd.reports(made)), reports))
        made.insert_many(made.bulletin.version, [each.symbol for each in drawn])
        found.append(spent(made.seal))
    return found[2:]


if __name__ == "__main__":
    what, *given = sys.argv[1:]
    numbers = [int(each) if each.isdecimal() else each for each in given]
    print(json.dumps({"client": client, "tracker": tracker, "seal": seal}[what](*numbers)))  # type: ignore[operator]
