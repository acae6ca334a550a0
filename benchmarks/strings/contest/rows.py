"""Every run by stream, ε, method and setting; the best setting of each method; a file of all numbers."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from benchmarks.cold.rows import standard_error
from benchmarks.strings.contest.contestants import Run

Key = tuple[str, float, str, str]


@dataclass
class Row:
    """One method with one setting on one stream."""

    data: str
    epsilon: float
    method: str
    setting: str
    runs: dict[int, Run] = field(default_factory=dict)

    @property
    def f1(self) -> float:
        """The mean over seeds."""
        return float(np.mean(self._values))

    @property
    def error(self) -> float:
        """The standard error of that mean; nan for one seed."""
        return standard_error(self._values)

    @property
    def state_bytes(self) -> int:
        """The largest state of any seed."""
        return max(run.state_bytes for run in self.runs.values())

    @property
    def _values(self) -> list[float]:
        return [self.runs[seed].f1 for seed in sorted(self.runs)]

    def shown(self) -> str:
        """Mean ± standard error."""
        return f"{self.f1:.2f} ± {self.error:.2f}" if len(self.runs) > 1 else f"{self.f1:.2f}"


def gather(runs: Iterable[Run], rows: dict[Key, Row]) -> None:
    """Put each run into its row."""
    for run in runs:
        key = run.data, run.epsilon, run.method, run.setting
        rows.setdefault(key, Row(*key)).runs[run.seed] = run


def best(rows: Iterable[Row]) -> dict[tuple[str, float, str], Row]:
    """The setting with the best mean of each method, chosen in hindsight for each stream and ε; the first of equals."""
    found: dict[tuple[str, float, str], Row] = {}
    for row in rows:
        key = row.data, row.epsilon, row.method
        if key not in found or row.f1 > found[key].f1:
            found[key] = row
    return found


def to_json(rows: Sequence[Row], about: dict[str, Any]) -> str:
    """Every number of every seed."""
    chosen = {id(row) for row in best(rows).values()}
    kept = [
        {
            "data": row.data,
            "epsilon": row.epsilon,
            "method": row.method,
            "setting": row.setting,
            "best": id(row) in chosen,
            "seeds": sorted(row.runs),
            "f1": [row.runs[seed].f1 for seed in sorted(row.runs)],
            "state_bytes": [row.runs[seed].state_bytes for seed in sorted(row.runs)],
        }
        for row in rows
    ]
    return json.dumps({**about, "rows": kept}, indent=1, ensure_ascii=False, allow_nan=False) + "\n"
