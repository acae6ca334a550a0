import os
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

from benchmarks.field.contest import Contest, Showing
from benchmarks.field.entrants.registry import Entrant
from benchmarks.field.launch import Failure, launch
from tests.patience import PATIENCE, until

HERE = Path(sys.executable)


def entrant(name: str) -> Entrant:
    return Entrant(name, "hgldp", f"tests.slow.benchmarks.planted:{name}", ("sketches",))


@pytest.mark.parametrize(
    ("name", "error"),
    [
        ("fails", "RuntimeError: planted failure"),
        ("prints_rubbish", "printed no measurement"),
        ("prints_half_a_measurement", "printed a measurement that cannot be read"),
        ("claims_no_time", "ValueError: n, rounds and rates must be above 0"),
        ("is_not_there", "AttributeError"),
    ],
)
def test_an_entrant_that_misbehaves_is_a_failure_with_its_error(name: str, error: str, sketches: Contest) -> None:
    result = launch(entrant(name), sketches, HERE, limit=PATIENCE)
    assert isinstance(result, Failure)
    assert error in result.error


def test_an_entrant_that_hangs_is_stopped_together_with_its_children(sketches: Contest) -> None:
    started, note = time.monotonic(), Path(f"{sketches.path}.child")
    for limit in (4, 100):  # on a busy machine it may not have begun after the first
        if not note.exists():
            assert launch(entrant("hangs"), sketches, HERE, limit=limit) == Failure(f"stopped after {limit} seconds")
    assert time.monotonic() - started < PATIENCE  # and it would have gone on for twice that
    child = int(note.read_text(encoding="ascii"))
    until(lambda: not runs(child))


def runs(process: int) -> bool:
    """Whether a process still does something; one that waits to be buried does not."""
    try:
        os.kill(process, 0)
        state = Path(f"/proc/{process}/stat").read_text(encoding="ascii").rsplit(")", 1)[1].split()[0]
    except (ProcessLookupError, FileNotFoundError):
        return False
    return state != "Z"


def test_without_an_interpreter_there_is_a_failure(sketches: Contest) -> None:
    result = launch(entrant("Exact"), sketches, Path("nowhere/python"), limit=PATIENCE)
    assert isinstance(result, Failure)
    assert result.error.startswith("no interpreter")


def test_a_library_that_is_not_installed_is_a_failure_that_names_it(sketches: Contest) -> None:
    missing = replace(entrant("Exact"), place="benchmarks.field.entrants.heavy_hitter_lists:River")
    result = launch(missing, sketches, HERE, limit=PATIENCE)
    assert isinstance(result, Failure)
    assert "No module named 'river'" in result.error


def test_an_honest_entrant_is_measured(sketches: Contest, stream: object) -> None:
    result = launch(entrant("Exact"), sketches, HERE, limit=PATIENCE)
    assert isinstance(result, Showing)
    assert result.n == len(stream)  # type: ignore[arg-type]
    assert result.answers[0] == [(0, 500.0), (1, 480.0), (2, 460.0), (3, 441.0), (4, 423.0)]
