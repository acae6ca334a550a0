"""The inverse questions: how many reports, or which ε, a wanted share of the top k takes."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from math import exp, log, sqrt

from hgldp.errors import InvalidField
from hgldp.model.task import Task
from hgldp.planning.forecast import LaunchQuestion, MeanShare
from hgldp.planning.launch import MOST_ONE_BY_ONE, Found, launch
from hgldp.planning.shapes import Shape
from hgldp.schemes.pfr import PFR

FEWEST, MOST_REPORTS, FACTOR = 1_000, 3_000_000_000, 1.5
LEAST_EPSILON, MOST_EPSILON, NEAR = 0.1, 10.0, 1.08
Progress = Callable[[], None]


@dataclass(frozen=True)
class Least:
    """The least that suffices, and between which two it lies as far as the simulated launches can tell.

    `found` is None if nothing that may be asked for suffices; `high` is None if nothing does surely.
    """

    found: float | None
    low: float
    high: float | None
    tried: tuple[tuple[float, MeanShare], ...]


def check_wanted(wanted: float) -> float:
    """A share above 0 and below 1."""
    if not 0 < wanted < 1:
        raise InvalidField("wanted", "must lie above 0 and below 1", wanted)
    return wanted


def fewest_reports(
    question: LaunchQuestion, shape: Shape, wanted: float, launches: int, seed: int, told: Progress
) -> Least:
    """How many reports it takes on this shape until the wanted share is found on average.

    Several launches grow side by side until their mean stays above; one launch serves all numbers of reports.
    """
    check_wanted(wanted)
    most = MOST_REPORTS if question.task.scheme == PFR.name else MOST_ONE_BY_ONE
    stops = [FEWEST]
    while stops[-1] < most:
        stops.append(min(most, int(stops[-1] * FACTOR)))
    side_by_side = [
        launch(question.task, shape, stops, seed + each, warmup=question.warmup) for each in range(launches)
    ]
    tried: list[tuple[float, MeanShare]] = []
    for now in zip(*side_by_side, strict=True):
        told()
        tried.append((float(now[0].reports), MeanShare.of(shares_of(now, question), question.task.k)))
        if len(tried) > 1 and all(share.mean - share.error >= wanted for _, share in tried[-2:]):
            break
    return _crossing(tried, wanted)


def shares_of(found: Sequence[Found], question: LaunchQuestion) -> list[float]:
    """What is asked for, of each of them."""
    return [getattr(each, question.metric) for each in found]


def _crossing(tried: list[tuple[float, MeanShare]], wanted: float) -> Least:
    """Where the mean reaches the wanted share for good, between two numbers on a scale of factors."""
    found = _reaches(tried, lambda share: share.mean, wanted)
    low = _reaches(tried, lambda share: share.mean + share.error, wanted)
    high = _reaches(tried, lambda share: share.mean - share.error, wanted)
    return Least(found, tried[-1][0] if low is None else low, high, tuple(tried))


def _reaches(tried: list[tuple[float, MeanShare]], curve: Callable[[MeanShare], float], wanted: float) -> float | None:
    """The place after which the curve stays at the wanted share; None if it ends below."""
    values = [curve(share) for _, share in tried]
    if values[-1] < wanted:
        return None
    below = [place for place, value in enumerate(values) if value < wanted]
    if not below:
        return tried[0][0]
    place = below[-1]
    part = (wanted - values[place]) / (values[place + 1] - values[place])
    return exp(log(tried[place][0]) + part * log(tried[place + 1][0] / tried[place][0]))


def smallest_epsilon(
    question: LaunchQuestion, shape: Shape, wanted: float, days: int, launches: int, seed: int, told: Progress
) -> Least:
    """The smallest ε at which the wanted share is found after so many days, by bisection from 0.1 to 10."""
    check_wanted(wanted)
    reports, tried = question.traffic.after(days), dict[float, MeanShare]()
    if not reports:
        raise InvalidField("days", "must be enough for the first report", days)

    def share(epsilon: float) -> MeanShare:
        told()
        task = at_epsilon(question.task, epsilon)
        ends = [next(launch(task, shape, [reports], seed + each, warmup=question.warmup)) for each in range(launches)]
        tried[epsilon] = MeanShare.of(shares_of(ends, question), task.k)
        return tried[epsilon]

    for epsilon in _bisected(LEAST_EPSILON, MOST_EPSILON, lambda epsilon: share(epsilon).mean >= wanted):
        found = epsilon
    order = sorted(tried.items())
    enough = found if tried[found].mean >= wanted else None
    surely_not = [epsilon for epsilon, each in order if each.mean + each.error < wanted]
    surely = [epsilon for epsilon, each in order if each.mean - each.error >= wanted]
    low = max((each for each in surely_not if enough is None or each < enough), default=LEAST_EPSILON)
    high = min((each for each in surely if each > low), default=None)
    return Least(enough, low, high, tuple(order))


def _bisected(low: float, high: float, suffices: Callable[[float], bool]) -> Iterator[float]:
    """The least that suffices so far, on a scale of factors; only the upper end if that does not."""
    yield high
    if not suffices(high):
        return
    if suffices(low):
        yield low
        return
    while high / low > NEAR:
        middle = float(f"{sqrt(low * high):.2g}")
        if middle in (low, high):
            return
        if suffices(middle):
            high = middle
            yield high
        else:
            low = middle


def at_epsilon(task: Task, epsilon: float) -> Task:
    """The same task with another ε."""
    return replace(task, budget=replace(task.budget, epsilon=epsilon))
