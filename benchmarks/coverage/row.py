"""A row of the table: what all runs of one kind of interval say together."""

from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np

from benchmarks.coverage.truth import Judged

GROUP = 10
LEAST, MOST = 0.92, 0.98
HEADINGS = (
    "interval",
    "ε",
    "lines",
    "covered",
    "",
    "not noise: lines",
    "covered",
    "whole top 10",
    "too high",
    "too low",
    "ranks",
    "mean error (s.e.)",
)


@dataclass
class Row:
    """Every line of every run."""

    scheme: str
    stream: str
    start: str
    epsilon: float
    kind: str
    runs: dict[int, list[Judged]] = field(default_factory=dict)

    @property
    def lines(self) -> list[Judged]:
        """Of all runs."""
        return [line for seed in sorted(self.runs) for line in self.runs[seed]]

    @property
    def clear(self) -> list[Judged]:
        """Those that stand out."""
        return [line for line in self.lines if not line.may_be_noise]

    @property
    def covered(self) -> float | None:
        """The share of intervals that hold the truth."""
        return share(self.lines, lambda line: line.held)

    @property
    def clear_covered(self) -> float | None:
        """The same of lines that stand out."""
        return share(self.clear, lambda line: line.held)

    @property
    def groups_covered(self) -> float | None:
        """In how many runs the first ten lines were all covered; a run without a line does not count."""
        return share([run for run in self.runs.values() if run], lambda run: all(line.held for line in run[:GROUP]))

    @property
    def too_high(self) -> float | None:
        """The share of intervals that lie above the truth."""
        return share(self.lines, lambda line: line.side > 0)

    @property
    def too_low(self) -> float | None:
        """The share of intervals that lie below the truth."""
        return share(self.lines, lambda line: line.side < 0)

    @property
    def ranks_covered(self) -> float | None:
        """The share of rank ranges that hold the true rank, where there are any."""
        return share([line for line in self.lines if line.rank_held is not None], lambda line: bool(line.rank_held))

    @property
    def mean_error(self) -> float | None:
        """In standard errors."""
        return float(np.mean([line.error for line in self.lines])) if self.lines else None

    @property
    def outside(self) -> str:
        """`low` or `high` if fewer than 92 % or more than 98 % of the intervals hold the truth."""
        if self.covered is None:
            return ""
        return "low" if self.covered < LEAST else "high" if self.covered > MOST else ""

    @property
    def cells(self) -> tuple[str, ...]:
        """As text, in the order of the headings."""
        shares = (self.groups_covered, self.too_high, self.too_low, self.ranks_covered)
        error = "–" if self.mean_error is None else f"{self.mean_error:+.2f}"
        numbers = (f"{len(self.lines):,}", percent(self.covered), self.outside, f"{len(self.clear):,}")
        return (self.kind, f"{self.epsilon:g}", *numbers, percent(self.clear_covered), *map(percent, shares), error)

    def to_dict(self) -> dict[str, Any]:
        """Every number, for `--json`."""
        names = ("covered", "clear_covered", "groups_covered", "too_high", "too_low", "ranks_covered", "mean_error")
        kept = {name: value for name, value in asdict(self).items() if name != "runs"}
        counted = {"runs": len(self.runs), "lines": len(self.lines), "clear_lines": len(self.clear)}
        return kept | counted | {name: getattr(self, name) for name in names} | {"outside": self.outside}


def share(some: Iterable[Any], holds: Callable[[Any], bool]) -> float | None:
    """Of how many it holds; None if there are none."""
    found = [holds(one) for one in some]
    return float(np.mean(found)) if found else None


def percent(value: float | None) -> str:
    """One place after the point.

    >>> percent(0.9471), percent(None)
    ('94.7 %', '–')
    """
    return "–" if value is None else f"{100 * value:.1f} %"
