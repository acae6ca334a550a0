"""Leaks that were published, planted again and refused: each sampler is listed draw by draw and judged as a channel."""

from collections.abc import Callable
from typing import Any

from hgldp.checks.every_draw import exact_outcomes
from hgldp.mechanisms.oue import OUE
from hgldp.mechanisms.rappor import RAPPOR, BloomReport
from hgldp.mechanisms.subset import SubsetSelection
from hgldp.model.randomness import Words
from tests.mechanisms.exact import Rows, private, sums_to_one

EPSILON = 2.0
SCALE = 3


def rows_of(randomize: Callable[[int, Words], Any], size: int) -> Rows:
    return [exact_outcomes(lambda words, value=value: randomize(value, words)) for value in range(size)]


def test_subset_selection_that_reports_the_truth_first_is_refused() -> None:
    honest = SubsetSelection(5, EPSILON, chosen=2, scale=SCALE)

    def truth_first(value: int, words: Words) -> tuple[int, ...]:
        mask = honest.randomize(value, words)
        members = [member for member in range(honest.size) if mask >> member & 1]
        return tuple(sorted(members, key=lambda member: (member != value, member)))

    leaking = rows_of(truth_first, honest.size)
    assert sums_to_one(leaking)
    assert not private(leaking, EPSILON)
    assert private(rows_of(honest.randomize, honest.size), EPSILON)


def test_subset_selection_with_the_truth_always_in_is_refused() -> None:
    honest = SubsetSelection(5, EPSILON, chosen=2, scale=SCALE)
    leaking = rows_of(lambda value, words: honest.randomize(value, words) | 1 << value, honest.size)
    assert not private(leaking, EPSILON)


def test_rappor_that_never_clears_a_true_bit_is_refused() -> None:
    honest = RAPPOR(2, EPSILON, bits=2, hashes=1, scale=SCALE)

    def keeps_true_bits(value: int, words: Words) -> BloomReport:
        keys, mask = honest.randomize(value, words)
        return keys, mask | honest.filter(keys, value)

    leaking = rows_of(keeps_true_bits, honest.size)
    assert sums_to_one(leaking)
    assert not private(leaking, EPSILON)
    assert private(rows_of(honest.randomize, honest.size), EPSILON)


def test_oue_that_never_clears_the_own_bit_is_refused() -> None:
    honest = OUE(3, EPSILON, scale=SCALE)
    leaking = rows_of(lambda value, words: honest.randomize(value, words) | 1 << value, honest.size)
    assert sums_to_one(leaking)
    assert not private(leaking, EPSILON)
    assert private(rows_of(honest.randomize, honest.size), EPSILON)


def test_a_key_that_depends_on_the_value_is_refused() -> None:
    """The key is public, so it must be drawn without looking at the value."""
    honest = RAPPOR(3, EPSILON, bits=2, hashes=1, scale=SCALE)

    def favourite_key(value: int, words: Words) -> BloomReport:
        keys, mask = honest.randomize(value, words)
        return ((keys[0][0], value),), mask

    assert not private(rows_of(favourite_key, honest.size), EPSILON)
