"""The results of measurements, to choose from; figures, tables and claims read nothing else."""

import csv
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from io import StringIO

import numpy as np
from numpy.typing import NDArray

from hgldp.errors import InvalidField
from hgldp.experiments.measurement import WITHOUT_BUDGET, Measurement, Setting

Choice = Setting | None | tuple[Setting | None, ...]
STUDENT_95 = (12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228)
NORMAL_95 = 1.96
FIELDS = ("stream", "scheme", "epsilon", "seed", "k", "warmup")


@dataclass(frozen=True)
class Row:
    """One result. `failure` says why there are no values."""

    measurement: Measurement
    values: dict[str, float] = field(default_factory=dict)
    failure: str = ""


@dataclass(frozen=True)
class Results:
    """Rows that can be narrowed, averaged and split; failed ones are kept apart and never counted.

    >>> rows = [Row(Measurement("retail", "dsr", 2.0, seed), {"ndcg": 0.5 + 0.1 * seed}) for seed in (1, 2, 3)]
    >>> results = Results.of(rows)
    >>> len(results), round(results.where(scheme="dsr", epsilon=(1.0, 2.0)).mean("ndcg"), 3)
    (3, 0.7)
    >>> len(results.where(variant="as-published"))
    0
    """

    rows: tuple[Row, ...]
    failed: tuple[Row, ...] = ()

    @classmethod
    def of(cls, rows: Iterable[Row]) -> "Results":
        """All rows, the failed ones set apart."""
        everything = tuple(rows)
        good = tuple(row for row in everything if not row.failure)
        return cls(good, tuple(row for row in everything if row.failure))

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[Row]:
        return iter(self.rows)

    def where(self, **conditions: Choice) -> "Results":
        """The rows that fulfil every condition: a value or a tuple of choices for a field or a setting.

        A setting that was not set is None (`variant` is then "default"). What spends no budget fits every ε.
        """
        return self._ask(("where", *conditions.items()), lambda: self._where(conditions))

    def with_no_settings_but(self, *names: str) -> "Results":
        """The rows that have no settings, except perhaps these."""
        return self._ask(("but", *names), lambda: self._with_no_settings_but(set(names)))

    def _where(self, conditions: dict[str, Choice]) -> "Results":
        wanted = {name: value if isinstance(value, tuple) else (value,) for name, value in conditions.items()}
        kept = (tuple(row for row in some if _fits(row.measurement, wanted)) for some in (self.rows, self.failed))
        return Results(*kept)

    def _with_no_settings_but(self, names: set[str]) -> "Results":
        kept = (
            tuple(row for row in some if {name for name, _ in row.measurement.settings} <= names)
            for some in (self.rows, self.failed)
        )
        return Results(*kept)

    @cached_property
    def _answers(self) -> "dict[object, Results]":
        return {}

    def _ask(self, question: object, answer: "Callable[[], Results]") -> "Results":
        """Claims and tables ask the same questions again and again: each is answered once."""
        if question not in self._answers:
            self._answers[question] = answer()
        return self._answers[question]

    def among(self, measurements: Iterable[Measurement]) -> "Results":
        """The rows of these measurements."""
        chosen = set(measurements)
        kept = (tuple(row for row in some if row.measurement in chosen) for some in (self.rows, self.failed))
        return Results(*kept)

    def values(self, metric: str) -> NDArray[np.float64]:
        """The metric of every row that has it."""
        return np.array([row.values[metric] for row in self.rows if metric in row.values], np.float64)

    def mean(self, metric: str) -> float:
        """The mean over the rows; raises InvalidField if there are none."""
        found = self.values(metric)
        if not found.size:
            raise InvalidField("results", f"must hold at least one row with {metric}", "none")
        return float(found.mean())

    def standard_error(self, metric: str) -> float:
        """The standard error of the mean; 0 for a single row."""
        found = self.values(metric)
        return float(found.std(ddof=1) / np.sqrt(found.size)) if found.size > 1 else 0.0

    def band(self, metric: str) -> tuple[float, float, float]:
        """The mean and its 95 % confidence interval, by Student's distribution."""
        mean, freedom = self.mean(metric), self.values(metric).size - 1
        if freedom < 1:
            return mean, mean, mean
        width = self.standard_error(metric) * student_95(freedom)
        return mean, mean - width, mean + width

    def by(self, name: str) -> "dict[Setting | None, Results]":
        """The rows split by a field or a setting, in ascending order; what was not set comes first."""
        groups: dict[Setting | None, list[Row]] = {}
        for row in self.rows:
            groups.setdefault(row.measurement.get(name), []).append(row)
        return {value: Results(tuple(groups[value])) for value in sorted(groups, key=_order)}

    @property
    def csv(self) -> str:
        """A line for each run: its settings, then its values with seven significant digits; what it lacks is empty."""
        settings = sorted({name for row in self.rows for name, _ in row.measurement.settings})
        values = list(dict.fromkeys(name for row in self.rows for name in row.values))
        out = StringIO()
        writer = csv.writer(out, lineterminator="\n")
        used = [f"{name}_used" if name in settings else name for name in values]
        writer.writerow([*FIELDS, *settings, *used])
        for row in self.rows:
            fields = [row.measurement.get(name) for name in FIELDS]
            chosen = dict(row.measurement.settings)
            measured = [f"{row.values[name]:.7g}" if name in row.values else "" for name in values]
            writer.writerow([*fields, *(chosen.get(name, "") for name in settings), *measured])
        return out.getvalue()

    def __add__(self, other: "Results") -> "Results":
        return Results(self.rows + other.rows, self.failed + other.failed)


def student_95(freedom: int) -> float:
    """The factor of a 95 % interval; beyond the table by the usual expansion, good to three digits."""
    if freedom <= len(STUDENT_95):
        return STUDENT_95[freedom - 1]
    return NORMAL_95 + (NORMAL_95**3 + NORMAL_95) / (4 * freedom) + 3.0 / freedom**2


def _fits(measurement: Measurement, wanted: dict[str, tuple[Setting | None, ...]]) -> bool:
    for name, choices in wanted.items():
        if name == "epsilon" and measurement.scheme in WITHOUT_BUDGET:
            continue
        if measurement.get(name) not in choices:
            return False
    return True


def _order(value: Setting | None) -> tuple[bool, bool, float, str]:
    number = value if isinstance(value, int | float) else 0.0
    return value is not None, isinstance(value, str), float(number), str(value)
