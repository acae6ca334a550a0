"""Mistakes that were printed, published or only feared: the contract checks must refuse every one of them.

Each test says which parts of the contract break, and thereby that the others hold.
"""

from dataclasses import fields, replace
from math import inf
from typing import Any

import pytest

from hgldp.checks import CheckResult, check_mechanism, check_scheme
from hgldp.mechanisms.base import Mechanism
from hgldp.mechanisms.grr import GRR
from hgldp.mechanisms.rappor import RAPPOR
from hgldp.mechanisms.subset import SubsetSelection
from hgldp.model.bulletins import Bulletin
from hgldp.schemes.bdr import BDR
from hgldp.schemes.cnr import CNR
from hgldp.schemes.dsr import DSR
from hgldp.schemes.hot_list import HotListScheme
from tests.checks.planted_mechanisms import Forgetful, Liar, Moody, NeverClears, OneTooLarge, ThirtyTwoBits, TruthFirst
from tests.checks.planted_schemes import ColdAsItself, EverybodyHot, Indiscreet, LooseTongue, OwnBucket, PrintedResponse

EPSILONS = (0.1, 1.0, 3.0)
every_epsilon = pytest.mark.parametrize("epsilon", EPSILONS)


def broken(result: CheckResult) -> set[str]:
    """The parts of the contract that do not hold; each has a sentence.

    A planted bug inherits the kernel of the honest class, so that `kernel_equal` breaks too, or cannot run.
    """
    flags = {item.name for item in fields(result) if getattr(result, item.name) is False}
    assert result.passed == (not flags) == (not result.failures)
    return flags - {"kernel_equal"}


@every_epsilon
@pytest.mark.parametrize(
    "honest", [GRR(5, 1.0), SubsetSelection(5, 1.0, chosen=2), RAPPOR(3, 1.0, bits=2, hashes=1)], ids=lambda m: m.name
)
def test_the_honest_mechanisms_pass(honest: Mechanism[Any], epsilon: float) -> None:
    assert broken(check_mechanism(replace(honest, epsilon=epsilon))) == set()


@every_epsilon
@pytest.mark.parametrize("honest", [DSR(6, 2, 1.0), BDR(6, 2, 1.0, tight=False), CNR(6, 2, 1.0)], ids=lambda s: s.name)
def test_the_honest_schemes_pass(honest: HotListScheme, epsilon: float) -> None:
    assert broken(check_scheme(replace(honest, epsilon=epsilon))) == set()


@every_epsilon
def test_a_truth_weight_one_too_large_is_not_private(epsilon: float) -> None:
    result = check_mechanism(OneTooLarge(5, epsilon))
    assert broken(result) == {"private"}
    assert result.exact_epsilon == pytest.approx(epsilon, abs=1e-8)


@every_epsilon
def test_a_sampler_that_differs_from_its_channel_by_one_weight_is_not_exact(epsilon: float) -> None:
    assert broken(check_mechanism(Liar(5, epsilon))) == {"sampler_exact"}


@every_epsilon
def test_a_sampler_that_runs_out_of_bits_does_not_fit(epsilon: float) -> None:
    assert broken(check_mechanism(ThirtyTwoBits(5, epsilon))) == {"sampler_fits"}


def test_a_row_that_does_not_sum_to_one_is_not_normalised() -> None:
    result = check_mechanism(Forgetful(5, 1.0))
    assert not result.normalised
    assert not result.sampler_fits


def test_a_sampler_with_a_memory_is_not_deterministic() -> None:
    assert broken(check_mechanism(Moody(5, 1.0))) == {"deterministic", "sampler_exact"}


@every_epsilon
def test_subset_selection_with_the_truth_always_first_is_not_private(epsilon: float) -> None:
    result = check_mechanism(TruthFirst(5, epsilon, chosen=2))
    assert broken(result) == {"private"}
    assert result.exact_epsilon == inf


@every_epsilon
def test_rappor_that_never_clears_a_true_bit_is_not_private(epsilon: float) -> None:
    result = check_mechanism(NeverClears(3, epsilon, bits=2, hashes=1))
    assert broken(result) == {"private", "unbiased"}
    assert result.exact_epsilon == inf


@every_epsilon
def test_dsr_that_reports_a_cold_item_as_itself_is_not_private(epsilon: float) -> None:
    result = check_scheme(ColdAsItself(6, 2, epsilon))
    assert broken(result) == {"private", "unbiased"}
    assert result.exact_epsilon == inf


@every_epsilon
def test_a_report_kept_in_the_bucket_of_its_item_is_not_private(epsilon: float) -> None:
    quiet = Bulletin(bytes(32), 0, 8, (0, 3, 5))
    result = check_scheme(OwnBucket(8, 3, epsilon), [quiet])
    assert broken(result) == {"private", "unbiased"}
    assert result.exact_epsilon == inf


@every_epsilon
@pytest.mark.parametrize("scheme", [PrintedResponse, EverybodyHot])
def test_bdr_read_as_printed_or_without_the_hot_share_is_biased(scheme: type[BDR], epsilon: float) -> None:
    assert broken(check_scheme(scheme(6, 2, epsilon, tight=False))) == {"unbiased"}


@every_epsilon
def test_cnr_that_keeps_a_cold_item_a_bit_too_often_is_not_private(epsilon: float) -> None:
    result = check_scheme(Indiscreet(8, 2, epsilon))
    assert broken(result) == {"private"}
    assert epsilon < result.exact_epsilon < epsilon + 0.001


@every_epsilon
def test_cnr_clients_that_keep_a_cold_item_more_often_than_promised_are_not_exact(epsilon: float) -> None:
    assert broken(check_scheme(LooseTongue(6, 2, epsilon))) == {"sampler_exact"}
