"""The unbounded baseline: one counter a value. Exact, mergeable, and as large as the domain."""

import struct
from fractions import Fraction
from math import sqrt
from typing import Any

import numpy as np
import numpy.typing as npt

from hgldp.errors import InvalidField, MalformedState
from hgldp.model.domain import check_size
from hgldp.model.estimate import Estimate

Scores = npt.NDArray[np.int64]
HEADER = struct.Struct("<4sBBxxIQ")
MAGIC, VERSION = b"HGHI", 1
NARROW, WIDE = 4, 8


class Histogram:
    """Summed scores of all values 0 … size − 1 over so many reports. Order and batching do not matter.

    >>> histogram = Histogram(3)
    >>> histogram.add([5, 1, 4], reports=10)
    >>> best = histogram.estimates(1, p=Fraction(3, 4), q=Fraction(1, 4), noise_variance=Fraction(3, 16))[0]
    >>> best.item, best.count, round(best.standard_error, 2)
    (0, 5.0, 2.74)
    """

    def __init__(self, size: int) -> None:
        self.scores: Scores = np.zeros(check_size(size, "size"), np.int64)
        self.reports = 0

    @property
    def size(self) -> int:
        """How many values there are."""
        return int(self.scores.size)

    def add(self, scores: npt.ArrayLike, reports: int) -> None:
        """Add the summed scores of some reports."""
        added = np.asarray(scores)
        if added.shape != self.scores.shape:
            raise InvalidField("scores", f"must have the shape {self.scores.shape}", added.shape)
        if not np.issubdtype(added.dtype, np.integer):
            raise InvalidField("scores", "must be whole numbers", added.dtype)
        if reports < 0:
            raise InvalidField("reports", "must be at least 0", reports)
        self.scores += added.astype(np.int64, copy=False)
        self.reports += reports

    def merge(self, other: "Histogram") -> None:
        """Add everything another histogram of the same size has seen."""
        self.add(other.scores, other.reports)

    def top(self, k: int) -> list[int]:
        """The k values with the largest scores, the largest first, the smaller value first among equals."""
        if not 1 <= k <= self.size:
            raise InvalidField("k", f"must lie in 1 … {self.size}, the size", k)
        last = np.partition(self.scores, self.size - k)[self.size - k]
        above = np.flatnonzero(self.scores > last)
        level = np.flatnonzero(self.scores == last)[: k - above.size]
        chosen = np.concatenate([above, level])
        return [int(value) for value in chosen[np.lexsort((chosen, -self.scores[chosen]))]]

    def estimates(
        self, k: int, *, p: Fraction, q: Fraction, noise_variance: Fraction, own_variance: Fraction | None = None
    ) -> tuple[Estimate, ...]:
        """The k values with the largest estimated counts.

        A report scores p on average for its own value and q for any other, with variances `own_variance` (p(1 − p)
        unless given) and `noise_variance`. A value held by f of n senders then has a debiased count of variance
        (f·own + (n − f)·noise)/(p − q)²; its unbiased estimate has the estimate of f in the place of f, and is not
        taken below what a count of 0 or of n would have.
        """
        own = p * (1 - p) if own_variance is None else own_variance
        gain = p - q
        lines = []
        for value in self.top(k):
            count = (int(self.scores[value]) - self.reports * q) / gain
            held = min(max(count, Fraction(0)), Fraction(self.reports))
            error = sqrt((held * own + (self.reports - held) * noise_variance) / gain**2)
            lines.append(Estimate(value, float(count), error, float(count), error, self.reports))
        return tuple(lines)

    @property
    def resident_bytes(self) -> int:
        """Bytes in memory."""
        return int(self.scores.nbytes)

    def serialize(self) -> bytes:
        """Header and counters, four bytes each if they fit."""
        limits = np.iinfo(np.int32)
        width = NARROW if limits.min <= self.scores.min() and self.scores.max() <= limits.max else WIDE
        return HEADER.pack(MAGIC, VERSION, width, self.size, self.reports) + self.scores.astype(f"<i{width}").tobytes()

    @classmethod
    def deserialize(cls, state: bytes) -> "Histogram":
        """The histogram of `serialize`."""
        if len(state) < HEADER.size:
            raise MalformedState(f"histogram must have a header of {HEADER.size} bytes, got {len(state)} bytes")
        magic, version, width, size, reports = HEADER.unpack_from(state)
        if (magic, version) != (MAGIC, VERSION) or width not in {NARROW, WIDE}:
            raise MalformedState(f"histogram must start with {MAGIC!r}, version {VERSION}, got {state[:6]!r}")
        if len(state) != HEADER.size + size * width:
            raise MalformedState(f"histogram must have {HEADER.size + size * width} bytes, got {len(state)} bytes")
        histogram = cls(size)
        histogram.add(np.frombuffer(state, f"<i{width}", offset=HEADER.size), reports)
        return histogram

    def __eq__(self, other: Any) -> bool:
        return (
            isinstance(other, Histogram)
            and self.reports == other.reports
            and bool(np.array_equal(self.scores, other.scores))
        )

    __hash__ = None  # type: ignore[assignment]
