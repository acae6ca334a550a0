"""`hgldp schemes`: every promise with its numbers."""

import json
import tracemalloc

import pytest

from hgldp.cli import main
from hgldp.collector.statement import privacy_statement
from hgldp.mechanisms.cyclic import CyclicResponse
from hgldp.mechanisms.grr import GRR
from hgldp.mechanisms.hadamard import HadamardResponse
from hgldp.mechanisms.registry import MECHANISMS
from hgldp.model.task import Task
from hgldp.schemes.pfr import PFR
from hgldp.schemes.registry import HOT_LISTS
from hgldp.stores.histogram import Histogram
from hgldp.tracker import Tracker


def test_every_scheme_and_mechanism_is_there_with_its_promise(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["schemes", "--json"]) == 0
    entries = json.loads(capsys.readouterr().out)
    assert list(dict.fromkeys(entry["name"] for entry in entries)) == [*HOT_LISTS, "pfr", *MECHANISMS]
    for entry in entries:
        assert all(entry["guarantee"][part] for part in ("privacy", "report_bytes", "memory", "error"))
        assert min(entry["variance"], entry["leverage"], entry["report_bytes"], entry["state_bytes"]) > 0


def test_the_numbers_are_those_of_the_given_settings(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["schemes", "--epsilon", "2", "--k", "5", "--cells", "20", "--domain", "500", "--json"]) == 0
    entries = json.loads(capsys.readouterr().out)
    assert {(entry["epsilon"], entry["k"], entry["cells"], entry["domain_size"]) for entry in entries} == {
        (2, 5, 20, 500)
    }
    pfr = PFR(500, 20, 2.0)
    found = next(entry for entry in entries if entry["name"] == "pfr")
    assert (found["variance"], found["report_bytes"]) == (pfr.mechanism.variance, pfr.report_bytes)
    numbers = {entry["name"]: entry for entry in entries if entry["regime"] == "always"}
    assert numbers["grr"]["variance"] == GRR(500, 2.0).variance
    assert numbers["dsr"]["variance"] == pytest.approx(GRR(21, 2.0).variance)
    assert numbers["dsr"]["report_bytes"] == 1
    assert numbers["grr"]["state_bytes"] >= 4 * 500


def test_the_state_of_a_scheme_does_not_grow_with_the_domain(capsys: pytest.CaptureFixture[str]) -> None:
    sizes = []
    for domain in ("1000", "1000000"):
        main(["schemes", "--domain", domain, "--json"])
        entries = json.loads(capsys.readouterr().out)
        sizes.append([entry["state_bytes"] for entry in entries if entry["kind"] == "scheme"])
    assert sizes[0] == sizes[1]


def test_the_state_of_a_mechanism_has_as_many_bytes_as_its_histogram(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["schemes", "--epsilon", "2", "--domain", "500", "--json"]) == 0
    entries = json.loads(capsys.readouterr().out)
    found = {entry["name"]: entry["state_bytes"] for entry in entries if entry["kind"] == "mechanism"}
    counters = dict.fromkeys(MECHANISMS, 500)
    counters |= {"hr": HadamardResponse(500, 2.0).columns, "cyclic": CyclicResponse(500, 2.0).modulus}
    assert found == {name: len(Histogram(number).serialize()) for name, number in counters.items()}


def test_a_mechanism_for_fewer_items_has_dashes_and_still_its_promise(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["schemes", "--domain", "41270", "--json"]) == 0
    entries = {entry["name"]: entry for entry in json.loads(capsys.readouterr().out)}
    fields = ("variance", "leverage", "report_bytes", "state_bytes")
    without = {name for name, entry in entries.items() if any(entry[field] is None for field in fields)}
    assert without == {"cyclic"}
    assert main(["schemes", "--domain", "41270"]) == 0
    shown = capsys.readouterr().out
    (row,) = [line.split() for line in shown.splitlines() if line.split()[:1] == ["cyclic"] and "–" in line.split()]
    assert row == ["cyclic", "–", "–", "–", "–", "–"]
    assert "at most 4,096 values" in " ".join(shown.split())


def test_a_large_domain_costs_no_memory(capsys: pytest.CaptureFixture[str]) -> None:
    tracemalloc.start()
    try:
        assert main(["schemes", "--domain", "200000000", "--json"]) == 0
        assert tracemalloc.get_traced_memory()[1] < 20_000_000
    finally:
        tracemalloc.stop()
    numbers = {entry["name"]: entry["state_bytes"] for entry in json.loads(capsys.readouterr().out)}
    assert numbers["grr"] == 800_000_020
    assert numbers["hr"] > 1_000_000_000


def test_the_page_shows_numbers_first_and_then_promises(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["schemes"]) == 0
    shown = capsys.readouterr().out
    assert "ε = 1 · 1,000 possible items · 40 cells (pfr: 1024) to find the top 20" in shown
    assert "while nominating" in shown
    assert shown.count("\n  privacy ") == len(HOT_LISTS) + 1 + len(MECHANISMS)
    assert max(len(line) for line in shown.splitlines()) <= 100


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--epsilon", "0"), "--epsilon must be finite and above 0"),
        (("--epsilon", "x"), "--epsilon must be a number, got x"),
        (("--k", "0"), "--k must be a whole number of at least 1, got 0"),
        (("--cells", "3"), "--cells must be at least k = 20, got 3"),
        (("--cells", "0"), "--cells must be a whole number of at least 1, got 0"),
        (("--domain", "10"), "--k must be below the 10 items of the domain, got 20"),
        (("--domain", "1"), "--domain must be a whole number in 2 …"),
        (("--domain", "2147483648"), "--domain must be a whole number in 2 … 2147483647, got 2147483648"),
        (
            ("--domain", "2147483647"),
            "--domain must be smaller for bgr, whose weights must add up to at most 2^63, got",
        ),
        (("--domain", "2000000000"), "--domain must be smaller for hr, whose weights must add up to at most 2^63, got"),
        (("--domain", "30", "--cells", "40"), "--cells must be fewer than the 30 items of the domain, got 40"),
    ],
)
def test_a_bad_setting_is_one_line_and_exit_code_2(
    arguments: tuple[str, ...], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["schemes", *arguments]) == 2
    said = capsys.readouterr()
    assert (said.out, said.err.count("\n")) == ("", 1)
    assert said.err.startswith(f"hgldp: error: {message}")


def test_upper_bounds_are_rounded_up_as_on_the_privacy_card(capsys: pytest.CaptureFixture[str]) -> None:
    """22.9 below, 23 above: a bound that is rounded down is none."""
    settings = ("schemes", "--epsilon", "2", "--k", "5", "--cells", "20", "--domain", "500")
    main([*settings, "--json"])
    exact = {entry["name"]: entry for entry in json.loads(capsys.readouterr().out) if entry["regime"] == "always"}
    main(list(settings))
    rows = {line.split()[0]: line.split() for line in reversed(capsys.readouterr().out.splitlines()) if line.split()}
    task = Task("pfr", epsilon=2.0, domain=range(500), k=5, cells=20)
    stated = privacy_statement(task, Tracker(task, seed=1).bulletin, 1)
    assert [float(cell) for cell in rows["pfr"][2:4]] == [stated.leverage, stated.worth_of_forgery]
    for name in (*HOT_LISTS, "pfr", *MECHANISMS):
        for cell, number in zip(rows[name][2:4], ("leverage", "worth_of_forgery"), strict=True):
            assert exact[name][number] <= float(cell.replace(",", "")) <= 1.011 * exact[name][number]
