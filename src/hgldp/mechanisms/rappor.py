"""RAPPOR with a Bloom filter: hash the value to a few bits under a fresh public key, then flip every bit."""

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import product
from typing import ClassVar

from hgldp.errors import InvalidField
from hgldp.mechanisms.base import Mechanism, Row
from hgldp.mechanisms.bloom import Law, mean, score_law, variance
from hgldp.mechanisms.pairwise import Key, PairwiseHash
from hgldp.mechanisms.unary import mask_probability
from hgldp.model.randomness import Words
from hgldp.model.reports import symbol_bytes
from hgldp.model.weights import as_epsilon

BloomReport = tuple[tuple[Key, ...], int]
MAX_BITS = 4096
MAX_HASHES = 4


@dataclass(frozen=True)
class RAPPOR(Mechanism[BloomReport]):
    """One-time basic RAPPOR over a Bloom filter (Erlingsson, Pihur, Korolova, CCS 2014, sections 2 and 3.1).

    Privacy: at most (W/S)^(2h) ≤ e^ε with W = ⌊S·e^(ε/2h)⌋: two filters differ in at most 2h bits, for every key.
    Report bytes: h keys and `bits` bits.
    Memory: one counter per value, and h hashes per value for each report.
    Error: above SUE's, since h bits share the budget and values collide; see `variance`, which is exact.

    Cohorts become a fresh key per report and hash function, so that debiasing is exactly unbiased. The score of a value
    is the number of its h positions whose reported bit is set.

    >>> from hgldp.model.randomness import SeededWords
    >>> mechanism = RAPPOR(size=1000, epsilon=2.0, bits=16, hashes=2)
    >>> keys, mask = mechanism.randomize(42, SeededWords(7))
    >>> keys, f"{mask:016b}"
    (((393, 16), (908, 588)), '0010000000111010')
    """

    name: ClassVar[str] = "rappor"
    bits: int = 128
    hashes: int = 2

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 2 <= self.bits <= MAX_BITS:
            raise InvalidField("bits", f"must lie in 2 … {MAX_BITS}", self.bits)
        if not 1 <= self.hashes <= MAX_HASHES:
            raise InvalidField("hashes", f"must lie in 1 … {MAX_HASHES}", self.hashes)
        self.weight(as_epsilon(self.epsilon) / (2 * self.hashes))

    @cached_property
    def truth(self) -> int:
        """W, the weight of a true bit against S of a false one."""
        return self.weight(as_epsilon(self.epsilon) / (2 * self.hashes))

    @cached_property
    def family(self) -> PairwiseHash:
        """The hash functions, with more residues than bits."""
        return PairwiseHash(max(self.size, self.bits + 1), self.bits)

    @property
    def true_set(self) -> Fraction:
        """A bit of the filter stays set."""
        return Fraction(self.truth, self.truth + self.scale)

    @cached_property
    def own_scores(self) -> Law:
        """The law of the score of the sender's own value."""
        return score_law(self.family, self.hashes, self.true_set, 1 - self.true_set, own=True)

    @cached_property
    def other_scores(self) -> Law:
        """The law of the score of any other value."""
        return score_law(self.family, self.hashes, self.true_set, 1 - self.true_set, own=False)

    @property
    def p(self) -> Fraction:
        """h bits, each still set."""
        return self.hashes * self.true_set

    @property
    def q(self) -> Fraction:
        """h bits, each set if the filters share it, or by noise."""
        return mean(self.other_scores)

    @property
    def own_variance(self) -> Fraction:
        """Not quite h bits: positions of one value may coincide."""
        return variance(self.own_scores)

    @property
    def noise_variance(self) -> Fraction:
        """Exact, with all coincidences."""
        return variance(self.other_scores)

    @property
    def most_support(self) -> int:
        """All h positions set."""
        return self.hashes

    def filter(self, keys: tuple[Key, ...], value: int) -> int:
        """The Bloom filter of a value: the OR of its positions."""
        mask = 0
        for key in keys:
            mask |= 1 << self.family.cell(key, value)
        return mask

    def channel(self) -> list[Row[BloomReport]]:
        """Every choice of keys, and under each every mask."""
        choices = list(product(self.family.every_key(), repeat=self.hashes))
        rows: list[Row[BloomReport]] = []
        for value in range(self.size):
            row: Row[BloomReport] = {}
            for keys in choices:
                filled = self.filter(keys, value)
                chances = [self.true_set if filled >> bit & 1 else 1 - self.true_set for bit in range(self.bits)]
                for mask in range(1 << self.bits):
                    row[keys, mask] = mask_probability(mask, chances) / len(choices)
            rows.append(row)
        return rows

    def randomize(self, value: int, words: Words) -> BloomReport:
        """The keys, then one draw a bit: below S it is flipped."""
        own = self.check_value(value)
        keys = tuple(self.family.draw_key(words) for _ in range(self.hashes))
        mask = self.filter(keys, own)
        for bit in range(self.bits):
            if words.below(self.truth + self.scale) < self.scale:
                mask ^= 1 << bit
        return keys, mask

    def support(self, report: BloomReport, value: int) -> int:
        """How many of the value's positions are set."""
        keys, mask = report
        return sum(mask >> self.family.cell(key, value) & 1 for key in keys)

    @property
    def report_bytes(self) -> int:
        """Two residues a hash function, and the mask."""
        return 2 * self.hashes * symbol_bytes(self.family.prime) + (self.bits + 7) // 8
