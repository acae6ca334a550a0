"""The field's published figures, from our exact fractions."""

from math import exp

import pytest

from hgldp.mechanisms.grr import GRR
from hgldp.mechanisms.hadamard import HadamardResponse
from hgldp.mechanisms.olh import OLH
from hgldp.mechanisms.oue import OUE
from hgldp.mechanisms.subset import SubsetSelection

TOLERANCE = 0.02
VARIANCES = [
    # size, ε, GRR, OUE/OLH, HR, subset selection
    (20, 1.0, 7.02, 3.68, 4.68, 3.22),
    (20, 2.0, 0.622, 0.724, 1.18, 0.549),
    (20, 3.0, 0.105, 0.221, None, 0.105),
    (1000, 2.0, 24.6, 0.724, 1.27, 0.721),
    (41270, 2.0, 1011, 0.724, 1.27, 0.724),
]


@pytest.mark.parametrize(("size", "epsilon", "grr", "oue", "hadamard", "subset"), VARIANCES)
def test_the_variance_of_a_report_is_the_fields_figure(
    size: int, epsilon: float, grr: float, oue: float, hadamard: float | None, subset: float
) -> None:
    assert GRR(size, epsilon).variance == pytest.approx(grr, rel=TOLERANCE)
    assert OUE(size, epsilon).variance == pytest.approx(oue, rel=TOLERANCE)
    assert SubsetSelection(size, epsilon).variance == pytest.approx(subset, rel=TOLERANCE)
    if hadamard is not None:
        assert HadamardResponse(size, epsilon).variance == pytest.approx(hadamard, rel=TOLERANCE)


@pytest.mark.parametrize(("size", "epsilon", "_grr", "oue", "_hadamard", "subset"), VARIANCES)
def test_olh_is_at_its_limit_for_many_values_and_below_it_for_few(
    size: int, epsilon: float, _grr: float, oue: float, _hadamard: float, subset: float
) -> None:
    """The limit assumes that buckets collide with probability 1/g; drawing residues without replacement does better."""
    variance = OLH(size, epsilon).variance
    assert subset * (1 - TOLERANCE) < variance < oue * (1 + TOLERANCE)
    if size >= 1000:
        assert variance == pytest.approx(oue, rel=TOLERANCE)


def test_hadamard_response_over_20_symbols_at_epsilon_3_pays_for_whole_values_per_block() -> None:
    """The figure .316 is what 16 blocks with 20/16 = 1.25 values in each would give.

    Values are whole: four blocks hold two and twelve hold one, which is .337, and no other power of two is better.
    """
    e, blocks, size = exp(3), 16, 20
    same = (size / blocks - 1) / (size - 1)
    idealised = (same * (e + 1) + (1 - same) * 2) * (e + 2 * blocks - 1) / (e - 1) ** 2
    assert idealised == pytest.approx(0.316, rel=TOLERANCE)
    exact = HadamardResponse(size, 3.0)
    assert exact.block_count == blocks
    assert exact.variance == pytest.approx(0.3368, rel=1e-3)


@pytest.mark.parametrize("epsilon", [0.5, 1.0, 2.0, 4.0])
def test_one_block_has_the_variance_of_the_original_and_not_four_times_it(epsilon: float) -> None:
    variance = HadamardResponse(1000, epsilon, blocks=1).variance
    assert variance == pytest.approx((exp(epsilon) + 1) ** 2 / (exp(epsilon) - 1) ** 2, rel=1e-6)


@pytest.mark.parametrize(("epsilon", "grr", "olh"), [(1.0, 24019, 3.3), (2.0, 6460, 2.3), (4.0, 771, 2.0)])
def test_a_forged_report_is_worth_what_the_field_says(epsilon: float, grr: int, olh: float) -> None:
    assert round(GRR(41270, epsilon).leverage) == grr
    assert round(OLH(41270, epsilon).leverage, 1) == olh
