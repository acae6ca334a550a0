"""Entrants that misbehave, each in one way, and one that does not."""

import os
import subprocess
import sys
import time
from collections import Counter
from typing import Any

import numpy as np

from benchmarks.field.contest import Answer, Contest, Showing
from benchmarks.field.entrants.base import Feed, Private, Sketch


class Exact(Sketch):
    """A sketch that counts everything."""

    def open(self) -> None:
        self.counter: Counter[int] = Counter()

    def one(self) -> Feed:
        return self._add

    def many(self) -> Feed:
        return self.counter.update

    def _add(self, item: int) -> None:
        self.counter[item] += 1

    def top(self, k: int) -> Answer:
        ranked = sorted(self.counter.items(), key=lambda pair: (-pair[1], pair[0]))
        return [(item, float(count)) for item, count in ranked[:k]]

    def state_bytes(self) -> int:
        return 8 * len(self.counter)


class Traceable(Exact):
    """The same, with bytes that must be traced."""

    measured = "traced"


class OneByOne(Exact):
    """The same without a batch call."""

    def many(self) -> None:  # type: ignore[override]
        return None


class Truthful(Private):
    """Clients that say the truth, after a pause."""

    pause = 0.0

    def open(self) -> None:
        self.counts, self.upload_bytes = np.zeros(self.d, np.int64), 2

    def privatise(self, item: int) -> int:
        started = time.process_time()
        while time.process_time() - started < self.pause:
            pass
        return item

    def aggregate(self, reports: list[Any]) -> None:
        self.counts += np.bincount(reports, minlength=self.d)

    def top(self, k: int) -> Answer:
        order = np.argsort(-self.counts, kind="stable")[:k]
        return [(int(item), float(self.counts[item])) for item in order]

    def state(self) -> Any:
        return self.counts


class Slow(Truthful):
    """Half a millisecond a report."""

    pause = 0.0005


def fails(contest: Contest, items: Any, version: str) -> Showing:
    """Raises."""
    raise RuntimeError("planted failure")


def hangs(contest: Contest, items: Any, version: str) -> Showing:
    """Never ends, and neither does its child, whose number it leaves beside the stream."""
    child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
    with open(f"{contest.path}.child", "w", encoding="ascii") as file:
        file.write(str(child.pid))
    time.sleep(600)
    raise AssertionError


def prints_rubbish(contest: Contest, items: Any, version: str) -> Showing:
    """Ends well, with nothing to show."""
    print("42 M/s, honestly", flush=True)
    os._exit(0)


def prints_half_a_measurement(contest: Contest, items: Any, version: str) -> Showing:
    """A line that begins like a measurement."""
    print('field: {"n": 5, "answers": [[[1, 2.0]]]}', flush=True)
    os._exit(0)


def claims_no_time(contest: Contest, items: Any, version: str) -> Showing:
    """A rate of nothing."""
    print('field: {"n": 5}', flush=True)
    return Showing(5, 1, 1.0, 0.0, None, None, None, ([],), (1,), "serialised", None, "")
