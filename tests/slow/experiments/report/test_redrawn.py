"""A report can be written again from its own numbers, and says the same."""

import re
from dataclasses import replace
from pathlib import Path

import pytest

from hgldp.experiments.report import gather
from hgldp.experiments.reproduce import write
from hgldp.experiments.results import Results
from hgldp.experiments.scale import Scale
from hgldp.experiments.studies.registry import PICTURES, SWEEPS
from tests import redrawn
from tests.slow.experiments.made import TINY, made_results

DECIMALS = re.compile(r"(?<=\.)\d+")
WITH_DATA = replace(TINY, data=("retail",), timestamped="online-retail")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("reproduction")
    results = made_results(WITH_DATA)
    content = gather(results, [PICTURES["epochs"]], WITH_DATA, seconds=7.0)
    write(content, results, {name: sweep.measurements(WITH_DATA) for name, sweep in SWEEPS.items()}, out)
    return out


@pytest.fixture(autouse=True)
def _tiny(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(redrawn, "FULL", TINY)


def test_the_scale_is_read_from_the_streams(folder: Path) -> None:
    assert redrawn.scale_of(folder) == WITH_DATA


def test_every_run_is_found_again_with_its_values(folder: Path) -> None:
    def by_run(results: Results, scale: Scale) -> dict[object, dict[str, float]]:
        wanted = {one for sweep in SWEEPS.values() for one in sweep.measurements(scale)}
        return {row.measurement: row.values for row in results if row.measurement in wanted}

    found, made = (by_run(some, WITH_DATA) for some in (redrawn.read(folder, WITH_DATA), made_results(WITH_DATA)))
    assert found.keys() == made.keys()
    assert all(found[one] == pytest.approx(values, rel=1e-6) for one, values in made.items())


def test_the_report_is_the_same_word_for_word(folder: Path) -> None:
    """But for a last digit: spreadsheets have seven, and 0.415 may be said as 0.41 or 0.42."""
    before = (folder / "report.md").read_text(encoding="utf-8")
    content, results, _ = redrawn.redrawn(folder, [PICTURES["epochs"]])
    write(content, results, {}, folder)
    after = (folder / "report.md").read_text(encoding="utf-8")
    assert DECIMALS.sub("", after) == DECIMALS.sub("", before)
    assert len(after.splitlines()) > 200


def test_the_settings_of_the_committed_report_are_those_of_its_run() -> None:
    kept = dict(redrawn.settings_in((redrawn.COMMITTED / "report.md").read_text(encoding="utf-8")))
    assert {"scale", "seeds", "hgldp", "processor", "time of this run"} <= set(kept)
