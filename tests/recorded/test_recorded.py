"""What 0.1.0 computed has changed only on purpose: commands, states, logs and documents; and a change is seen."""

import os
import subprocess
import sys
from fractions import Fraction

import numpy as np
import pytest

from hgldp.schemes import dsr
from hgldp.stores.frontier import width as frontier_width
from tests.recorded.commands import CASES, command_lines
from tests.recorded.compare import differences, explained, table
from tests.recorded.log import FIXTURE, write_fixture
from tests.recorded.parts import case_names, case_of, compute, computed
from tests.recorded.record import agrees, digest, read_original, read_recorded, rounded

RECORDED = read_recorded()
MOST_FIXTURE_BYTES = 300_000


def of_case(case: str) -> dict[str, object]:
    return {name: kept for name, kept in RECORDED.items() if case_of(name) == case}


@pytest.mark.parametrize("name", RECORDED)
def test_it_is_what_0_1_0_computed(name: str) -> None:
    content = computed(case_of(name))[name]
    assert agrees(RECORDED[name], content), f"{name} has changed\n{explained(RECORDED[name], content)}"


@pytest.mark.parametrize("case", case_names())
def test_every_case_is_recorded_with_all_that_it_finds(case: str) -> None:
    assert set(computed(case)) == set(of_case(case))


def test_nothing_is_recorded_of_cases_that_are_gone() -> None:
    assert {case_of(name) for name in RECORDED} == set(case_names())


def test_a_folder_that_is_built_anew_has_every_row_of_the_one_that_0_1_0_left() -> None:
    recorded = read_original()
    kept = {name.removeprefix("log/0.1.0/"): line for name, line in of_case("log/0.1.0").items()}
    assert len(kept) > 30
    for name, line in kept.items():
        assert recorded[f"log/rebuilt/{name}"] == line, name


def test_the_folder_of_0_1_0_is_small_and_never_written_again() -> None:
    assert FIXTURE.stat().st_size < MOST_FIXTURE_BYTES
    with pytest.raises(FileExistsError, match="made by 0"):
        write_fixture()


def test_every_simulation_states_its_warmup_and_its_seed_and_names_no_folder() -> None:
    lines = command_lines()
    assert len(lines) == len(CASES) >= 34
    for name, line in lines.items():
        if name.startswith("simulate"):
            assert "--warmup" in line or "--open" in line, name
            assert "--seed" in line, name
        assert "/tmp" not in str(computed(f"commands/{name}")), name  # noqa: S108


def test_a_scheme_that_looks_out_more_often_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dsr, "LOOKOUT", Fraction(1, 5))
    case = "states/dsr-cold"
    names = [each.name for each in differences(of_case(case), compute(case))]
    assert {f"{case}/state", f"{case}/top", f"{case}/bulletins", f"{case}/reports"} <= set(names)
    assert f"{case}/task" not in names


def test_a_frontier_that_keeps_its_cells_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(frontier_width, "WORTH_IT", 0.0)
    with pytest.raises(AssertionError, match="differ in cells"):
        compute("states/pfr-narrowing")
    case = "commands/simulate-pfr-narrowing"
    assert [each.name for each in differences(of_case(case), compute(case))] == [f"{case}/printed"]


def test_another_digest_a_missing_name_and_a_new_one_are_seen() -> None:
    case = "states/histogram-by-hand"
    state, top = f"{case}/state", f"{case}/top"
    recorded: dict[str, object] = {**of_case(case), state: digest("another"), f"{case}/gone": digest("")}
    found = {name: content for name, content in computed(case).items() if name != top} | {f"{case}/new": b"new"}
    different = differences(recorded, found)
    assert [each.name for each in different] == [f"{case}/gone", f"{case}/new", state, top]
    assert [each.found for each in different if each.name == top] == ["nothing"]
    assert table(different).count("\n") == len(different)


def test_a_document_that_changed_is_shown_line_by_line() -> None:
    name = "documents/problems/task-closed"
    text = str(computed("documents/problems")[name])
    shown = explained(RECORDED[name], text.replace("409", "410"))
    assert "-HTTP 409" in shown
    assert '+ "status": 410' in shown


def test_a_last_bit_is_no_difference_and_a_sixth_digit_is_one() -> None:
    kept = digest(rounded('{"low": 163.0, "high": 6.551280778659577, "bias": 0.0}'))
    assert agrees(kept, '{"low": 162.99999999999997, "high": 6.551280778659576, "bias": -3.1e-17}')
    assert not agrees(kept, '{"low": 163.0, "high": 6.55131, "bias": 0.0}')
    assert not agrees(kept, '{"low": 163.0, "high": 6.551280778659577, "bias": 0.001}')
    assert rounded("-0x1.75d360369f8efp+8 0x0.0p+0") == rounded("-0x1.75d360369f8eep+8 -0x1.8p-55") == "-373.826 0"


def test_the_same_reports_lead_to_the_same_bulletins_on_a_processor_with_narrower_registers() -> None:
    """Sorts that use wide registers leave equal items in another order."""
    features = np.show_config(mode="dicts")["SIMD Extensions"]  # type: ignore[call-overload]
    narrow = os.environ | {"NPY_DISABLE_CPU_FEATURES": " ".join(features.get("found", []))}
    command = [sys.executable, "-m", "tests.recorded", "states/pfr-cold", "states/pfr-default-cells", "states/dsr-cold"]
    done = subprocess.run(command, env=narrow, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
