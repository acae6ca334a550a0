"""The exact checks on channels small enough to do by hand."""

from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import inf, log

import pytest

from hgldp.checks.contract import WholeChannel, exact_epsilon, normalised, private, unbiased
from hgldp.checks.subjects import Subject
from hgldp.model.randomness import Words

HALF, THIRD = Fraction(1, 2), Fraction(1, 3)


@dataclass(frozen=True)
class ByHand(Subject):
    """A coin with its estimator written down."""

    rows: list[dict[Hashable, Fraction]]
    worth: dict[Hashable, list[Fraction]]
    title = "a coin"
    epsilon = 1.0

    @property
    def inputs(self) -> int:
        return 2

    def channel(self) -> list[dict[Hashable, Fraction]]:
        return self.rows

    def sample(self, value: int, words: Words) -> Hashable:
        return value if words.below(3) else 1 - value

    def targets(self) -> tuple[int, ...]:
        return (0, 1)

    def adds(self, report: Hashable) -> list[Fraction]:
        return self.worth[report]

    def tiny(self) -> Iterator[Subject]:
        yield self


COIN: list[dict[Hashable, Fraction]] = [{0: 1 - THIRD, 1: THIRD}, {0: THIRD, 1: 1 - THIRD}]
WORTH: dict[Hashable, list[Fraction]] = {0: [Fraction(2), Fraction(-1)], 1: [Fraction(-1), Fraction(2)]}


def test_a_fair_lie_passes_every_exact_check_and_spends_ln_2() -> None:
    subject, channel = ByHand(COIN, WORTH), WholeChannel(COIN)
    assert [*normalised(subject, channel), *private(subject, channel), *unbiased(subject, channel)] == []
    assert channel.worst == 2
    assert exact_epsilon(channel) == pytest.approx(log(2), abs=1e-15)


def test_a_ratio_above_the_budget_is_named() -> None:
    rows: list[dict[Hashable, Fraction]] = [{0: Fraction(3, 4), 1: Fraction(1, 4)}, COIN[1] | {0: Fraction(1, 4)}]
    (sentence,) = private(ByHand(rows, WORTH), WholeChannel(rows))
    assert sentence == f"a coin: the worst ratio spends {log(3)}, more than 1.0"


def test_a_report_that_betrays_its_input_has_no_finite_epsilon() -> None:
    rows: list[dict[Hashable, Fraction]] = [{0: Fraction(1)}, {0: HALF, 1: HALF}]
    channel = WholeChannel(rows)
    assert exact_epsilon(channel) == inf
    assert list(private(ByHand(rows, WORTH), channel)) == [
        "a coin: some report is possible for one input and impossible for another"
    ]


def test_a_report_that_no_input_causes_betrays_nobody() -> None:
    channel = WholeChannel([row | {"never": Fraction(0)} for row in COIN])
    assert channel.worst == 2


def test_a_negative_chance_a_missing_row_and_a_lost_remainder_are_named() -> None:
    rows: list[dict[Hashable, Fraction]] = [{0: Fraction(3, 2), 1: -HALF}]
    assert list(normalised(ByHand(rows, WORTH), WholeChannel(rows))) == [
        "a coin: 1 rows for 2 inputs",
        "a coin: row 0 has a negative chance",
    ]
    rows = [COIN[0], {0: THIRD, 1: HALF}]
    assert list(normalised(ByHand(rows, WORTH), WholeChannel(rows))) == ["a coin: row 1 sums to 5/6, not to 1"]


def test_a_bias_is_named_for_each_pair_it_touches() -> None:
    worth = WORTH | {0: [Fraction(3), Fraction(-1)]}
    assert list(unbiased(ByHand(COIN, worth), WholeChannel(COIN))) == [
        "a coin: input 0 adds 1.6666666666666667 to the estimate of 0, not 1",
        "a coin: input 1 adds 0.3333333333333333 to the estimate of 0, not 0",
    ]
