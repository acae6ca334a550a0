"""Rows of raw numbers, one a crowd, ε and level: their means and errors, and a file of them."""

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from benchmarks.cold.rows import standard_error
from benchmarks.people.contest import EPSILON, METRICS, MONTH, Run

LEAST_PRECISION, ROUNDING = 0.90, 1e-12
Key = tuple[int, float, float, str]


@dataclass
class Row:
    """A level on crowds of one kind, one run a seed."""

    people: int
    apart: float
    epsilon: float
    level: str
    weighs: str
    runs: dict[int, dict[str, float]] = field(default_factory=dict)

    def mean(self, metric: str) -> float:
        """Over all seeds."""
        return float(np.mean([values[metric] for values in self.runs.values()]))

    def error(self, metric: str) -> float:
        """The standard error of the mean; nan for one seed."""
        return standard_error([values[metric] for values in self.runs.values()])

    def share(self, metric: str) -> str:
        """Mean ± standard error."""
        return f"{self.mean(metric):.2f} ± {self.error(metric):.2f}"


def gather(runs: Iterable[Run], rows: dict[Key, Row]) -> None:
    """Put each run into its row."""
    for one in runs:
        key = one.people, one.apart, one.epsilon, one.level
        row = rows.setdefault(key, Row(*key, one.weighs))
        row.runs[one.seed] = one.values


def missed(rows: dict[Key, Row]) -> list[str]:
    """One line for each bar that is not reached; a row that was not measured is no miss."""
    found = []
    for row in rows.values():
        precision, spent = row.mean("precision"), row.mean("spent_most")
        if row.level == MONTH and row.epsilon == EPSILON and not row.apart and precision < LEAST_PRECISION:
            found.append(f"{row.people:,} people: {MONTH} has {precision:.3f} < {LEAST_PRECISION}")
        if spent > row.epsilon * (1 + ROUNDING):
            found.append(f"{row.people:,} people: {row.level} spends {spent:.3f} > {row.epsilon:g}")
    return found


def to_json(rows: Iterable[Row], about: dict[str, Any]) -> str:
    """Every number of every seed."""
    kept = [
        {
            "people": row.people,
            "apart": row.apart,
            "epsilon": row.epsilon,
            "level": row.level,
            "weighs": row.weighs,
            "seeds": sorted(row.runs),
            **{metric: [row.runs[seed][metric] for seed in sorted(row.runs)] for metric in METRICS},
        }
        for row in rows
    ]
    return json.dumps({**about, "rows": kept}, indent=1, ensure_ascii=False, allow_nan=False) + "\n"
