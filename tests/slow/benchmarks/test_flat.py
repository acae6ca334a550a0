"""No clear top is counted as it is."""

import json
import sys
from pathlib import Path

import pytest

from benchmarks import flat
from benchmarks.flat import FLAT, FLAT_EPSILONS, TOPPED, Piece, Row, clear_lines, measure, pieces, run_piece
from hgldp.model.estimate import Estimate

CLEAR, NOISE = Estimate(1, 10.0, 1.0), Estimate(2, 1.0, 1.0, may_be_noise=True)


def row(stream: str, unclear: int, runs: int = 100) -> Row:
    made = Row(stream, "pfr", 2.0)
    for run in range(runs):
        made.add(0 if run < unclear else 3)
    return made


def test_one_line_that_stands_out_is_a_clear_top() -> None:
    assert clear_lines((CLEAR, NOISE, CLEAR)) == 2
    assert clear_lines((NOISE, NOISE)) == 0
    assert clear_lines(()) == 0


@pytest.mark.parametrize(
    ("stream", "unclear", "wrong"), [(FLAT[0], 95, False), (FLAT[0], 94, True), (FLAT[1], 100, False)]
)
def test_a_flat_stream_must_have_no_clear_top(stream: str, unclear: int, wrong: bool) -> None:
    assert row(stream, unclear).wrong is wrong


@pytest.mark.parametrize(("unclear", "wrong"), [(0, False), (5, False), (6, True)])
def test_a_stream_with_a_top_must_have_one(unclear: int, wrong: bool) -> None:
    assert row(TOPPED, unclear).wrong is wrong
    assert row(TOPPED, unclear).clear_lines == 3 * (100 - unclear)


def test_every_scheme_meets_every_stream_and_budget() -> None:
    work = pieces(("pfr", "dsr"), 3, 0.0)
    assert len(work) == 3 * 3
    assert {(one.stream, one.epsilons) for one in work} == {
        (FLAT[0], FLAT_EPSILONS),
        (FLAT[1], FLAT_EPSILONS),
        (TOPPED, (2.0,)),
    }
    small = [Piece(FLAT[0], seed, ("dsr", "pfr"), (4.0,)) for seed in (1, 2)]
    assert [(one.scheme, one.runs) for one in measure(small, 1)] == [("pfr", 2), ("dsr", 2)]


def test_a_scheme_that_greys_everything_or_nothing_would_be_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The planted bugs: one is wrong where there is a top, the other where there is none."""
    for line, wrong_on in ((NOISE, TOPPED), (CLEAR, FLAT[0])):
        monkeypatch.setattr(flat, "run", lambda *_, line=line: type("Outcome", (), {"estimates": (line,)}))
        rows = []
        for stream in (TOPPED, FLAT[0]):
            ((place, lines),) = run_piece(Piece(stream, 1, ("pfr",), (2.0,)))
            rows.append(Row(*place))
            rows[-1].add(lines)
        assert [one.stream for one in rows if one.wrong] == [wrong_on]


def test_the_command_prints_and_writes_every_row(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(flat, "FLAT", ("uniform:n=2000,d=100",))
    monkeypatch.setattr(flat, "TOPPED", "zipf:n=2000,d=100,s=1.1")
    file = tmp_path / "flat.json"
    monkeypatch.setattr(
        sys, "argv", ["flat", "--repeats", "1", "--scheme", "dsr", "--processes", "1", "--json", str(file)]
    )
    with pytest.raises(SystemExit):
        flat.main()
    assert "of 7 rows are wrong" in capsys.readouterr().out
    assert [one["epsilon"] for one in json.loads(file.read_text())["rows"]] == [*FLAT_EPSILONS, 2.0]
