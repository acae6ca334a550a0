"""How much better one scheme is than another: paired by stream, ε and seed, with standard errors."""

from dataclasses import dataclass
from math import sqrt

import numpy as np

from hgldp.experiments.judging.view import NotMeasured, on_domain
from hgldp.experiments.measurement import NO_BUDGET
from hgldp.experiments.results import Results, Row, student_95

LESS_IS_BETTER = ("aae", "relative_error")
CLEARLY = 2.0
FEW = 0.1
LIKE = 0.05
TO_WIN = "gain two standard errors on the whole and clearly lose at no more than a tenth of the points"
Place = tuple[str, float]


@dataclass(frozen=True)
class Point:
    """The mean gap at one stream and ε, positive where the first is better; for AAE, a share of the larger error."""

    stream: str
    epsilon: float
    gap: float
    error: float
    runs: int

    @property
    def clear(self) -> bool:
        """Whether the gap is beyond its 95 % interval; a single run has none, and any gap counts."""
        return abs(self.gap) > (self.error * student_95(self.runs - 1) if self.runs > 1 else 0.0)


@dataclass(frozen=True)
class Contest:
    """All points of a comparison."""

    points: tuple[Point, ...]

    @property
    def gap(self) -> float:
        """The mean over the points."""
        return float(np.mean([point.gap for point in self.points]))

    @property
    def error(self) -> float:
        """The standard error of that mean."""
        return sqrt(sum(point.error**2 for point in self.points)) / len(self.points)

    @property
    def better(self) -> int:
        """At how many points the first is clearly better."""
        return sum(point.clear and point.gap > 0 for point in self.points)

    @property
    def worse(self) -> int:
        """At how many points it is clearly worse."""
        return sum(point.clear and point.gap < 0 for point in self.points)

    @property
    def won(self) -> bool:
        """Better on the whole by two standard errors, and clearly worse at no more than a tenth of the points."""
        return self.gap > CLEARLY * self.error and self.worse <= FEW * len(self.points)

    def among(self, low: float, high: float) -> "Contest":
        """The points with low ≤ ε < high."""
        kept = tuple(point for point in self.points if low <= point.epsilon < high)
        if not kept:
            raise NotMeasured(f"nothing with {low:g} ≤ ε < {high:g}")
        return Contest(kept)

    @property
    def shown(self) -> str:
        """The gap and its standard error; a single seed has none."""
        alone = max(point.runs for point in self.points) == 1
        return f"{self.gap:+.3f}, one seed" if alone else f"{self.gap:+.3f} ± {self.error:.3f}"

    @property
    def streams(self) -> str:
        """The names of the streams."""
        return ", ".join(sorted({point.stream for point in self.points}))

    def __str__(self) -> str:
        return f"{self.shown}, better at {self.better} and worse at {self.worse} of {len(self.points)}"


def contest(first: Results, second: Results, metric: str) -> Contest:
    """Compare at each stream and ε where both were run with the same seeds; what spends no budget counts at every ε."""
    ours, theirs = _by_place(first, metric), _by_place(second, metric)
    points = []
    for place, values in ours.items():
        others = theirs.get(place) or theirs.get((place[0], NO_BUDGET))
        seeds = sorted(values.keys() & others.keys()) if others else []
        if others and seeds:
            pairs = np.array([(values[seed], others[seed]) for seed in seeds])
            points.append(_point(place, pairs, less_is_better=metric in LESS_IS_BETTER))
    if not points:
        raise NotMeasured(f"no stream and ε at which both sides of a comparison have {metric}")
    return Contest(tuple(points))


def levels(metric: str, *sides: Results) -> list[float]:
    """The mean of each side over the streams, ε and seeds that all of them have, so that the means can be compared."""
    found = [_by_place(side, metric) for side in sides]
    common = []
    for place in found[0]:
        here = [side.get(place) or side.get((place[0], NO_BUDGET)) or {} for side in found]
        common += [[side[seed] for side in here] for seed in here[0] if all(seed in side for side in here)]
    if not common:
        raise NotMeasured(f"no stream, ε and seed that all sides of a comparison have {metric} of")
    return [float(mean) for mean in np.mean(common, axis=0)]


def rises(low: Contest, high: Contest) -> bool:
    """Whether the gap is larger in the second, by two standard errors."""
    return high.gap - low.gap > CLEARLY * sqrt(low.error**2 + high.error**2)


def lost_to_domain(rows: Results, metric: str) -> Contest:
    """What the largest domain costs against the smallest, for each kind of stream and ε."""
    small, large = (_by_kind(on_domain(rows, choose), metric) for choose in (min, max))
    points = tuple(
        Point(
            *place,
            small[place][0] - large[place][0],
            (small[place][1] ** 2 + large[place][1] ** 2) ** 0.5,
            small[place][2],
        )
        for place in small.keys() & large.keys()
    )
    if not points:
        raise NotMeasured("the same kind of stream over several domains")
    return Contest(points)


def _point(place: Place, pairs: "np.ndarray[tuple[int, int], np.dtype[np.float64]]", *, less_is_better: bool) -> Point:
    gaps = pairs[:, 0] - pairs[:, 1]
    if less_is_better:
        largest = float(pairs.mean(axis=0).max())
        gaps = -gaps / (largest or 1.0)
    error = float(gaps.std(ddof=1) / sqrt(gaps.size)) if gaps.size > 1 else 0.0
    return Point(*place, float(gaps.mean()), error, gaps.size)


def _by_place(results: Results, metric: str) -> dict[Place, dict[int, float]]:
    found: dict[Place, dict[int, float]] = {}
    for row in results:
        if metric in row.values:
            one = row.measurement
            found.setdefault((one.stream, one.epsilon), {})[one.seed] = row.values[metric]
    return found


def _by_kind(rows: Results, metric: str) -> dict[tuple[str, float], tuple[float, float, int]]:
    """Mean, standard error and number of rows for each kind of stream and ε."""
    found: dict[tuple[str, float], list[Row]] = {}
    for row in rows:
        found.setdefault((row.measurement.stream.partition(":")[0], row.measurement.epsilon), []).append(row)
    groups = {place: Results(tuple(some)) for place, some in found.items()}
    return {place: (some.mean(metric), some.standard_error(metric), len(some)) for place, some in groups.items()}
