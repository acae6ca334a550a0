"""What is published about one item: always debiased, always with a standard error."""

from dataclasses import dataclass

Z95 = 1.959963984540054


@dataclass(frozen=True)
class Estimate:
    """One line of an answer.

    `count` covers the whole stream, `standard_error` is its own; `tracked_count` ± `tracked_error` is the exactly
    unbiased number since the item was admitted, `since` reports before the end; `warmup` is what the raw warm-up,
    if there was one, counted.

    >>> Estimate(item=3, count=100.0, standard_error=10.0).interval
    (80.40036015459947, 119.59963984540053)
    """

    item: int
    count: float
    standard_error: float
    tracked_count: float = 0.0
    tracked_error: float = 0.0
    since: int = 0
    warmup: int = 0

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of `count`."""
        return self.count - Z95 * self.standard_error, self.count + Z95 * self.standard_error

    @property
    def tracked_interval(self) -> tuple[float, float]:
        """The 95 % interval of `tracked_count`."""
        return self.tracked_count - Z95 * self.tracked_error, self.tracked_count + Z95 * self.tracked_error
