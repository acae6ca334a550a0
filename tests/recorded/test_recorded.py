"""What the code computes has changed only on purpose: states, logs, documents and clients. And a change is seen."""

from fractions import Fraction

import pytest

from hgldp.collector.log import shown_top
from hgldp.collector.log.task_copy import ranked_items
from hgldp.schemes import dsr
from hgldp.stores.frontier import width as frontier_width
from tests.recorded.agreement import assert_as_recorded
from tests.recorded.commands import command_lines
from tests.recorded.compare import changes_of, differences, report
from tests.recorded.kinds import KINDS, case_names, case_of, compute, read_recorded
from tests.recorded.record import Entry, agrees, digest, entry, rounded

SLOW_LOG = "log/database"  # tests/slow/recorded
STATES = {
    "hot lists": ("states/bgr", "states/dsr", "states/bdr", "states/cnr"),
    "listed": ("states/pfr",),
    "strings": ("states/strings", "states/hints"),
    "sketches": ("states/heavyguardian", "states/histogram"),
}


def of_case(case: str) -> dict[str, Entry]:
    kind = case.partition("/")[0]
    return {name: kept for name, kept in read_recorded([kind]).items() if case_of(name) == case}


@pytest.mark.parametrize("group", STATES)
def test_states_are_as_recorded(group: str) -> None:
    assert_as_recorded(*STATES[group])


def test_what_a_collector_keeps_is_as_recorded() -> None:
    assert_as_recorded("log/", without=(SLOW_LOG,))


def test_what_a_collector_says_is_as_recorded() -> None:
    assert_as_recorded("documents/")


@pytest.mark.parametrize("kind", ["device", "people"])
def test_what_a_client_takes_and_sends_is_as_recorded(kind: str) -> None:
    assert_as_recorded(f"clients/{kind}")


def test_every_case_belongs_to_a_test_of_its_kind() -> None:
    assert KINDS.keys() == {"states", "log", "documents", "clients", "commands"}
    states = [beginning for group in STATES.values() for beginning in group]
    assert case_names(*states) == case_names("states/")
    assert len(case_names("clients/device", "clients/people")) == len(case_names("clients/"))


def test_every_simulation_states_its_warmup_and_its_seed_and_every_plan_how_much_it_simulates() -> None:
    lines = command_lines()
    for name, line in lines.items():
        if name.startswith("simulate"):
            assert "--warmup" in line or "--open" in line, name
        if name.startswith(("simulate", "plan")):
            assert "--seed" in line, name
        if name.startswith("plan"):
            assert "--launches 2 --seconds 1000" in line, name


def test_a_scheme_that_looks_out_more_often_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dsr, "LOOKOUT", Fraction(1, 5))
    case = "states/dsr-cold"
    names = [each.name for each in changes_of(of_case(case), [case])]
    assert {f"{case}/state", f"{case}/top", f"{case}/bulletins", f"{case}/reports"} <= set(names)
    assert f"{case}/task" not in names


def test_a_frontier_that_keeps_its_cells_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(frontier_width, "WORTH_IT", 0.0)
    broken = changes_of({}, ["states/pfr-narrowing"])
    assert "differ in cells" in report(broken)
    case = "commands/simulate-pfr-narrowing"
    assert [each.name for each in changes_of(of_case(case), [case])] == [f"{case}/printed"]


def test_an_estimator_that_drops_a_line_is_seen_in_what_a_collector_publishes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shown_top, "ranked_items", lambda answer, before: ranked_items(answer, before)[:-1])
    names = {each.name for each in changes_of(of_case("log/folder"), ["log/folder"])}
    assert {"log/folder/range-results", "log/folder/dsr-results"} <= names
    assert not names & {"log/folder/range-uploads", "log/folder/range-state", "log/folder/receipts"}


def test_all_differences_are_listed_and_one_that_breaks_hides_no_other() -> None:
    case = "states/histogram-by-hand"
    state, top = f"{case}/state", f"{case}/top"
    recorded: dict[str, Entry] = {**of_case(case), state: digest("another"), f"{case}/gone": digest("")}
    found = {name: content for name, content in compute(case).items() if name != top} | {f"{case}/new": b"new"}
    different = differences(recorded, found)
    assert [each.name for each in different] == [f"{case}/gone", f"{case}/new", state, top]
    assert [each.found for each in different if each.name == top] == [None]
    assert all(name in report(different) for name in (f"{case}/gone", f"{case}/new", state, top))
    beside = changes_of(of_case(case) | {state: digest("another")}, ["states/nothing", case])
    assert [each.name for each in beside] == [state, "states/nothing/broken"]


def test_something_recorded_of_a_case_that_is_gone_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.recorded.agreement.case_names", lambda *_: ["states/histogram-by-hand"])
    with pytest.raises(AssertionError) as found:
        assert_as_recorded("states/histogram-by-hand")
    assert "states/histogram-by-hand-wide/state" in str(found.value)
    assert "states/histogram-by-hand/state" not in str(found.value)


def test_a_document_that_changed_is_shown_line_by_line() -> None:
    name = "documents/problems/task-closed"
    text = str(compute("documents/problems")[name])
    shown = report(differences({name: read_recorded(["documents"])[name]}, {name: text.replace("409", "410")}))
    assert "-HTTP 409" in shown
    assert "+HTTP 410" in shown


def test_a_last_bit_is_no_difference_and_a_sixth_digit_is_one() -> None:
    kept = entry("x", '{"low": 163.0, "high": 6.551280778659577, "bias": 0.0}')
    same = entry("x", '{"low": 162.99999999999997, "high": 6.551280778659576, "bias": -3.1e-17}')
    assert agrees(kept, same)
    assert not agrees(kept, same, exact=True)
    assert not agrees(kept, entry("x", '{"low": 163.0, "high": 6.55131, "bias": 0.0}'))
    assert not agrees(kept, entry("x", '{"low": 163.0, "high": 6.551280778659577, "bias": 0.001}'))
    assert rounded("-0x1.75d360369f8efp+8 0x0.0p+0") == rounded("-0x1.75d360369f8eep+8 -0x1.8p-55") == "-373.826 0"
