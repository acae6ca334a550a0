"""Everything that is registered keeps the whole contract, at every ε that the mission names."""

import json
import subprocess
import sys
from dataclasses import asdict

import pytest

from hgldp.checks import check, check_mechanism, check_scheme, run
from hgldp.checks.cases import registered_cases
from hgldp.checks.subjects import SchemeSubject
from hgldp.errors import InvalidField
from hgldp.mechanisms.grr import GRR
from hgldp.mechanisms.registry import MECHANISMS
from hgldp.model.bulletins import Bulletin
from hgldp.schemes.dsr import DSR
from hgldp.schemes.registry import HOT_LISTS

TIGHT = {*HOT_LISTS, *MECHANISMS} - {"rappor"}


@pytest.mark.parametrize("epsilon", [0.1, 0.5, 1.0, 3.0])
@pytest.mark.parametrize("name", registered_cases())
def test_the_whole_contract_holds(name: str, epsilon: float) -> None:
    """The sampler's χ² has a fixed seed and a false-alarm rate of 1e-6."""
    result = next(result for result in run([name], [epsilon]) if result.name == name)
    assert result.failures == ()
    assert result.passed
    assert 0 < result.exact_epsilon <= epsilon
    if name in TIGHT:
        assert result.exact_epsilon == pytest.approx(epsilon, abs=1e-6)


def test_every_mechanism_and_scheme_is_looked_at_and_the_printed_splits_too() -> None:
    assert {*MECHANISMS, *HOT_LISTS, "pfr", "pfr (hints)", "bdr (printed split)", "cnr (printed split)"} == set(
        registered_cases()
    )


def test_a_name_stands_for_its_variants_too() -> None:
    assert [result.name for result in run(["bdr"], [1.0])] == ["bdr", "bdr (printed split)"]
    assert [result.name for result in run(["bdr (printed split)"], [1.0])] == ["bdr (printed split)"]


def test_an_unknown_name_is_refused() -> None:
    with pytest.raises(InvalidField, match=r"name must be one of grr, .*, got nonsense"):
        run(["grr", "nonsense"], [1.0])


@pytest.mark.parametrize("epsilon", [0.0, -1.0, float("nan"), float("inf")])
def test_a_budget_that_is_none_is_refused(epsilon: float) -> None:
    with pytest.raises(InvalidField, match="epsilon must be finite and above 0"):
        run(["grr"], [epsilon])


def test_a_result_is_plain_data() -> None:
    (result,) = run(["grr"], [0.5])
    assert json.loads(json.dumps(asdict(result))) == {
        "name": "grr",
        "epsilon": 0.5,
        "exact_epsilon": pytest.approx(0.5, abs=1e-9),
        "normalised": True,
        "private": True,
        "unbiased": True,
        "sampler_exact": True,
        "sampler_fits": True,
        "deterministic": True,
        "kernel_equal": True,
        "memory_constant": None,
        "failures": [],
    }


def test_a_domain_too_large_to_list_is_refused() -> None:
    with pytest.raises(InvalidField, match="size must be at most 64 for the exact checks, got 1000"):
        check_mechanism(GRR(1000, 1.0))
    with pytest.raises(InvalidField, match="domain_size must be at most 64 for the exact checks, got 1000"):
        check_scheme(DSR(1000, 3, 1.0))


def test_nothing_to_check_is_refused() -> None:
    with pytest.raises(InvalidField, match="subjects must hold at least one, got 0"):
        check("nothing", [])


def test_the_exact_epsilon_is_the_worst_over_all_subjects() -> None:
    quiet = Bulletin(bytes(32), 0, 6, (1, 4))
    subjects = [SchemeSubject(DSR(6, 2, epsilon), quiet) for epsilon in (0.5, 1.0)]
    assert check("two budgets", subjects).exact_epsilon == pytest.approx(1.0)


def test_the_checks_need_the_standard_library_alone() -> None:
    script = """
import sys
sys.modules.update(dict.fromkeys(("numpy", "numba", "scipy")))
from hgldp.checks import run
assert all(result.passed for result in run(["grr", "dsr"], [1.0]))
"""
    assert subprocess.run([sys.executable, "-c", script], check=False).returncode == 0
