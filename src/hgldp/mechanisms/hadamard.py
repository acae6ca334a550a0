"""Hadamard response: report a column of a block-structured Hadamard matrix that favours the value's row."""

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import ClassVar

from hgldp.errors import InvalidField
from hgldp.mechanisms.base import Mechanism, Row
from hgldp.model.randomness import Words
from hgldp.model.reports import symbol_bytes


@dataclass(frozen=True)
class HadamardResponse(Mechanism[int]):
    """Hadamard response in its general form (Acharya, Sun, Zhang, AISTATS 2019, section 5).

    Privacy: exactly W/S ≤ e^ε between any two values.
    Report bytes: the bytes of one column, about log2 of the size.
    Memory: one counter per column, up to four times as many as values; one fast Walsh–Hadamard transform at the end.
    Error: variance (e^ε + 1)²/(e^ε − 1)² per report with one block, near OLH's at large ε with more.

    There are B blocks of b columns, b the power of two above ⌈size/B⌉. Value v owns the columns of block v mod B where
    row 1 + ⌊v/B⌋ of the b × b Hadamard matrix is +1: each has weight W, all other columns S. A report scores the entry
    of a value's row if it lies in the value's block, else 0, so that other values cancel exactly: q = 0.
    `blocks` is B, a power of two: by default the one with the smallest exact variance; 1 is the HG-LDP paper's form.

    >>> from hgldp.model.randomness import SeededWords
    >>> mechanism, words = HadamardResponse(size=1000, epsilon=2.0), SeededWords(7)
    >>> mechanism.block_count, mechanism.width, [mechanism.randomize(42, words) for _ in range(5)]
    (4, 256, [516, 842, 574, 595, 617])
    """

    name: ClassVar[str] = "hr"
    blocks: int | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        blocks = self.blocks
        if blocks is not None and (not 1 <= blocks < 2 * self.size or blocks & (blocks - 1)):
            raise InvalidField("blocks", f"must be a power of two below {2 * self.size}, twice the size", blocks)
        self.check_total(self.total)

    @cached_property
    def block_count(self) -> int:
        """B: as given, or the best one."""
        if self.blocks is not None:
            return self.blocks
        powers = [1 << bits for bits in range(self.size.bit_length())]
        return min(
            powers, key=lambda blocks: HadamardResponse(self.size, self.epsilon, blocks, scale=self.scale).variance
        )

    @cached_property
    def width(self) -> int:
        """b, the columns of one block."""
        return 1 << (-(-self.size // self.block_count)).bit_length()

    @property
    def columns(self) -> int:
        """K = B·b, the number of possible reports."""
        return self.block_count * self.width

    @cached_property
    def total(self) -> int:
        """The weights of the 2B half-blocks: the own one W, each other one S."""
        return self.truth + (2 * self.block_count - 1) * self.scale

    def place(self, value: int) -> tuple[int, int]:
        """The block and the row of a value; row 0, which is all +1, belongs to nobody."""
        return value % self.block_count, 1 + value // self.block_count

    @property
    def p(self) -> Fraction:
        """Own half less the other half of the own block: (e^ε − 1)/(e^ε + 2B − 1)."""
        return Fraction(self.truth - self.scale, self.total)

    @property
    def q(self) -> Fraction:
        """Exactly 0: two rows of a block are orthogonal, and other blocks are hit evenly."""
        return Fraction(0)

    @property
    def own_variance(self) -> Fraction:
        """The score is ±1 inside the own block, 0 outside."""
        return Fraction(self.truth + self.scale, self.total) - self.p**2

    @property
    def noise_variance(self) -> Fraction:
        """The share of reports inside the block, averaged over all pairs of different values."""
        rows, fuller = divmod(self.size, self.block_count)
        pairs = fuller * (rows + 1) * rows + (self.block_count - fuller) * rows * (rows - 1)
        same = Fraction(pairs, self.size * (self.size - 1))
        return (same * (self.truth + self.scale) + (1 - same) * 2 * self.scale) / self.total

    @property
    def even_noise(self) -> bool:
        """A value shares its noise with its block, unless there is one block for all, or one for each."""
        return self.block_count == 1 or self.block_count >= self.size

    @property
    def counters(self) -> int:
        """One a column."""
        return self.columns

    def channel(self) -> list[Row[int]]:
        """W or S for each column, over their sum."""
        weights = [
            [self.truth if self.support(column, value) == 1 else self.scale for column in range(self.columns)]
            for value in range(self.size)
        ]
        return [{column: Fraction(weight, sum(row)) for column, weight in enumerate(row)} for row in weights]

    def randomize(self, value: int, words: Words) -> int:
        """One draw for the half-block, one for the column inside it."""
        block, row = self.place(self.check_value(value))
        half = words.below(self.total) - self.truth
        inside = words.below(self.width // 2)
        other = half // self.scale
        if other <= 0:
            return block * self.width + column_of_sign(row, inside, negative=half >= 0)
        other_block, upper = divmod(other - 1, 2)
        return (other_block + (other_block >= block)) * self.width + upper * (self.width // 2) + inside

    def support(self, report: int, value: int) -> int:
        """The entry of the value's row in the reported column, 0 in another block."""
        block, row = self.place(value)
        if report // self.width != block:
            return 0
        return -1 if (row & report % self.width).bit_count() % 2 else 1

    @property
    def report_bytes(self) -> int:
        """The bytes of one column."""
        return symbol_bytes(self.columns)


def column_of_sign(row: int, number: int, *, negative: bool) -> int:
    """Column `number` among those where a row of the Hadamard matrix, not row 0, is +1 (or −1).

    The row's lowest bit is left open in the number and then set so that row & column has the wanted parity.
    """
    lowest = row & -row
    column = number % lowest + number // lowest * lowest * 2
    return column | lowest if (row & column).bit_count() % 2 != negative else column
