"""A small contest of each kind, its stream on disk."""

from pathlib import Path

import numpy as np
import pytest

from benchmarks.field.contest import Contest

ITEMS = np.repeat(np.arange(50, dtype=np.int32), np.arange(50, 0, -1) ** 2 // 5)


@pytest.fixture
def stream() -> np.ndarray:
    return np.random.default_rng(1).permutation(ITEMS)


@pytest.fixture
def sketches(tmp_path: Path, stream: np.ndarray) -> Contest:
    np.save(tmp_path / "s.npy", stream)
    return Contest("sketches", "sketch", "planted", str(tmp_path / "s.npy"), 50, 5, 0.2, budgets=(300, 4_096))


@pytest.fixture
def private(tmp_path: Path, stream: np.ndarray) -> Contest:
    np.save(tmp_path / "p.npy", stream)
    return Contest("private", "private", "planted", str(tmp_path / "p.npy"), 50, 5, 1.5, epsilon=2.0)
