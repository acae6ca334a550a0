"""Rows of raw numbers, one a stream, contestant and ε: their means and errors, a file of them, and a difference of two.

The same seeds make the same streams and the same clients' coins, so two files are compared seed by seed.
"""

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from math import nan, sqrt
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.cold.contestants import METRICS, K, Run
from hgldp.errors import InvalidField

Key = tuple[str, str, float]
MOST_LOST, MOST_ERRORS = 0.01, 2.0
SHARES = ("precision", "ndcg")


@dataclass
class Row:
    """One metric of one seed each."""

    stream: str
    contestant: str
    epsilon: float
    runs: dict[int, dict[str, float]] = field(default_factory=dict)

    @property
    def key(self) -> Key:
        """What two files have in common."""
        return self.stream, self.contestant, self.epsilon

    def values(self, metric: str) -> list[float]:
        """By seed."""
        return [self.runs[seed][metric] for seed in sorted(self.runs)]

    def mean(self, metric: str) -> float:
        """Over all seeds."""
        return float(np.mean(self.values(metric)))

    def error(self, metric: str) -> float:
        """The standard error of the mean; nan for one seed."""
        return standard_error(self.values(metric))


def standard_error(values: list[float]) -> float:
    """Of a mean of independent values.

    >>> standard_error([1.0, 3.0])
    1.0
    """
    return float(np.std(values, ddof=1)) / sqrt(len(values)) if len(values) > 1 else nan


@dataclass(frozen=True)
class Difference:
    """What a row gained since another file, over the seeds that both have."""

    row: Row
    metric: str
    gain: float
    error: float

    @property
    def lost(self) -> bool:
        """More than a hundredth, whether by chance or not."""
        return self.gain < -MOST_LOST

    @property
    def surely_lost(self) -> bool:
        """More than two standard errors, however little that is."""
        return self.gain < -MOST_ERRORS * self.error


def difference(row: Row, before: Row, metric: str) -> Difference | None:
    """Seed by seed; None if they have no seed in common."""
    both = sorted(set(row.runs) & set(before.runs))
    gains = [row.runs[seed][metric] - before.runs[seed][metric] for seed in both]
    return Difference(row, metric, float(np.mean(gains)), standard_error(gains)) if gains else None


def gather(runs: Iterable[Run], rows: dict[Key, Row]) -> None:
    """Put each run into its row."""
    for stream, contestant, epsilon, seed, values in runs:
        row = rows.setdefault((stream, contestant, epsilon), Row(stream, contestant, epsilon))
        row.runs[seed] = values


def to_json(rows: Iterable[Row], about: dict[str, Any]) -> str:
    """Every number of every seed."""
    kept = [
        {
            "stream": row.stream,
            "contestant": row.contestant,
            "epsilon": row.epsilon,
            "seeds": sorted(row.runs),
            **{metric: row.values(metric) for metric in METRICS},
        }
        for row in rows
    ]
    return json.dumps({"k": K, **about, "rows": kept}, indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def from_json(path: Path) -> dict[Key, Row]:
    """The rows of a file that `--json` wrote; anything else is refused."""
    try:
        kept = json.loads(path.read_text(encoding="utf-8"))["rows"]
        rows = {}
        for one in kept:
            row = Row(str(one["stream"]), str(one["contestant"]), float(one["epsilon"]))
            columns = zip(*(one[metric] for metric in METRICS), strict=True)
            for seed, numbers in zip(one["seeds"], columns, strict=True):
                row.runs[int(seed)] = dict(zip(METRICS, map(float, numbers), strict=True))
            rows[row.key] = row
    except OSError as failure:
        raise InvalidField("--against", "must be a readable file", failure.strerror or "unreadable") from None
    except (ValueError, KeyError, TypeError):
        raise InvalidField("--against", "must be a file that --json wrote", path.name) from None
    return rows
