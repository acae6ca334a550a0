"""Exact counts in unbounded memory, and randomised response written by hand: what there is to be measured by."""

from collections import Counter
from math import exp
from typing import Any

import numpy as np

from benchmarks.field.contest import Answer, Contest, Showing
from benchmarks.field.entrants.base import Feed, Items, Sketch, Traced, best, whole_bytes
from benchmarks.field.timing import bincount_rate, rounds, spent


class NumpyBincount(Sketch):
    """`numpy.bincount` over the whole stream: 8 bytes for each possible item."""

    measured = "array"

    def open(self) -> None:
        self.counts = np.zeros(self.contest.domain_size, np.int64)

    def prepare(self, items: Items) -> Items:
        return items

    def many(self) -> Feed:
        return self._add

    def _add(self, items: Items) -> None:
        self.counts += np.bincount(items, minlength=self.counts.size)

    def top(self, k: int) -> Answer:
        return best(self.counts.astype(np.float64), k)

    def state_bytes(self) -> int:
        return self.counts.nbytes


class NumpyUnique(NumpyBincount):
    """`numpy.unique`, for items that are no small numbers: a sort."""

    def open(self) -> None:
        self.values, self.counts = np.empty(0, np.int64), np.empty(0, np.int64)

    def _add(self, items: Items) -> None:
        self.values, self.counts = np.unique(items, return_counts=True)

    def top(self, k: int) -> Answer:
        order = np.argsort(-self.counts, kind="stable")[:k]
        return [(int(self.values[place]), float(self.counts[place])) for place in order]

    def state_bytes(self) -> int:
        return self.counts.nbytes + self.values.nbytes


class PythonCounter(Traced):
    """`collections.Counter`: exact, any hashable item."""

    def open(self) -> None:
        self.counter: Counter[int] = Counter()

    def many(self) -> Feed:
        return self.counter.update

    def one(self) -> Feed:
        return self._add

    def _add(self, item: int) -> None:
        self.counter[item] += 1

    def top(self, k: int) -> Answer:
        return [(item, float(count)) for item, count in self.counter.most_common(k)]


def numpy_grr(contest: Contest, items: Items, version: str) -> Showing:
    """Generalised randomised response in six lines of NumPy: fast, but its generator is no source of privacy."""
    d, truth = contest.domain_size, exp(contest.epsilon) / (exp(contest.epsilon) + contest.domain_size - 1)
    lie = (1 - truth) / (d - 1)
    answers, client, server = [], [], []
    for seed in rounds(contest.seconds):
        generator, made = np.random.default_rng(seed), dict[str, Any]()

        def draw(generator: np.random.Generator = generator, made: dict[str, Any] = made) -> None:
            other = generator.integers(0, d - 1, items.size)
            other += other >= items
            made["reports"] = np.where(generator.random(items.size) < truth, items, other)

        def read(made: dict[str, Any] = made) -> None:
            counts = (np.bincount(made["reports"], minlength=d) - items.size * lie) / (truth - lie)
            made["answer"] = best(counts.astype(np.float64), contest.k)

        client.append(spent(draw))
        server.append(spent(read))
        answers.append(made["answer"])
    both = min(one + other for one, other in zip(client, server, strict=True))
    return Showing(
        n=items.size,
        rounds=len(answers),
        bincount_rate=bincount_rate(items, d),
        batch_rate=items.size / both,
        single_rate=None,
        client_rate=items.size / min(client),
        server_rate=items.size / min(server),
        answers=tuple(answers),
        state_bytes=(8 * d,),
        measured="array",
        upload_bytes=whole_bytes(d),
        version=version,
    )
