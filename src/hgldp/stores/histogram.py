"""The unbounded baseline: one counter for each value. Exact, mergeable, and as large as the domain."""

from fractions import Fraction
from math import sqrt
from typing import Any

import numpy as np
import numpy.typing as npt

from hgldp.errors import InvalidField, MalformedState
from hgldp.model.domain import check_size
from hgldp.model.estimate import Z95, Estimate
from hgldp.model.validate import LARGEST_63, check_whole
from hgldp.stores.standing import likely_ranks, needed
from hgldp.stores.state_frame import StateFrame

Scores = npt.NDArray[np.int64]
FRAME = StateFrame("histogram", mark=b"HGHI\x01", fields="BBxIQ", checked=False)
HEADER = FRAME.header
NARROW, WIDE = 4, 8
MOST = LARGEST_63


class Histogram:
    """Summed scores of all values 0 … size − 1 over all reports. Order and batching do not matter.

    It may carry the summed squares of the scores beside them; the first scores to be added decide whether it does.

    >>> histogram = Histogram(3)
    >>> histogram.add([5, 1, 4], reports=10)
    >>> best = histogram.estimates(1, p=Fraction(3, 4), q=Fraction(1, 4), noise_variance=Fraction(3, 16))[0]
    >>> best.item, best.count, round(best.standard_error, 2)
    (0, 5.0, 2.74)
    """

    def __init__(self, size: int) -> None:
        self.scores: Scores = np.zeros(check_size(size, "size"), np.int64)
        self.squares: Scores | None = None
        self.reports = 0

    @property
    def size(self) -> int:
        """How many values there are."""
        return int(self.scores.size)

    @property
    def empty(self) -> bool:
        """Whether nothing was added yet."""
        return self.reports == 0 and not self.scores.any()

    def add(self, scores: npt.ArrayLike, reports: int, squares: npt.ArrayLike | None = None) -> None:
        """Add the summed scores of some reports, and their summed squares; on an error nothing has changed."""
        if not self.empty and (squares is None) != (self.squares is None):
            raise InvalidField("squares", "must be given always or never", "none" if squares is None else "some")
        added = self._checked("scores", scores)
        total = _sum("scores", self.scores, added)
        total_squares = None
        if squares is not None:
            added_squares = self._checked("squares", squares)
            if (added_squares < np.abs(added)).any():
                raise InvalidField("squares", "must not be below the scores", "smaller ones")
            total_squares = added_squares if self.squares is None else _sum("squares", self.squares, added_squares)
        self.reports += check_whole("reports", reports, 0, MOST - self.reports)
        self.scores = total
        self.squares = None if total_squares is None else total_squares.copy()

    def _checked(self, field: str, numbers: npt.ArrayLike) -> Scores:
        found = np.asarray(numbers)
        if found.shape != self.scores.shape:
            raise InvalidField(field, f"must have the shape {self.scores.shape}", found.shape)
        if not np.issubdtype(found.dtype, np.integer):
            raise InvalidField(field, "must be whole numbers", found.dtype)
        if int(found.max()) > MOST:
            raise InvalidField(field, "must stay below 2^63", int(found.max()))
        return found.astype(np.int64, copy=False)

    def merge(self, other: "Histogram") -> None:
        """Add everything another histogram of the same size has seen."""
        if other.empty and other.size == self.size:
            return
        self.add(other.scores, other.reports, other.squares)

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
        taken below what a count of 0 or of n would have. Squares need no such law: the variance of a summed score is
        the mean of its summed squares less f·p² + (n − f)·q². No square at all counts as one, so that no error is 0.

        A value may be noise if it is no further above the mean share, 1/d, than the best of d values gets by chance.
        """
        own = p * (1 - p) if own_variance is None else own_variance
        gain, top, n = p - q, self.top(k), self.reports
        ranks = self._likely_ranks(float(p), float(q), float(own), float(noise_variance))[top].tolist()
        by_noise, even, least = n * q, Fraction(n, self.size), needed(self.size)
        if self.squares is None:
            of_none, of_each = n * noise_variance, own - noise_variance
        else:
            of_none, of_each = -n * q**2, q**2 - p**2
        lines = []
        for value, (best, worst) in zip(top, ranks, strict=True):
            count = (int(self.scores[value]) - by_noise) / gain
            variance = of_none + min(max(count, Fraction(0)), Fraction(n)) * of_each
            if self.squares is not None:
                variance = max(variance + max(int(self.squares[value]), 1), Fraction(0))
            error = sqrt(variance / gain**2)
            told = (float(count), error)
            noise = count - even <= least * error
            lines.append(Estimate(value, *told, *told, n, ranks=(best, worst), may_be_noise=noise))
        return tuple(lines)

    def _likely_ranks(self, p: float, q: float, own: float, noise: float) -> npt.NDArray[np.int64]:
        """The best and the worst rank of every value, by the 95 % intervals of all of them."""
        counts = (self.scores - self.reports * q) / (p - q)
        held = np.clip(counts, 0, self.reports)
        variance = held * own + (self.reports - held) * noise
        if self.squares is not None:
            variance = np.maximum(np.maximum(self.squares, 1) - held * p**2 - (self.reports - held) * q**2, 0)
        reach = Z95 * np.sqrt(variance) / abs(p - q)
        return likely_ranks(counts - reach, counts + reach)

    @property
    def resident_bytes(self) -> int:
        """Bytes in memory."""
        return int(self.scores.nbytes) + (0 if self.squares is None else int(self.squares.nbytes))

    def serialize(self) -> bytes:
        """Header, scores and squares if there are any, four bytes each if all of them fit."""
        numbers = self.scores if self.squares is None else np.concatenate([self.scores, self.squares])
        limits = np.iinfo(np.int32)
        width = NARROW if limits.min <= numbers.min() and numbers.max() <= limits.max else WIDE
        written = [numbers.astype(f"<i{width}").tobytes()]
        return FRAME.write(width, self.squares is not None, self.size, self.reports, body=written)

    @classmethod
    def deserialize(cls, state: bytes) -> "Histogram":
        """The histogram that `serialize` wrote; anything else raises MalformedState."""
        (width, squared, size, reports), body = FRAME.read(state)
        if width not in {NARROW, WIDE} or squared not in {0, 1}:
            raise MalformedState(f"histogram must have numbers of {NARROW} or {WIDE} bytes, got a header with {width}")
        numbers = body.array(f"<i{width}", size * (1 + squared))
        body.finish()
        try:
            histogram = cls(size)
            histogram.add(numbers[:size], reports, numbers[size:] if squared else None)
        except InvalidField as broken:
            raise MalformedState(f"histogram must hold counts that can occur: {broken}") from broken
        return histogram

    def __eq__(self, other: Any) -> bool:
        if not isinstance(other, Histogram) or self.reports != other.reports:
            return False
        both = (self.squares is None) == (other.squares is None)
        return both and all(
            np.array_equal(mine, theirs)
            for mine, theirs in ((self.scores, other.scores), (self.squares, other.squares))
            if mine is not None and theirs is not None
        )

    __hash__ = None  # type: ignore[assignment]


def _sum(field: str, left: Scores, right: Scores) -> Scores:
    total = left + right
    if ((left ^ total) & (right ^ total) < 0).any():
        raise InvalidField(field, "must sum to numbers below 2^63", "larger ones")
    return total
