"""`hgldp check`: the promises, proved and printed."""

import json
import re
from collections.abc import Sequence

import pytest

from hgldp.checks.result import CheckResult
from hgldp.cli import main
from hgldp.cli.commands.check import run as check


def leaking(names: Sequence[str], epsilons: Sequence[float]) -> list[CheckResult]:
    """What the checks say of a channel that leaks."""
    return [
        CheckResult(
            name,
            epsilon,
            exact_epsilon=float("inf"),
            normalised=True,
            private=False,
            unbiased=True,
            sampler_exact=True,
            sampler_fits=True,
            deterministic=True,
            failures=("some report tells all",),
        )
        for name in names
        for epsilon in epsilons
    ]


def test_json_has_the_exact_epsilon_of_each_channel(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "--scheme", "grr,dsr", "--epsilon", "0.5,1", "--json"]) == 0
    results = json.loads(capsys.readouterr().out)
    assert [(one["name"], one["epsilon"]) for one in results] == [("grr", 0.5), ("grr", 1), ("dsr", 0.5), ("dsr", 1)]
    for one in results:
        assert set(one) >= {"name", "epsilon", "exact_epsilon", "normalised", "unbiased", "passed", "failures"}
        assert one["exact_epsilon"] <= one["epsilon"]
        assert one["normalised"] is one["unbiased"] is one["passed"] is True


def test_the_table_has_a_row_for_each_budget(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "--scheme", "grr", "--epsilon", "0.5,1"]) == 0
    shown = capsys.readouterr().out
    assert re.search(r"grr +0\.5 +0\.500000 +✓ +✓ +✓ +✓ +– +holds", shown)
    assert "all 2 hold" in shown
    assert max(len(line) for line in shown.splitlines()) <= 100


def test_the_table_fits_eighty_columns_whole(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    assert main(["check", "--scheme", "cnr", "--epsilon", "0.5,1"]) == 0
    shown = capsys.readouterr().out
    assert max(len(line) for line in shown.splitlines()) <= 80
    assert "…" not in shown
    assert re.search(r"cnr \(printed split\) +0\.5 +0\.423852 +✓ +✓ +✓ +✓ +✓ +holds", shown)


def test_names_stand_apart_only_where_they_have_several_budgets(capsys: pytest.CaptureFixture[str]) -> None:
    gaps = []
    for budgets in ("1", "0.5,1"):
        assert main(["check", "--scheme", "grr,sue", "--epsilon", budgets]) == 0
        rows = capsys.readouterr().out.split("─\n")[1].split("exact ε")[0]
        gaps.append(sum(not line.strip() for line in rows.rstrip().splitlines()))
    assert gaps == [0, 1]


def test_a_broken_promise_is_exit_code_1_in_the_table(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(check, "prove", leaking)
    assert main(["check", "--scheme", "grr", "--epsilon", "1"]) == 1
    shown = capsys.readouterr().out
    assert "BROKEN" in shown
    assert "grr, ε = 1: some report tells all" in shown
    assert "1 of 1 broken" in shown


def test_a_broken_promise_is_exit_code_1_in_json_too(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(check, "prove", leaking)
    assert main(["check", "--scheme", "grr", "--epsilon", "1", "--json"]) == 1
    result = json.loads(capsys.readouterr().out)[0]
    assert (result["passed"], result["exact_epsilon"]) == (False, None)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--scheme", "cms"), "--scheme must be all or one of bgr, dsr, bdr, cnr, pfr, grr,"),
        (("--epsilon", "0"), "--epsilon must be finite and above 0"),
        (("--epsilon", "x"), "--epsilon must be a number, got x"),
    ],
)
def test_a_bad_setting_is_one_line_and_exit_code_2(
    arguments: tuple[str, ...], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["check", *arguments]) == 2
    said = capsys.readouterr()
    assert (said.out, said.err.count("\n")) == ("", 1)
    assert said.err.startswith(f"hgldp: error: {message}")
