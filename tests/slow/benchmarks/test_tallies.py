"""The benchmark of tallies: its reports are those of real clients, and it would notice a wrong count."""

import sys
from pathlib import Path

import numpy as np
import pytest
from pyarrow import parquet

from benchmarks.tallies.__main__ import compare, main
from benchmarks.tallies.writing import (
    IN_UPLOAD,
    LATE_IN_256,
    TASK,
    ToWrite,
    aged_state,
    chances,
    write_reports,
    write_uploads,
)
from hgldp import Randomizer, SeededWords
from hgldp.tallies import estimate
from hgldp.tallies.reports.counting import count_files


def test_symbols_are_drawn_as_clients_draw_them() -> None:
    """The same stream through real clients. Chi-square over 64 groups of symbols; above 138, one seed in a million."""
    state = aged_state()
    limit, reports = state.symbol_limits[state.bulletin.version], 8_000
    events = np.random.default_rng(3).choice(TASK.domain_size, reports, p=_zipf())
    client = Randomizer(TASK, max_epsilon=2.0, words=SeededWords(4))
    real = np.array([client.report(event, state.bulletin).symbol for event in events.tolist()])
    expected = np.bincount(chances(state.bulletin), minlength=limit) / (1 << 16)
    groups = np.arange(limit) % 64
    seen, due = np.bincount(groups[real], minlength=64), np.bincount(groups, expected, minlength=64) * reports
    assert ((seen - due) ** 2 / due).sum() < 138


def _zipf() -> np.ndarray:
    weights = 1 / np.arange(1, TASK.domain_size + 1)
    return weights / weights.sum()


def test_a_file_holds_reports_that_a_seal_takes(tmp_path: Path) -> None:
    assert write_reports(ToWrite(str(tmp_path / "0.parquet"), 30_000, 5)) == 30_000
    tally, state = count_files([tmp_path / "0.parquet"]).tally, aged_state()
    assert tally.reports == 30_000
    late = 30_000 - tally.answering(state.bulletin.version)
    assert abs(late / 30_000 - LATE_IN_256 / 256) < 0.01  # 5.7 standard deviations
    assert estimate(state, tally).bulletin.epoch == state.bulletin.epoch + 1


def test_uploads_come_again_and_count_once(tmp_path: Path) -> None:
    assert write_uploads(ToWrite(str(tmp_path / "0.parquet"), 30_000, 5)) == 30_000
    assert parquet.read_metadata(tmp_path / "0.parquet").num_rows == 30_000 // IN_UPLOAD * 1.01
    assert count_files([tmp_path / "0.parquet"]).tally.reports == 30_000


def test_a_tally_that_counts_an_upload_twice_is_noticed() -> None:
    pytest.importorskip("duckdb", reason="duckdb is not installed, so nothing is compared")
    twice = "(SELECT bulletin, unnest(symbols) AS symbol FROM read_parquet('{files}'))"
    with pytest.raises(SystemExit, match="differ"):
        compare(write_uploads, 1_000, twice, "uploads", None)


@pytest.mark.parametrize("reports", [0, -5])
def test_no_reports_are_refused(monkeypatch: pytest.MonkeyPatch, reports: int) -> None:
    monkeypatch.setattr(sys, "argv", ["tallies", "--reports", str(reports)])
    with pytest.raises(SystemExit, match="at least 1"):
        main()
