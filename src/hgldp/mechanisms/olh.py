"""Optimal local hashing: hash the value into a few buckets with a fresh public key, then randomised response."""

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import ClassVar

from hgldp.errors import InvalidField
from hgldp.mechanisms.base import Mechanism, Row
from hgldp.mechanisms.grr import truth_or_other
from hgldp.mechanisms.pairwise import Key, PairwiseHash
from hgldp.model.randomness import Words
from hgldp.model.reports import symbol_bytes

HashReport = tuple[Key, int]
NEARBY = 3


@dataclass(frozen=True)
class OLH(Mechanism[HashReport]):
    """Optimal local hashing (Wang, Blocki, Li, Jha, USENIX Security 2017, section 4.4), exactly unbiased.

    Privacy: exactly W/S ≤ e^ε between any two values, for every key; the key does not depend on the value.
    Report bytes: the key and one bucket.
    Memory: one counter per value, and one hash per value for each report.
    Error: variance about 4e^ε/(e^ε − 1)² per report, whatever the number of values.

    `buckets` is the paper's g; by default the number near e^ε + 1 with the smallest exact variance.

    >>> from hgldp.model.randomness import SeededWords
    >>> mechanism = OLH(size=1000, epsilon=2.0)
    >>> mechanism.bucket_count, mechanism.randomize(42, SeededWords(7))
    (8, ((393, 16), 6))
    """

    name: ClassVar[str] = "olh"
    buckets: int | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.buckets is not None and not 2 <= self.buckets <= self.size:
            raise InvalidField("buckets", f"must lie in 2 … {self.size}, the size", self.buckets)
        self.check_total(self.total)

    @cached_property
    def bucket_count(self) -> int:
        """g: as given, or the best one near e^ε + 1."""
        if self.buckets is not None:
            return self.buckets
        near = min(self.size, round(Fraction(self.truth, self.scale)) + 1)
        return min(
            range(max(2, near - NEARBY), min(self.size, near + NEARBY) + 1),
            key=lambda buckets: OLH(self.size, self.epsilon, buckets, scale=self.scale).variance,
        )

    @cached_property
    def family(self) -> PairwiseHash:
        """The hash functions."""
        return PairwiseHash(self.size, self.bucket_count)

    @cached_property
    def total(self) -> int:
        """The sum of the weights of all buckets."""
        return self.truth + (self.bucket_count - 1) * self.scale

    @property
    def p(self) -> Fraction:
        """e^ε/(e^ε + g − 1), with W for S·e^ε."""
        return Fraction(self.truth, self.total)

    @property
    def q(self) -> Fraction:
        """The true bucket's share when the two values collide, another bucket's share when they do not."""
        collision = self.family.collision
        return collision * self.p + (1 - collision) * Fraction(self.scale, self.total)

    def channel(self) -> list[Row[HashReport]]:
        """Every key, and under each key randomised response over the buckets."""
        keys = list(self.family.every_key())
        true, false = self.p / len(keys), Fraction(self.scale, self.total) / len(keys)
        return [
            {
                (key, bucket): true if bucket == self.family.cell(key, value) else false
                for key in keys
                for bucket in range(self.bucket_count)
            }
            for value in range(self.size)
        ]

    def randomize(self, value: int, words: Words) -> HashReport:
        """Two draws for the key, one for the bucket."""
        own = self.check_value(value)
        key = self.family.draw_key(words)
        return key, truth_or_other(self.family.cell(key, own), self.total, self.truth, self.scale, words)

    def support(self, report: HashReport, value: int) -> int:
        """A report speaks for every value in its bucket."""
        key, bucket = report
        return int(self.family.cell(key, value) == bucket)

    @property
    def report_bytes(self) -> int:
        """Two residues and a bucket."""
        return 2 * symbol_bytes(self.family.prime) + symbol_bytes(self.bucket_count)
