"""What can be proven of a channel with fractions alone: it is one, it is private, and it is read without bias.

Each check yields a sentence for everything that is wrong, and nothing if all is well.
"""

from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import inf, lcm

from hgldp.checks.subjects import Subject
from hgldp.errors import InvalidField
from hgldp.model.weights import spent, within


@dataclass(frozen=True)
class WholeChannel:
    """A channel as whole numbers over one denominator, which is exact and quick."""

    rows: list[dict[Hashable, Fraction]]

    @cached_property
    def total(self) -> int:
        """The denominator."""
        return lcm(*(chance.denominator for row in self.rows for chance in row.values()))

    @cached_property
    def weights(self) -> list[dict[Hashable, int]]:
        """The numerators."""
        return [
            {report: chance.numerator * (self.total // chance.denominator) for report, chance in row.items()}
            for row in self.rows
        ]

    @cached_property
    def reports(self) -> list[Hashable]:
        """Everything that some input can cause."""
        return list({report: None for row in self.weights for report, weight in row.items() if weight})

    @cached_property
    def worst(self) -> Fraction | None:
        """The worst ratio between two inputs' chances of one report; None if it is infinite."""
        worst = Fraction(1)
        for report in self.reports:
            chances = [row.get(report, 0) for row in self.weights]
            low, high = min(chances), max(chances)
            if low <= 0:
                return None
            if high * worst.denominator > worst.numerator * low:
                worst = Fraction(high, low)
        return worst


def exact_epsilon(channel: WholeChannel) -> float:
    """The ε that a channel really spends."""
    return inf if channel.worst is None else spent(channel.worst)


def normalised(subject: Subject, channel: WholeChannel) -> Iterator[str]:
    """There is a row for each input; no chance is negative, and those of a row sum to one."""
    if len(channel.rows) != subject.inputs:
        yield f"{subject.title}: {len(channel.rows)} rows for {subject.inputs} inputs"
    for value, row in enumerate(channel.weights):
        if any(weight < 0 for weight in row.values()):
            yield f"{subject.title}: row {value} has a negative chance"
        if sum(row.values()) != channel.total:
            yield f"{subject.title}: row {value} sums to {Fraction(sum(row.values()), channel.total)}, not to 1"


def private(subject: Subject, channel: WholeChannel) -> Iterator[str]:
    """The exact worst ratio is at most e^ε."""
    if channel.worst is None:
        yield f"{subject.title}: some report is possible for one input and impossible for another"
    elif not within(channel.worst, subject.epsilon):
        yield f"{subject.title}: the worst ratio spends {spent(channel.worst)}, more than {float(subject.epsilon)}"


def unbiased(subject: Subject, channel: WholeChannel) -> Iterator[str]:
    """The expected estimate of each target is 1 for its own input and 0 for every other."""
    try:
        lines = {report: subject.adds(report) for report in channel.reports}
    except InvalidField as refused:
        yield f"{subject.title}: the server refuses what its own clients send: {refused}"
        return
    for place, target in enumerate(subject.targets()):
        unit = lcm(*(line[place].denominator for line in lines.values()))
        parts = {report: int(line[place] * unit) for report, line in lines.items()}
        for value, row in enumerate(channel.weights):
            mean = Fraction(
                sum(weight * parts[report] for report, weight in row.items() if weight), unit * channel.total
            )
            if mean != (value == target):
                found = f"input {value} adds {float(mean)} to the estimate of {target}"
                yield f"{subject.title}: {found}, not {int(value == target)}"
