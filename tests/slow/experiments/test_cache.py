"""What is on disk is found again by what made it, and by nothing else."""

import json
from pathlib import Path

import pytest

from hgldp.errors import InvalidField
from hgldp.experiments import measurement as module
from hgldp.experiments.cache import Cache
from hgldp.experiments.measurement import Measurement
from hgldp.experiments.results import Row

ONE, TWO = (Measurement("retail", "dsr", 1.0, seed) for seed in (1, 2))
VALUES = {"ndcg": 0.1 + 0.2, "aae": 1e300}


def filled(path: Path) -> Path:
    with Cache(path) as cache:
        cache.add(Row(ONE, VALUES))
        cache.add(Row(TWO, {"ndcg": 0.5}))
    return path


def test_results_come_back_to_the_last_bit(tmp_path: Path) -> None:
    with Cache(filled(tmp_path / "new" / "results.jsonl")) as cache:
        assert cache.find([ONE, TWO])[ONE].values == VALUES
        assert cache.find([Measurement("retail", "dsr", 1.0, 3)]) == {}


def test_a_result_is_on_disk_before_the_next_is_made(tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    with Cache(path) as cache:
        cache.add(Row(ONE, VALUES))
        assert json.loads(path.read_text())["values"] == VALUES


@pytest.mark.parametrize("cut", [1, 20, 100])
def test_a_torn_last_line_is_dropped_and_the_next_result_is_whole(tmp_path: Path, cut: int) -> None:
    path = filled(tmp_path / "results.jsonl")
    path.write_bytes(path.read_bytes()[:-cut])
    with Cache(path) as cache:
        assert set(cache.find([ONE, TWO])) == {ONE}
        cache.add(Row(TWO, {"ndcg": 0.5}))
    with Cache(path) as cache:
        assert set(cache.find([ONE, TWO])) == {ONE, TWO}


def test_a_line_that_is_no_result_is_passed_over(tmp_path: Path) -> None:
    path = filled(tmp_path / "results.jsonl")
    path.write_bytes(b'nonsense\n[1]\n{"key": "x"}\n' + path.read_bytes())
    with Cache(path) as cache:
        assert set(cache.find([ONE, TWO])) == {ONE, TWO}


def test_results_of_other_code_are_not_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = filled(tmp_path / "results.jsonl")
    monkeypatch.setattr(module, "code_version", lambda: "other")
    with Cache(path) as cache:
        assert cache.find([ONE, TWO]) == {}


def test_a_failure_is_not_kept(tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    with Cache(path) as cache:
        cache.add(Row(ONE, failure="ValueError: planted"))
    assert path.read_bytes() == b""


def test_a_folder_that_cannot_be_made_is_refused_by_name(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(InvalidField, match="out must be a folder that can be written to"):
        Cache(tmp_path / "file" / "results.jsonl")
