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
from hgldp.planning.shapes import Shape
from hgldp.planning.traffic import Traffic
from hgldp.planning.walks import Stop, walk

STOPS = (1, 2, 4, 7, 14, 30)
STUDENT = (12.71, 4.31, 3.19, 2.78, 2.58, 2.45, 2.37, 2.31, 2.27, 2.23, 2.21, 2.18, 2.17, 2.15, 2.14, 2.12)
PRIOR = 8
PATIENCE = 1.5
MOST_RUNS = 1000


@dataclass(frozen=True)
class Question:
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


@dataclass(frozen=True)
class Expected:
    """A share that several launches found: its mean, how sure the mean is, and what single launches had.

    `error` is half of the 95 % interval of the mean, by Student. A launch has the variance that the launches show and,
    with the weight of `PRIOR` of them, that of k independent hits: two launches alone would say next to nothing.

    >>> Expected.of([0.4, 0.6, 0.5], k=10)
    Expected(mean=0.5, error=0.191, lowest=0.4, highest=0.6, runs=3)
    >>> Expected.of([1.0, 1.0, 1.0, 1.0], k=10).error
    0.0454
    """

    mean: float
    error: float
    lowest: float
    highest: float
    runs: int

    @classmethod
    def of(cls, found: Sequence[float], k: int) -> "Expected":
        """From the same share of each launch."""
        runs, mean = len(found), fmean(found)
        chance = (mean * k * runs + 1) / (k * runs + 2)
        spread = PRIOR * chance * (1 - chance) / k + sum((each - mean) ** 2 for each in found)
        freedom = PRIOR + runs - 1
        error = STUDENT[min(freedom, len(STUDENT)) - 1] * sqrt(spread / freedom / runs)
        return cls(round(mean, 4), round(error, 4), min(found), max(found), runs)


@dataclass(frozen=True)
class Row:
    """What is expected on one shape after some days; `simulated` is less than `reports` where a plan has a limit."""

    shape: str
    days: int
    reports: int
    simulated: int
    precision: Expected
    f1: Expected

    def at(self, metric: str) -> Expected:
        """One of the two."""
        return self.f1 if metric == "f1" else self.precision


@dataclass
class Forecast:
    """All launches so far, by shape."""

    question: Question
    runs: dict[str, list[list[Stop]]] = field(default_factory=dict)

    @property
    def rows(self) -> list[Row]:
        """By shape, then by days; shapes that no launch has been simulated on are left out."""
        return [row for shape in self.question.shapes if shape.title in self.runs for row in self._of(shape.title)]

    def after(self, days: int) -> list[Row]:
        """The rows of one moment, one a shape."""
        return [row for row in self.rows if row.days == days]

    def _of(self, title: str) -> Iterator[Row]:
        k, traffic = self.question.task.k, self.question.traffic
        for place, days in enumerate(self.question.days):
            stops = [run[place] for run in self.runs[title]]
            precision, f1 = ([getattr(stop, name) for stop in stops] for name in ("precision", "f1"))
            terms = title, days, traffic.after(days), stops[0].reports
            yield Row(*terms, Expected.of(precision, k), Expected.of(f1, k))


def forecasts(question: Question, runs: int, seed: int) -> Iterator[Forecast]:
    """The forecast after each launch that was simulated: one on each shape, then a second one, and so on.

    Whoever has waited long enough stops asking: what there is by then is a forecast too.
    """
    check_whole("runs", runs, 1, MOST_RUNS)
    check_whole("seed", seed, 0)
    found, reports = Forecast(question), [question.traffic.after(days) for days in question.days]
    for number in range(runs):
        for shape in question.shapes:
            stops = sorted({count for count in reports if count})
            walked = walk(question.task, shape, stops, seed + number, warmup=question.warmup)
            at, nothing = dict(zip(stops, walked, strict=True)), Stop(0, 0.0, 0.0, 0)
            found.runs.setdefault(shape.title, []).append([at.get(count, nothing) for count in reports])
            yield found


def forecast_within(
    question: Question, runs: int, seed: int, seconds: float, clock: Callable[[], float], told: Callable[[int], None]
) -> Forecast:
    """As many launches as there is time for by somebody's clock; half as long again for the first one on each shape.

    `told` gets the number of launches so far.
    """
    began = before = clock()
    found = forecasts(question, runs, seed)
    for done in count(1):
        forecast = next(found)
        told(done)
        now = clock()
        last, before = now - before, now
        if now - began + last > seconds * (1.0 if done >= len(question.shapes) else PATIENCE):
            break
        if done == runs * len(question.shapes):
            break
    return forecast
