"""Whether what clients run is the channel they promise: exactly for tiny weights, statistically for the real ones."""

from collections import Counter
from collections.abc import Hashable, Iterator
from fractions import Fraction
from functools import partial

from hgldp.checks.chi_square import distance, tail
from hgldp.checks.contract import WholeChannel
from hgldp.checks.every_draw import exact_outcomes
from hgldp.checks.subjects import Subject
from hgldp.model.randomness import SeededWords, Words, derive_seed

MOST_PATHS = 3000
DRAWS = 500
REPEATED = 40
SEED = 20_240_601
FALSE_ALARM = 1e-6


class _TooManyPathsError(Exception):
    """There may be more sequences of draws than one wants to walk through."""


class ShortPath(Words):
    """Passes draws on, and gives up on a sequence rarer than one in `MOST_PATHS`.

    As long as it does not give up, there are at most that many sequences, since their chances sum to one.
    """

    def __init__(self, words: Words) -> None:
        self.words, self.one_in = words, 1

    def word(self) -> int:
        """One in 2^64 is too rare."""
        raise _TooManyPathsError

    def below(self, bound: int) -> int:
        """The draw of the source behind."""
        self.one_in *= bound
        if self.one_in > MOST_PATHS:
            raise _TooManyPathsError
        return self.words.below(bound)


def every_outcome(subject: Subject) -> list[dict[Hashable, Fraction]] | None:
    """The exact chances of the reports of each input, over every sequence of draws; None if there are too many."""
    try:
        return [exact_outcomes(partial(_short_sample, subject, value)) for value in range(subject.inputs)]
    except _TooManyPathsError:
        return None


def _short_sample(subject: Subject, value: int, words: Words) -> Hashable:
    return subject.sample(value, ShortPath(words))


def sampler_exact(subject: Subject, _channel: WholeChannel) -> Iterator[str]:
    """With tiny weights, the reports over every sequence of draws have exactly the chances of the channel."""
    for tiny in subject.tiny():
        found = every_outcome(tiny)
        if found is None:
            continue
        for value, (outcomes, row) in enumerate(zip(found, tiny.channel(), strict=True)):
            wrong = sum(outcomes.get(report, 0) != row.get(report, 0) for report in {*outcomes, *row})
            if wrong:
                yield f"{tiny.title} with tiny weights: input {value} has {wrong} reports off their exact chance"
        return
    yield f"{subject.title}: every tiny version has more than {MOST_PATHS} sequences of draws: check a smaller one"


def sampler_fits(subject: Subject, channel: WholeChannel, false_alarm: float = FALSE_ALARM) -> Iterator[str]:
    """With the real weights, a seeded sample fits the channel by χ²."""
    statistic, freedom = 0.0, 0
    for value, row in enumerate(channel.rows):
        words = SeededWords(derive_seed(SEED, value))
        seen = Counter(subject.sample(value, words) for _ in range(DRAWS))
        if any(not row.get(report) for report in seen):
            yield f"{subject.title}: input {value} causes a report that its row holds impossible"
            return
        step, degrees = distance(seen, row)
        statistic, freedom = statistic + step, freedom + degrees
    if tail(statistic, freedom) < false_alarm:
        yield f"{subject.title}: the sampler does not fit the channel, χ² = {statistic:.1f} on {freedom} degrees"


def deterministic(subject: Subject, _channel: WholeChannel) -> Iterator[str]:
    """The same seed gives the same reports."""
    for value in range(subject.inputs):
        first, second = (_reports(subject, value) for _ in range(2))
        if first != second:
            yield f"{subject.title}: input {value} gives other reports from the same seed"


def _reports(subject: Subject, value: int) -> list[Hashable]:
    words = SeededWords(derive_seed(SEED, value))
    return [subject.sample(value, words) for _ in range(REPEATED)]
