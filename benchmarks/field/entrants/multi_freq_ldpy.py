"""multi-freq-ldpy: a compiled client for one value, and a server that wants all reports in one list."""

from importlib import import_module
from math import exp
from typing import Any, ClassVar

import numpy as np

from benchmarks.field.contest import Answer
from benchmarks.field.entrants.base import Private, best, whole_bytes

SEED_BYTES = 8


class MultiFreqLDPy(Private):
    """One of its frequency oracles; estimates are shares, clipped at 0 and normalised."""

    oracle: ClassVar[str]
    module: ClassVar[str]
    options: ClassVar[dict[str, Any]] = {}

    def open(self) -> None:
        functions = import_module(f"multi_freq_ldpy.pure_frequency_oracles.{self.module}")
        self.client = getattr(functions, f"{self.oracle}_Client")
        self.server = getattr(functions, f"{self.oracle}_Aggregator_MI")
        self.reports: list[Any] = []
        self.upload_bytes = self.size_of_report()

    def size_of_report(self) -> int:
        """One value of the domain."""
        return whole_bytes(self.d)

    def privatise(self, item: int) -> Any:
        return self.client(item, self.d, self.epsilon, **self.options)

    def aggregate(self, reports: list[Any]) -> None:
        self.reports.extend(reports)

    def shares(self) -> Any:
        """The server's one call."""
        return self.server(self.reports, self.d, self.epsilon, **self.options)

    def top(self, k: int) -> Answer:
        return best(np.asarray(self.shares(), np.float64) * len(self.reports), k)

    def state(self) -> Any:
        return self.reports


class GRR(MultiFreqLDPy):
    """Generalised randomised response."""

    oracle = module = "GRR"


class OLH(MultiFreqLDPy):
    """Optimal local hashing."""

    oracle = module = "LH"

    def size_of_report(self) -> int:
        return SEED_BYTES + whole_bytes(round(exp(self.epsilon)) + 1)


class OUE(MultiFreqLDPy):
    """Optimised unary encoding."""

    oracle = module = "UE"

    def size_of_report(self) -> int:
        return -(-self.d // 8)

    def shares(self) -> Any:
        return self.server(self.reports, self.epsilon)


class Subset(MultiFreqLDPy):
    """Subset selection; a report is one bit a value."""

    oracle = module = "SS"

    def size_of_report(self) -> int:
        return -(-self.d // 8)
