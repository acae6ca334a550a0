"""What a task will have found after some days: several launches, simulated, on each shape that its stream may have."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import count
from math import sqrt
from statistics import fmean

from hgldp.errors import InvalidField
from hgldp.model.domain import StringDomain
from hgldp.model.task import Task
from hgldp.model.validate import check_whole
from hgldp.planning.launch import Found, launch
from hgldp.planning.shapes import Shape
from hgldp.planning.traffic import Traffic

STOPS = (1, 2, 4, 7, 14, 30)
STUDENT = (12.71, 4.31, 3.19, 2.78, 2.58, 2.45, 2.37, 2.31, 2.27, 2.23, 2.21, 2.18, 2.17, 2.15, 2.14, 2.12)
PRIOR = 8
PATIENCE = 1.5
MOST_LAUNCHES = 1000


@dataclass(frozen=True)
class LaunchQuestion:
    """A task before its launch: its traffic, the shapes that its stream may have, raw items that it starts from.

    `days` are those after which one looks at what was found.
    """

    task: Task
    shapes: tuple[Shape, ...]
    traffic: Traffic
    warmup: int = 0
    days: tuple[int, ...] = STOPS

    def __post_init__(self) -> None:
        if not self.shapes:
            raise InvalidField("shapes", "must be at least one", "none")
        check_whole("warmup", self.warmup, 0, 10_000_000)
        if self.is_open and self.warmup:
            raise InvalidField("warmup", "must be left out for strings that nobody listed", self.warmup)

    @property
    def is_open(self) -> bool:
        """Whether nobody listed the strings."""
        return isinstance(self.task.domain, StringDomain)

    @property
    def metric(self) -> str:
        """What one asks for: the F1 score where nobody listed the strings, otherwise the precision."""
        return "f1" if self.is_open else "precision"

    @property
    def metric_title(self) -> str:
        """The same for people."""
        return "F1" if self.is_open else "precision"


@dataclass(frozen=True)
class MeanShare:
    """A share that several launches found: its mean, how sure the mean is, and what single launches had.

    `error` is half of the 95 % interval of the mean, by Student. A launch has the variance that the launches show and,
    with the weight of `PRIOR` of them, that of k independent hits: two launches alone would say next to nothing.

    >>> MeanShare.of([0.4, 0.6, 0.5], k=10)
    MeanShare(mean=0.5, error=0.191, lowest=0.4, highest=0.6, launches=3)
    >>> MeanShare.of([1.0, 1.0, 1.0, 1.0], k=10).interval
    (0.9546, 1.0)
    """

    mean: float
    error: float
    lowest: float
    highest: float
    launches: int

    @classmethod
    def of(cls, found: Sequence[float], k: int) -> "MeanShare":
        """From the same share of each launch."""
        launches, mean = len(found), fmean(found)
        chance = (mean * k * launches + 1) / (k * launches + 2)
        spread = PRIOR * chance * (1 - chance) / k + sum((each - mean) ** 2 for each in found)
        freedom = PRIOR + launches - 1
        error = STUDENT[min(freedom, len(STUDENT)) - 1] * sqrt(spread / freedom / launches)
        return cls(round(mean, 4), round(error, 4), min(found), max(found), launches)

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of the mean, as far as a share can lie there."""
        return max(0.0, round(self.mean - self.error, 4)), min(1.0, round(self.mean + self.error, 4))


@dataclass(frozen=True)
class Row:
    """What is expected on one shape after some days; `simulated` is less than `reports` where a plan has a limit."""

    shape: str
    days: int
    reports: int
    simulated: int
    precision: MeanShare
    f1: MeanShare

    def at(self, metric: str) -> MeanShare:
        """One of the two."""
        return self.f1 if metric == "f1" else self.precision


@dataclass
class Forecast:
    """All launches so far, by shape."""

    question: LaunchQuestion
    launches: dict[str, list[list[Found]]] = field(default_factory=dict)

    @property
    def rows(self) -> list[Row]:
        """By shape, then by days; shapes that no launch has been simulated on are left out."""
        return [row for shape in self.question.shapes if shape.title in self.launches for row in self._of(shape.title)]

    @property
    def missing(self) -> list[str]:
        """The shapes that no launch has been simulated on."""
        return [shape.title for shape in self.question.shapes if shape.title not in self.launches]

    def after(self, days: int) -> list[Row]:
        """The rows of one moment, one a shape."""
        return [row for row in self.rows if row.days == days]

    def _of(self, title: str) -> Iterator[Row]:
        k, traffic = self.question.task.k, self.question.traffic
        for place, days in enumerate(self.question.days):
            ends = [each[place] for each in self.launches[title]]
            precision, f1 = ([getattr(end, name) for end in ends] for name in ("precision", "f1"))
            terms = title, days, traffic.after(days), ends[0].reports
            yield Row(*terms, MeanShare.of(precision, k), MeanShare.of(f1, k))


def forecasts(question: LaunchQuestion, launches: int, seed: int) -> Iterator[Forecast]:
    """The forecast after each launch that was simulated: one on each shape, then a second one, and so on.

    Whoever has waited long enough stops asking: what there is by then is a forecast too.
    """
    check_whole("launches", launches, 1, MOST_LAUNCHES)
    check_whole("seed", seed, 0)
    found, reports = Forecast(question), [question.traffic.after(days) for days in question.days]
    for number in range(launches):
        for shape in question.shapes:
            stops = sorted({count for count in reports if count})
            ends = launch(question.task, shape, stops, seed + number, warmup=question.warmup)
            at, nothing = dict(zip(stops, ends, strict=True)), Found(0, 0.0, 0.0)
            found.launches.setdefault(shape.title, []).append([at.get(count, nothing) for count in reports])
            yield found


def forecast_within(
    question: LaunchQuestion,
    launches: int,
    seed: int,
    seconds: float,
    clock: Callable[[], float],
    told: Callable[[int], None],
) -> Forecast:
    """As many launches as there is time for by somebody's clock; half as long again for the first one on each shape.

    `told` gets the number of launches so far.
    """
    began = before = clock()
    found = forecasts(question, launches, seed)
    for done in count(1):
        forecast = next(found)
        told(done)
        now = clock()
        last, before = now - before, now
        if now - began + last > seconds * (1.0 if done >= len(question.shapes) else PATIENCE):
            break
        if done == launches * len(question.shapes):
            break
    return forecast
