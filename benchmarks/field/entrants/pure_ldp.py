"""pure-ldp: a client and a server class for each mechanism; items are numbered from 1."""

from importlib import import_module
from math import exp
from typing import Any, ClassVar

import numpy as np

from benchmarks.field.contest import Answer
from benchmarks.field.entrants.base import Private, best, whole_bytes

SEED_BYTES = 8


def place_of(item: int) -> int:
    """The default mapping, under a name, so that a server can be pickled."""
    return item - 1


class PureLDP(Private):
    """One of its frequency oracles."""

    oracle: ClassVar[str]
    options: ClassVar[dict[str, Any]] = {}
    client: Any
    server: Any

    def open(self) -> None:
        oracles = import_module("pure_ldp.frequency_oracles")
        self.make(getattr(oracles, f"{self.oracle}Client"), getattr(oracles, f"{self.oracle}Server"))
        self.upload_bytes = self.size_of_report()

    def make(self, client: Any, server: Any) -> None:
        """Client and server with the same terms."""
        terms = {"epsilon": self.epsilon, "d": self.d, "index_mapper": place_of} | self.options
        self.client, self.server = client(**terms), server(**terms)

    def size_of_report(self) -> int:
        """One value of the domain."""
        return whole_bytes(self.d)

    def privatise(self, item: int) -> Any:
        return self.client.privatise(item + 1)

    def aggregate(self, reports: list[Any]) -> None:
        self.server.aggregate_all(reports)

    def top(self, k: int) -> Answer:
        every = range(1, self.d + 1)
        return best(np.asarray(self.server.estimate_all(every, suppress_warnings=True), np.float64), k)

    def state(self) -> Any:
        return self.server


class GRR(PureLDP):
    """Direct encoding."""

    oracle = "DE"


class OLH(PureLDP):
    """Optimal local hashing."""

    oracle = "LH"
    options: ClassVar[dict[str, Any]] = {"use_olh": True}

    def size_of_report(self) -> int:
        return SEED_BYTES + whole_bytes(round(exp(self.epsilon)) + 1)


class FastOLH(PureLDP):
    """Its heuristic with a thousand hash functions."""

    oracle = "FastLH"
    options: ClassVar[dict[str, Any]] = {"use_olh": True, "k": 1000}

    def size_of_report(self) -> int:
        return whole_bytes(1000) + whole_bytes(round(exp(self.epsilon)) + 1)


class OUE(PureLDP):
    """Optimised unary encoding: one bit a value."""

    oracle = "UE"
    options: ClassVar[dict[str, Any]] = {"use_oue": True}

    def size_of_report(self) -> int:
        return -(-self.d // 8)


class SUE(OUE):
    """Symmetric unary encoding."""

    options: ClassVar[dict[str, Any]] = {"use_oue": False}


class SHE(PureLDP):
    """Histogram encoding by summation: one eight-byte number a value."""

    oracle = "HE"

    def size_of_report(self) -> int:
        return 8 * self.d


class HR(PureLDP):
    """Hadamard response."""

    oracle = "HadamardResponse"

    def make(self, client: Any, server: Any) -> None:
        self.server = server(self.epsilon, self.d, index_mapper=place_of)
        self.client = client(self.epsilon, self.d, self.server.get_hash_funcs(), index_mapper=place_of)


class HadamardMechanism(PureLDP):
    """The Hadamard mechanism with its optimal t."""

    oracle = "HadamardMech"
    options: ClassVar[dict[str, Any]] = {"t": 1, "use_optimal_t": True}


class CMS(PureLDP):
    """Apple's count-mean sketch, 128 hash functions of 1,024 cells."""

    oracle = "CMS"

    def make(self, client: Any, server: Any) -> None:
        self.server = server(self.epsilon, k=128, m=1024, index_mapper=place_of)
        self.client = client(self.epsilon, self.server.get_hash_funcs(), 1024)

    def size_of_report(self) -> int:
        return 1 + 1024 // 8


class PEM(PureLDP):
    """The prefix extending method: no domain list, reports are kept group by group in sketches of hashed prefixes."""

    start, step = 2, 2

    def open(self) -> None:
        hitters = import_module("pure_ldp.heavy_hitters")
        self.bits = -(-(self.d - 1).bit_length() // 2) * 2
        terms = (self.epsilon, self.start, self.bits, self.step)
        self.client, self.server = hitters.PEMClient(*terms), hitters.PEMServer(*terms)
        self.upload_bytes = SEED_BYTES + 1 + whole_bytes(round(exp(self.epsilon)) + 1)

    def privatise(self, item: int) -> Any:
        return self.client.privatise(format(item, f"0{self.bits}b"))

    def aggregate(self, reports: list[Any]) -> None:
        for report in reports:
            self.server.aggregate(report)

    def top(self, k: int) -> Answer:
        found, counts = self.server.find_heavy_hitters(k)
        return [(int(bits, 2), float(count)) for bits, count in zip(found, counts, strict=True)]

    def state(self) -> Any:
        return [oracle.aggregated_data for oracle in self.server.oracles]
