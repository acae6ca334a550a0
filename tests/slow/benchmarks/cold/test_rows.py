"""Rows are kept, compared seed by seed, and marked where they lost."""

import json
from math import isnan
from pathlib import Path

import pytest

from benchmarks.cold.contestants import METRICS, Run
from benchmarks.cold.rows import Key, Row, difference, from_json, gather, to_json
from hgldp.errors import InvalidField


def runs(precisions: dict[int, float], contestant: str = "pfr, 16 kB") -> list[Run]:
    return [
        ("retail", contestant, 4.0, seed, {"precision": value, "ndcg": value, "aae": 100.0, "seconds": 0.1})
        for seed, value in precisions.items()
    ]


def row(precisions: dict[int, float]) -> Row:
    rows: dict[Key, Row] = {}
    gather(runs(precisions), rows)
    (only,) = rows.values()
    return only


def test_a_mean_has_its_standard_error() -> None:
    found = row({1: 0.8, 2: 0.9, 3: 1.0})
    assert found.mean("precision") == pytest.approx(0.9)
    assert found.error("precision") == pytest.approx(0.1 / 3**0.5)
    assert isnan(row({1: 0.8}).error("precision"))


def test_differences_are_made_seed_by_seed() -> None:
    """Seeds differ by .4 and the change is .02 in each: pooled errors would not see it."""
    before, after = row({1: 0.5, 2: 0.7, 3: 0.9}), row({3: 0.88, 2: 0.68, 1: 0.48})
    found = difference(after, before, "precision")
    assert found is not None
    assert found.gain == pytest.approx(-0.02)
    assert found.error == pytest.approx(0.0, abs=1e-9)
    assert found.lost
    assert found.surely_lost


def test_only_common_seeds_count() -> None:
    found = difference(row({1: 0.5, 2: 0.9}), row({2: 0.8, 3: 0.1}), "precision")
    assert found is not None
    assert found.gain == pytest.approx(0.1)
    assert difference(row({1: 0.5}), row({2: 0.5}), "precision") is None


@pytest.mark.parametrize(
    ("gains", "lost", "surely"),
    [
        ((-0.02, -0.02, -0.02001), True, True),
        ((-0.3, 0.1, 0.1), True, False),
        ((-0.004, -0.005, -0.006), False, True),
        ((0.02, 0.02, 0.03), False, False),
        ((0.0, 0.0, 0.0), False, False),
    ],
)
def test_a_loss_of_a_hundredth_and_one_beyond_chance_are_told_apart(
    gains: tuple[float, ...], lost: bool, surely: bool
) -> None:
    after = row({seed: 0.5 + gain for seed, gain in enumerate(gains)})
    found = difference(after, row(dict.fromkeys(range(3), 0.5)), "precision")
    assert found is not None
    assert (found.lost, found.surely_lost) == (lost, surely)


def test_a_file_gives_back_what_was_written(tmp_path: Path) -> None:
    rows: dict[Key, Row] = {}
    gather([*runs({2: 0.25, 1: 0.5}), *runs({1: 1.0}, "hr, unlimited")], rows)
    file = tmp_path / "rows.json"
    file.write_text(to_json(rows.values(), {"machine": {}}))
    assert from_json(file) == rows
    assert json.loads(file.read_text())["rows"][0]["precision"] == [0.5, 0.25]


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"rows": [{"stream": "x"}]}', '{"rows": 3}', '{"rows": [3]}'])
def test_another_file_is_refused(tmp_path: Path, text: str) -> None:
    file = tmp_path / "other.json"
    file.write_text(text)
    with pytest.raises(InvalidField, match="--against must be a file that --json wrote, got other"):
        from_json(file)
    with pytest.raises(InvalidField, match="--against must be a readable file"):
        from_json(tmp_path / "missing.json")


def test_columns_of_different_lengths_are_refused(tmp_path: Path) -> None:
    rows: dict[Key, Row] = {}
    gather(runs({1: 0.5, 2: 0.25}), rows)
    whole = json.loads(to_json(rows.values(), {}))
    for name in ("seeds", *METRICS):
        short = json.loads(json.dumps(whole))
        short["rows"][0][name].pop()
        file = tmp_path / "short.json"
        file.write_text(json.dumps(short))
        with pytest.raises(InvalidField, match="must be a file that --json wrote"):
            from_json(file)
