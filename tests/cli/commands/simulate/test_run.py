"""`hgldp simulate` from the typed line to the printed answer."""

import csv
import gzip
import io
import json
import re
import sys
from io import BufferedReader, BytesIO
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from hgldp.cli import main
from hgldp.cli.commands.simulate import DESCRIPTION
from hgldp.cli.commands.simulate.run import make_plans
from hgldp.cli.parser import make_parser
from hgldp.experiments import experiment
from hgldp.simulation.generators import EXAMPLES
from hgldp.simulation.metrics import exact_top
from hgldp.simulation.run import SCHEMES
from hgldp.sources.find import find_source

SMALL = "normal:n=3000,d=60,sigma=3"
WANTED = {
    "scheme", "variant", "epsilon", "k", "cells", "reports", "domain_size", "precision", "ndcg", "aae", "recall", "f1",
    "relative_error", "warmup_precision", "warmup", "state_bytes", "upload_bytes", "download_bytes",
    "reports_per_second", "seed", "repeats", "drawn", "runs",
}  # fmt: skip


def simulate(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(["simulate", *arguments]) == 0
    said = capsys.readouterr()
    assert said.err == ""
    return said.out


LINE = (
    "item", "count", "standard_error", "true_count", "in_true_top", "low", "high", "tracked_count", "tracked_error",
    "since", "rank_low", "rank_high", "may_be_noise", "since_low", "since_high",
)  # fmt: skip


def as_json(capsys: pytest.CaptureFixture[str], *arguments: str) -> Any:
    return json.loads(simulate(capsys, *arguments, "--json"))


def test_one_scheme_and_one_budget_are_one_object_with_every_key(capsys: pytest.CaptureFixture[str]) -> None:
    result = as_json(
        capsys,
        SMALL,
        "--scheme",
        "dsr",
        "--epsilon",
        "2",
        "--k",
        "5",
        "--cells",
        "8",
        "--repeats",
        "3",
        "--warmup",
        "0.01",
    )
    assert set(result) >= WANTED
    assert (result["scheme"], result["epsilon"], result["k"], result["cells"]) == ("dsr", 2.0, 5, 8)
    assert (result["domain_size"], result["warmup"], result["reports"]) == (60, 30, 2970)
    assert [run["seed"] for run in result["runs"]] == [1, 2, 3]
    for name in ("precision", "ndcg", "aae", "recall", "f1", "relative_error", "warmup_precision"):
        assert result[name] == pytest.approx(sum(run[name] for run in result["runs"]) / 3)
    for run in result["runs"]:
        assert [tuple(line) for line in run["top"]] == [LINE] * 5
        assert all(line["low"] < line["count"] < line["high"] for line in run["top"])
        assert all(line["since_low"] < line["tracked_count"] < line["since_high"] for line in run["top"])
        assert run["clear_top"] is any(not line["may_be_noise"] for line in run["top"])


def test_several_schemes_or_budgets_are_a_list(capsys: pytest.CaptureFixture[str]) -> None:
    results = as_json(capsys, SMALL, "--scheme", "dsr,grr", "--epsilon", "1,2", "--k", "5")
    assert [(one["scheme"], one["epsilon"]) for one in results] == [("dsr", 1), ("dsr", 2), ("grr", 1), ("grr", 2)]


def test_all_means_every_scheme_that_is_finished(capsys: pytest.CaptureFixture[str]) -> None:
    results = as_json(capsys, "normal:n=1500,d=60,sigma=3", "--k", "5", "--epsilon", "3")
    assert [one["scheme"] for one in results] == list(SCHEMES)
    assert all(0 <= one["precision"] <= 1 for one in results)


@pytest.mark.parametrize("name", SCHEMES)
def test_every_scheme_can_be_asked_for_by_name(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    shown = simulate(capsys, SMALL, "--k", "5", "--epsilon", "3", "--scheme", name)
    assert re.search(rf"^{name} +\w+ +[01]\.", shown, re.MULTILINE)
    assert re.search(rf"^{name} +(not )?private", shown, re.MULTILINE)


def test_all_of_another_variant_leaves_out_what_has_none(capsys: pytest.CaptureFixture[str]) -> None:
    for variant in ("paper", "as-published"):
        results = as_json(capsys, SMALL, "--variant", variant, "--k", "5", "--epsilon", "3", "--warmup", "0.01")
        assert [one["scheme"] for one in results] == ["bgr", "dsr", "bdr", "cnr", "heavyguardian"]
        assert {one["variant"] for one in results} == {variant}


def test_a_scheme_of_later_days_has_no_variant_of_the_paper(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hgldp.cli.commands.simulate.run.all_schemes", lambda: (*SCHEMES, "later"))
    chosen = make_parser().parse_args(["simulate", SMALL, "--variant", "paper", "--scheme", "all"])
    assert [plan.scheme for plan in make_plans(chosen)] == ["bgr", "dsr", "bdr", "cnr", "heavyguardian"]


def test_a_seed_fixes_everything_but_the_clock(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = (SMALL, "--scheme", "dsr", "--k", "5", "--repeats", "2", "--seed", "7")
    first, second = as_json(capsys, *arguments), as_json(capsys, *arguments)
    for result in (first, second):
        for part in (result, *result["runs"]):
            assert part.pop("reports_per_second") > 0
    assert first == second
    assert first["runs"][0]["top"] != first["runs"][1]["top"]


def test_repeat_r_is_the_run_of_seed_s_plus_r(capsys: pytest.CaptureFixture[str]) -> None:
    both = as_json(capsys, SMALL, "--scheme", "dsr", "--k", "5", "--repeats", "2", "--seed", "7")
    alone = as_json(capsys, SMALL, "--scheme", "dsr", "--k", "5", "--seed", "8")
    assert both["runs"][1]["top"] == alone["runs"][0]["top"]


def test_the_row_of_the_warmup_is_the_exact_top_of_the_warmup(capsys: pytest.CaptureFixture[str]) -> None:
    result = as_json(capsys, SMALL, "--scheme", "dsr", "--k", "5", "--warmup", "90", "--seed", "3")
    stream = find_source(SMALL).stream(3).items
    truth, sample = np.bincount(stream, minlength=60), np.bincount(stream[:90], minlength=60)
    hits = set(exact_top(truth, 5)) & set(exact_top(sample, 5))
    assert result["warmup_precision"] == len(hits) / 5
    assert result["warmup"] == 90


def test_nothing_is_raw_unless_a_warmup_is_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = (SMALL, "--scheme", "dsr", "--k", "5")
    result = as_json(capsys, *arguments)
    assert (result["warmup"], result["warmup_precision"], result["reports"]) == (0, None, 3000)
    shown = simulate(capsys, *arguments)
    assert "warm-up alone" not in shown
    assert "No warm-up: every item is randomised." in shown
    assert "†" not in shown


def test_the_help_names_every_scheme(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["simulate", "--help"]) == 0
    assert set(SCHEMES) <= set(capsys.readouterr().out.split())


def test_csv_has_one_row_a_run(capsys: pytest.CaptureFixture[str]) -> None:
    text = simulate(capsys, SMALL, "--scheme", "dsr,grr", "--k", "5", "--repeats", "2", "--csv")
    rows = list(csv.DictReader(io.StringIO(text)))
    assert [(row["scheme"], row["seed"]) for row in rows] == [("dsr", "1"), ("dsr", "2"), ("grr", "1"), ("grr", "2")]
    assert set(rows[0]) >= WANTED - {"runs", "repeats"}
    assert list(rows[0])[-1] == "clear_top"
    assert {row["clear_top"] for row in rows} <= {"true", "false"}
    assert all(0 <= float(row["precision"]) <= 1 for row in rows)


def test_the_table_has_the_warmup_first_and_says_what_was_run(capsys: pytest.CaptureFixture[str]) -> None:
    shown = simulate(
        capsys, SMALL, "--scheme", "dsr,grr", "--epsilon", "1,2", "--k", "5", "--repeats", "2", "--warmup", "30"
    )
    names = [
        line.split()[0] for line in shown.splitlines() if re.match(r"\s*(warm-up alone|dsr †|grr) +(raw|[12]) ", line)
    ]
    assert names == ["warm-up", "dsr", "dsr", "grr", "grr"]
    for words in (
        SMALL,
        "3,000 items",
        "out of 60 possible ones",
        "Rows with † start from the first 30 items (1 %), donated raw",
        "† given the first 30 items raw",
        "10 cells to find the top 5",
        "seeds 1 … 2",
    ):
        assert words in " ".join(shown.split())
    assert "The answer of" not in shown
    assert max(len(line) for line in shown.splitlines()) <= 100


def test_a_single_result_shows_the_answer_itself(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = (SMALL, "--scheme", "dsr", "--epsilon", "4", "--k", "5")
    shown, result = simulate(capsys, *arguments), as_json(capsys, *arguments)
    answer = shown[shown.index("The answer of dsr") :]
    for line in result["runs"][0]["top"]:
        found = next(row.split() for row in answer.splitlines() if re.match(rf"\s*\d+ +\S+ +{line['item']} ", row))
        assert found[3].replace(",", "") == str(round(line["count"]))
        assert f"{line['true_count']:,}" in found
        assert ("✓" in found) == line["in_true_top"]


@pytest.mark.parametrize("zipped", [False, True], ids=["plain", "gzipped"])
def test_standard_input_is_a_stream(
    zipped: bool, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    text = "\n".join(f"{number % 7} {number % 3} 5" for number in range(500)).encode()
    monkeypatch.setattr(
        sys, "stdin", SimpleNamespace(buffer=BufferedReader(BytesIO(gzip.compress(text, mtime=0) if zipped else text)))
    )
    result = as_json(capsys, "-", "--scheme", "grr", "--epsilon", "4", "--k", "1")
    assert (result["stream"], result["items"], result["domain_size"]) == ("standard input", 1500, 7)
    assert result["runs"][0]["top"][0]["item"] == 5


def test_the_items_of_a_csv_file_are_printed_as_they_are_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "orders.csv"
    path.write_text("who,what\n" + "1,[red]tea\n" * 400 + "2,coffee\n" * 50 + "3,maté\n4,water\n5,milk\n" * 9)
    arguments = (str(path), "--column", "what", "--scheme", "grr", "--epsilon", "4", "--k", "2")
    assert as_json(capsys, *arguments)["runs"][0]["top"][0]["item"] == "[red]tea"
    assert " [red]tea " in simulate(capsys, *arguments)


def test_a_terminal_sees_progress_and_a_file_does_not(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    arguments = ["simulate", SMALL, "--scheme", "dsr", "--k", "5", "--json"]
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert main(arguments) == 0
    said = capsys.readouterr()
    assert "simulating" in said.err
    json.loads(said.out)
    assert main([*arguments, "--no-progress"]) == 0
    assert capsys.readouterr().err == ""


def test_levels_spend_the_budget_over_all_events(capsys: pytest.CaptureFixture[str]) -> None:
    whole = as_json(capsys, SMALL, "--scheme", "grr", "--epsilon", "1", "--k", "5")
    split = as_json(capsys, SMALL, "--scheme", "grr", "--epsilon", "4", "--k", "5", "--level", "user", "--events", "4")
    assert whole["runs"][0]["top"] == split["runs"][0]["top"]


def test_compiling_is_not_timed(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """Every plan runs once on a few items before the first clock starts."""
    calls: list[tuple[str, int]] = []
    real = experiment.run

    def noted(plan: Any, stream: Any, *rest: Any) -> Any:
        calls.append((plan.scheme, stream.size))
        return real(plan, stream, *rest)

    monkeypatch.setattr(experiment, "run", noted)
    as_json(capsys, SMALL, "--scheme", "dsr,grr", "--k", "5", "--repeats", "2")
    few, many = experiment.REHEARSAL, 3000
    assert calls == [("dsr", few), ("grr", few), ("dsr", many), ("grr", many), ("dsr", many), ("grr", many)]


@pytest.mark.parametrize("example", EXAMPLES)
def test_the_help_shows_every_generator(example: str) -> None:
    assert re.search(f" {re.escape(example)}  +\\w", DESCRIPTION)


def test_a_stream_that_drifts_is_simulated_with_its_defaults(capsys: pytest.CaptureFixture[str]) -> None:
    found = as_json(capsys, "births:n=3000,d=60", "--scheme", "pfr", "--epsilon", "4", "--k", "5")
    assert (found["reports"], found["domain_size"]) == (3000, 60)
