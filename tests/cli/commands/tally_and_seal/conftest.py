"""A state to begin with, and reports that answer its bulletin."""

import json
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet

from hgldp.tallies import SealState
from tests.cli.conftest import run
from tests.tallies.lives import LISTED

Capture = pytest.CaptureFixture[str]
OTHER = "ff" * 32


@pytest.fixture
def begun(tmp_path: Path, capsys: Capture) -> SealState:
    """A state in state.json, of a task whose document has spaces that a canonical one lacks."""
    (tmp_path / "task.json").write_text(json.dumps(json.loads(LISTED.canonical), indent=1))
    outputs = ("--output-state", str(tmp_path / "state.json"), "--bulletin", str(tmp_path / "0.bin"))
    code, out, _ = run(capsys, "seal", "--new", str(tmp_path / "task.json"), "--seed", "7", *outputs)
    assert code == 0
    assert "full with  40 reports" in out
    return SealState.read((tmp_path / "state.json").read_bytes())


def write_reports(path: Path, state: SealState, count: int, seed: int = 1, *others: str) -> None:
    symbols = np.random.default_rng(seed).integers(0, state.symbol_limits[state.bulletin.version], count)
    versions = [state.bulletin.version] * (count - len(others)) + list(others)
    parquet.write_table(pa.table({"bulletin": versions, "symbol": symbols}), path)


def seal(capsys: Capture, folder: Path, *words: str) -> tuple[int, str, str]:
    words = tuple(
        str(folder / word) if word.endswith((".json", ".csv", ".parquet", ".bin")) else word for word in words
    )
    return run(capsys, "seal", *words)
