"""With a half-life the truth beside an answer fades as the answer does, and the page says so."""

import csv
import io
import json
from pathlib import Path

import numpy as np
import pytest

from hgldp import simulate
from hgldp.cli import main
from hgldp.simulation.truth import faded_counts

HALF_LIFE = 400
STREAM = [1] * 3000 + [2] * 1000


@pytest.fixture
def stream(tmp_path: Path) -> Path:
    path = tmp_path / "stream.txt"
    path.write_text("\n".join(map(str, STREAM)), encoding="utf-8")
    return path


def simulated(capsys: pytest.CaptureFixture[str], *words: object) -> str:
    assert main(["simulate", *map(str, words), "--epsilon", "6", "--k", "2", "--no-progress"]) == 0
    return capsys.readouterr().out


@pytest.mark.parametrize("kind", [("--scheme", "pfr"), ("--open",), ("--scheme", "pfr", "--warmup", "1500")])
def test_true_counts_fade(kind: tuple[str, ...], stream: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Of 4,000 events the last 1,000 are 2.5 half-lives: 2 has 1 − 2^−2.5 of the weight, and no warm-up counts."""
    words = (stream, *kind, "--half-life", HALF_LIFE)
    found = json.loads(simulated(capsys, *words, "--json"))
    given = STREAM[1500:] if "--warmup" in kind else STREAM
    told = {int(line["item"]): line["true_count"] for line in found["runs"][0]["top"]}
    assert told == pytest.approx(dict(enumerate(faded_counts(np.array(given, np.int32), 3, HALF_LIFE)[1:], start=1)))
    assert told[2] == pytest.approx(len(given) * (1 - 2**-2.5), rel=0.02)
    assert (found["half_life"], found["precision"]) == (HALF_LIFE, 1.0)
    assert next(csv.DictReader(io.StringIO(simulated(capsys, *words, "--csv"))))["half_life"] == str(HALF_LIFE)
    page = simulated(capsys, *words)
    assert "pfr has a half-life of 400 reports: the true counts beside it fade as well." in page
    assert "one counts half after 400 more (half-life)" in page
    rows = [line.split() for line in page.splitlines() if "✓" in line and "…" in line]
    assert sorted(row[row.index("✓") - 1] for row in rows) == sorted(f"{round(count):,}" for count in told.values())


def test_without_a_half_life_counts_are_whole(stream: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = json.loads(simulated(capsys, stream, "--scheme", "pfr", "--json"))
    assert {line["item"]: line["true_count"] for line in found["runs"][0]["top"]} == {1: 3000, 2: 1000}
    assert found["half_life"] == 0
    assert "half-life" not in simulated(capsys, stream, "--scheme", "pfr")


def test_the_library_compares_with_faded_counts_too() -> None:
    found = simulate(STREAM, "pfr", epsilon=6.0, k=2, half_life=HALF_LIFE)
    assert found.true_counts[2] == pytest.approx(4000 * (1 - 2**-2.5), rel=0.02)
    assert found.scores.precision == 1.0
    assert "one counts half after 400 more (half-life)" in repr(found)
    assert simulate(STREAM, "pfr", epsilon=6.0, k=2).true_counts == {1: 3000, 2: 1000}
