"""What is said about speeds: medians, spreads, and in which direction better lies."""

from pathlib import Path

import pytest

from tests.recorded.speeds.__main__ import summary
from tests.recorded.speeds.measures import MEASURES, Number
from tests.recorded.speeds.side import Side


def test_half_the_time_and_twice_the_rate_are_both_twice_as_good() -> None:
    seconds = Number("seal", "ms", "x", {"now": [2.0, 5.0, 3.0], "before": [4.0, 10.0, 6.0]}, fewer=True)
    rate = Number("uploads", "1/s", "x", {"now": [8.0, 20.0], "before": [4.0, 10.0]})
    assert summary(seconds)["now"] == {"median": 3.0, "least": 2.0, "most": 5.0, "repetitions": 3}
    assert summary(seconds)["times better"] == summary(rate)["times better"] == {"median": 2, "least": 2, "most": 2}
    assert "times better" not in summary(Number("seal", "ms", "x", {"now": [2.0]}))


def test_a_folder_without_the_package_is_refused_before_anything_is_measured(tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match="must be a folder that holds the package hgldp"):
        Side("now", tmp_path, tmp_path / "caches")
    assert not (tmp_path / "caches").exists()


def test_every_measure_has_a_name_to_choose_it_by() -> None:
    assert list(MEASURES) == ["simulate", "ready", "uploads", "shared", "library", "seal"]
