"""A figure that misses its bar is named, and one that reaches it is not."""

import sys
from pathlib import Path

import pytest

from benchmarks.cold import __main__ as command
from benchmarks.cold.bars import lost, missed
from benchmarks.cold.contestants import BIG, HR, NORMAL, OLH, SMALL, Contestant, warmed
from benchmarks.cold.rows import Key, Row, gather
from hgldp.experiments.measuring.streams import Library

TURNOVER = "turnover:n=500000,d=20000,s=1.1"
TINY = "births:n=3000,d=100,life=0.25"


def rows(stream: str, figures: dict[Contestant, float], epsilon: float = 8.0) -> dict[Key, Row]:
    found: dict[Key, Row] = {}
    for one, value in figures.items():
        values = {"precision": value, "ndcg": value, "aae": 10.0, "seconds": 0.1}
        gather([(stream, one.title, epsilon, seed, values) for seed in (1, 2)], found)
    return found


@pytest.mark.parametrize(
    ("stream", "figures", "named"),
    [
        (TURNOVER, {SMALL: 0.84, HR: 0.9}, "pfr, 16 kB"),
        (TURNOVER, {SMALL: 0.86, HR: 0.9}, None),
        (TURNOVER, {BIG: 0.84, OLH: 0.9}, "pfr, 48 kB"),
        (TURNOVER, {SMALL: 0.5, OLH: 0.9}, None),
        (NORMAL, {BIG: 0.97, OLH: 0.99}, "ndcg of pfr, 48 kB"),
        (NORMAL, {BIG: 0.985, OLH: 0.99}, None),
        (NORMAL, {SMALL: 0.5, HR: 0.99}, None),
        ("retail", {SMALL: 0.92}, "retail, ε = 8: pfr, 16 kB has 0.920 < 0.93"),
        ("retail", {SMALL: 0.94}, None),
        ("retail", {warmed(SMALL, 0.01): 0.95, SMALL: 0.98}, "1 % raw"),
        ("retail", {warmed(SMALL, 0.01): 0.97, SMALL: 0.98}, None),
    ],
)
def test_a_missed_bar_is_named(stream: str, figures: dict[Contestant, float], named: str | None) -> None:
    found = list(missed(rows(stream, figures), 0.01))
    assert len(found) == (named is not None)
    assert named is None or named in found[0]


def test_the_bar_of_retail_is_for_the_highest_budget_alone() -> None:
    assert list(missed(rows("retail", {SMALL: 0.5}, 4.0), 0.0)) == []


def test_a_loss_says_how_large_and_how_sure_it_is() -> None:
    before, after = rows("retail", {SMALL: 0.9}), rows("retail", {SMALL: 0.85})
    found = list(lost(command.compared(after, before)))
    assert found[0] == (
        "retail, ε = 8: pfr, 16 kB lost more than .01 and more than 2 s.e.: -0.050 ± 0.000 of precision"
    )
    assert len(found) == 2
    assert list(lost(command.compared(before, before))) == []
    assert list(lost(command.compared(before, {}))) == []


def test_streams_that_are_not_there_are_left_out_with_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "retail.dat").write_text("1 2 3\n")
    assert command.there((NORMAL, "retail", "online-retail"), Library(tmp_path)) == (NORMAL, "retail")
    assert capsys.readouterr().out == "online-retail: not found, left out; give their folder with --data\n"
    assert command.there((NORMAL,), Library()) == (NORMAL,)
    assert capsys.readouterr().out == ""


def test_a_run_can_be_compared_with_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "before.json"
    options = f"--repeats 2 --processes 1 --epsilon 4 --stream {TINY}".split()
    for more in (["--json", str(file)], ["--against", str(file)]):
        monkeypatch.setattr(sys, "argv", ["cold", *options, *more])
        with pytest.raises(SystemExit) as end:
            command.main()
        assert end.value.code == 0
    printed = capsys.readouterr().out
    assert "precision since" in printed
    assert "+0.000 ± 0.000" in printed
    assert "!" not in printed
    assert printed.endswith("every bar is reached\n")


def test_a_change_for_the_worse_ends_with_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The planted bug: a file in which everything was better before."""
    file = tmp_path / "before.json"
    options = f"--repeats 2 --processes 1 --epsilon 4 --stream {TINY}".split()
    monkeypatch.setattr(sys, "argv", ["cold", *options, "--json", str(file)])
    with pytest.raises(SystemExit):
        command.main()
    before = command.from_json(file)
    for row in before.values():
        for values in row.runs.values():
            values["precision"] += 0.05
    file.write_text(command.to_json(before.values(), {}))
    monkeypatch.setattr(sys, "argv", ["cold", *options, "--against", str(file)])
    with pytest.raises(SystemExit) as end:
        command.main()
    assert end.value.code == 1
    printed = capsys.readouterr().out
    assert printed.count("lost more than .01 and more than 2 s.e.: -0.050") == 4
    assert "!!" in printed
