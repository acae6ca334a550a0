"""Cyclic response: its channel, its choice of set, and how near it comes to subset selection."""

from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from hgldp.checks import check_mechanism
from hgldp.errors import InvalidField
from hgldp.mechanisms.cyclic import CyclicResponse
from hgldp.mechanisms.difference_sets import DifferenceSet
from hgldp.mechanisms.subset import SubsetSelection

EPSILONS = (0.5, 1.0, 2.0, 4.0)
CHOICES = {
    64: ((15.55, 121), (3.58, 85), (0.678, 73), (0.041, 64)),
    128: ((16.36, 131), (3.76, 156), (0.712, 133), (0.063, 128)),
    256: ((15.73, 364), (3.66, 341), (0.724, 400), (0.090, 553)),
    512: ((15.79, 1093), (3.76, 1093), (0.719, 585), (0.081, 1057)),
}
ABOVE_SUBSET = {0.5: (1.029, 1.064), 1.0: (1.016, 1.167), 2.0: (1.008, 1.067), 4.0: (1.036, 1.472)}


@pytest.mark.parametrize("epsilon", [0.1, 0.5, 1.0, 2.0, 4.0])
@pytest.mark.parametrize("size", [2, 5, 7, 10, 13])
def test_the_whole_contract_holds_with_exactly_epsilon(size: int, epsilon: float) -> None:
    """The sampler's χ² has a fixed seed and a false-alarm rate of 1e-6."""
    result = check_mechanism(CyclicResponse(size, epsilon))
    assert result.failures == ()
    assert result.kernel_equal
    assert result.exact_epsilon == pytest.approx(epsilon, abs=1e-6)


def test_the_small_cases_are_more_than_plain_randomised_response() -> None:
    assert [len(CyclicResponse(size, 0.5).members) for size in (2, 5, 7, 10, 13)] == [1, 1, 3, 5, 4]


class Misread(CyclicResponse):
    """Planted: a set whose differences do not come equally often."""

    @property
    def difference_set(self) -> DifferenceSet:  # type: ignore[override]
        return PlantedSet(7, 3, 1, "residues")


class PlantedSet(DifferenceSet):
    @property
    def members(self) -> tuple[int, ...]:
        return (1, 2, 3)


def test_a_set_that_is_no_difference_set_is_refused() -> None:
    result = check_mechanism(Misread(5, 1.0))
    assert not result.unbiased
    assert result.private


@pytest.mark.parametrize("size", CHOICES)
def test_the_best_set_is_the_one_that_was_computed_by_hand(size: int) -> None:
    for epsilon, (variance, modulus) in zip(EPSILONS, CHOICES[size], strict=True):
        mechanism = CyclicResponse(size, epsilon)
        assert mechanism.modulus == modulus
        assert mechanism.variance == pytest.approx(variance, abs=0.005 if variance > 1 else 0.0006)
        assert (len(mechanism.members) == 1) == (modulus == size)


@cache
def above_subset(epsilon: float) -> npt.NDArray[np.float64]:
    """The variance of every size up to 4,096, in that of subset selection."""
    return np.array(
        [CyclicResponse(size, epsilon).variance / SubsetSelection(size, epsilon).variance for size in range(2, 4097)]
    )


@pytest.mark.parametrize("epsilon", ABOVE_SUBSET)
def test_every_size_can_be_built_and_is_as_far_above_subset_selection_as_stated(epsilon: float) -> None:
    ratios = above_subset(epsilon)[62:]
    mean, most = ABOVE_SUBSET[epsilon]
    assert ratios.mean() == pytest.approx(mean, abs=0.001)
    assert most - 0.001 < ratios.max() <= most
    assert ratios.min() > 1 - 1e-9


def test_at_epsilon_1_only_sizes_just_above_a_set_are_more_than_an_eighth_above() -> None:
    """The gap after M = 1,365: three in a hundred sizes, and none at ε of a half or 2."""
    beyond = {epsilon: np.flatnonzero(above_subset(epsilon)[62:] > 1.12) + 64 for epsilon in (0.5, 1.0, 2.0)}
    assert {epsilon: sizes.size for epsilon, sizes in beyond.items()} == {0.5: 0, 1.0: 125, 2.0: 0}
    assert beyond[1.0].min() > 1365


def test_a_report_is_one_or_two_bytes_and_the_server_counts_residues() -> None:
    assert [CyclicResponse(size, 1.0).report_bytes for size in (5, 64, 256, 4096)] == [1, 1, 2, 2]
    assert CyclicResponse(256, 1.0).counters == 341


def test_p_and_q_are_exact_fractions_of_the_weights() -> None:
    mechanism = CyclicResponse(64, 2.0)
    c, shared = len(mechanism.members), mechanism.difference_set.overlap
    truth, scale = mechanism.truth, mechanism.scale
    total = c * truth + (mechanism.modulus - c) * scale
    assert mechanism.p == Fraction(c * truth, total)
    assert mechanism.q == Fraction(shared * truth + (c - shared) * scale, total)


@pytest.mark.parametrize("size", [4097, 41_270])
def test_more_values_than_there_are_sets_for_are_refused(size: Any) -> None:
    with pytest.raises(InvalidField, match="size must be at most 4096 for a difference set"):
        CyclicResponse(size, 1.0)
