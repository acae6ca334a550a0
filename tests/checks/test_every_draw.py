from fractions import Fraction

import pytest

from hgldp.checks.every_draw import EveryDraw, exact_outcomes
from hgldp.errors import InvalidField
from hgldp.model.randomness import Words


def test_branches_of_different_length_keep_their_own_probability() -> None:
    def sample(words: Words) -> str:
        return "first" if words.below(3) == 0 else f"second {words.below(2)}"

    assert exact_outcomes(sample) == {
        "first": Fraction(1, 3),
        "second 0": Fraction(1, 3),
        "second 1": Fraction(1, 3),
    }


def test_a_sampler_that_draws_nothing_has_one_outcome() -> None:
    assert exact_outcomes(lambda words: "always") == {"always": 1}


def test_a_rejection_loop_with_a_bound_is_listed_exactly() -> None:
    """Two dice until they differ, at most twice."""

    def sample(words: Words) -> bool:
        return any(words.below(2) != words.below(2) for _ in range(2))

    assert exact_outcomes(sample) == {True: Fraction(3, 4), False: Fraction(1, 4)}


def test_a_raw_word_and_a_draw_before_the_start_are_refused() -> None:
    with pytest.raises(InvalidField, match="below"):
        exact_outcomes(lambda words: words.word())
    with pytest.raises(InvalidField, match="rewind"):
        EveryDraw().below(2)


def test_a_sampler_that_remembers_earlier_runs_is_refused() -> None:
    bounds = iter([2, 3, 2, 3])
    with pytest.raises(InvalidField, match="bound"):
        exact_outcomes(lambda words: words.below(next(bounds)))
