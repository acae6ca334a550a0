"""OpenDP: randomised response over categories. It has no server, so the counts are debiased here with NumPy."""

from importlib import import_module
from math import exp
from typing import Any

import numpy as np

from benchmarks.field.contest import Answer
from benchmarks.field.entrants.base import Private, best, whole_bytes


class RandomizedResponse(Private):
    """`make_randomized_response`, one call a report."""

    def open(self) -> None:
        import_module("opendp.mod").enable_features("contrib")
        measurements: Any = import_module("opendp.measurements")
        self.truth = exp(self.epsilon) / (exp(self.epsilon) + self.d - 1)
        self.client = measurements.make_randomized_response(list(range(self.d)), self.truth)
        self.counts = np.zeros(self.d, np.int64)
        self.upload_bytes = whole_bytes(self.d)

    def privatise(self, item: int) -> int:
        return int(self.client(item))

    def aggregate(self, reports: list[Any]) -> None:
        self.counts += np.bincount(reports, minlength=self.d)

    def top(self, k: int) -> Answer:
        lie = (1 - self.truth) / (self.d - 1)
        return best((self.counts - self.counts.sum() * lie) / (self.truth - lie), k)

    def state(self) -> Any:
        return self.counts
