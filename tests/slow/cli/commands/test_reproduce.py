"""`hgldp reproduce`: a folder with a report, whatever happens on the way."""

import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from hgldp.cli import main
from hgldp.cli.commands.reproduce import run
from hgldp.experiments.report import Content, gather
from hgldp.experiments.reproduce import Request
from hgldp.experiments.results import Results
from hgldp.experiments.scale import FULL, QUICK, Scale
from hgldp.experiments.studies.frontier import drift
from hgldp.experiments.studies.registry import CLAIMS, PICTURES, SWEEPS
from tests.cli.test_command import blocked
from tests.patience import PATIENCE

KEPT = Path(".cache") / "results.jsonl"
SHORT = replace(QUICK, items=2000, epsilons=(0.5, 5.0), few_epsilons=(0.5, 4.0), webdocs="zipf:n=20000,d=2000,s=1.1")
SOME = ("--quick", "--repeats", "1", "--only", "hot-share", "epochs")


@pytest.fixture(autouse=True)
def _no_data(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever data sets the machine has, there are none here."""
    monkeypatch.setenv("HGLDP_DATA", str(tmp_path_factory.mktemp("no-data")))


def kept(out: Path) -> list[dict[str, Any]]:
    lines = (out / KEPT).read_bytes().split(b"\n") if (out / KEPT).exists() else [b""]
    return [json.loads(line) for line in lines[:-1]]


def started(out: Path, *arguments: str) -> subprocess.Popen[str]:
    """The command in a process group of its own, open to interrupts even where this one is not."""
    words = ["reproduce", *arguments, "--out", str(out)]
    program = (
        "import signal, sys; signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        f"from hgldp.cli import main; sys.exit(main({words!r}))"
    )
    command = [sys.executable, "-c", program]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True)


def wait_for(out: Path, results: int, run: subprocess.Popen[str]) -> None:
    deadline = time.monotonic() + PATIENCE
    while len(kept(out)) < results:
        assert run.poll() is None, "it ended before it was interrupted"
        assert time.monotonic() < deadline
        time.sleep(0.02)


def numbers(out: Path) -> dict[str, dict[str, float]]:
    """Everything that was measured, but for the time it took."""
    return {
        entry["key"]: {name: value for name, value in entry["values"].items() if name != "seconds"}
        for entry in kept(out)
    }


def test_killed_in_the_middle_and_started_again_it_repeats_nothing_and_finds_the_same(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    whole, torn = tmp_path / "whole", tmp_path / "torn"
    run = started(torn, *SOME)
    wait_for(torn, 30, run)
    run.send_signal(signal.SIGKILL)
    run.communicate()
    before = (torn / KEPT).read_bytes()
    known = len(kept(torn))
    with (torn / KEPT).open("ab") as file:
        file.write(b'{"key": "cut off in the mid')

    assert main(["reproduce", *SOME, "--out", str(torn)]) == 0
    assert f" measurements, {known} of them known from before" in capsys.readouterr().err
    assert (torn / KEPT).read_bytes().startswith(before)
    keys = [entry["key"] for entry in kept(torn)]
    assert len(keys) == len(set(keys))

    assert main(["reproduce", *SOME, "--out", str(whole)]) == 0
    assert known < len(keys)
    assert numbers(torn) == numbers(whole)
    assert (torn / "figures" / "epochs.svg").read_bytes() == (whole / "figures" / "epochs.svg").read_bytes()


def test_interrupted_it_ends_at_once_with_a_whole_cache_and_leaves_nobody_behind(tmp_path: Path) -> None:
    run = started(tmp_path, *SOME)
    wait_for(tmp_path, 5, run)
    os.killpg(run.pid, signal.SIGINT)
    said, complaint = run.communicate(timeout=PATIENCE)
    assert run.returncode == 130
    assert said == ""
    assert "Traceback" not in complaint
    assert (tmp_path / KEPT).read_bytes().endswith(b"\n")
    deadline = time.monotonic() + PATIENCE
    while alive_in(run.pid):
        assert time.monotonic() < deadline
        time.sleep(0.05)


def alive_in(group: int) -> list[str]:
    """The processes of a group that are not dead; those that nobody has buried yet are."""
    listed = subprocess.run(["ps", "-e", "-o", "pgid=,stat=,args="], capture_output=True, text=True, check=True)  # noqa: S607
    found = [line.split(None, 2) for line in listed.stdout.splitlines()]
    return [words[2] for words in found if int(words[0]) == group and not words[1].startswith("Z")]


def test_a_reproduction_has_every_sweep_figure_table_and_claim(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """With one repeat: each kind of measurement of each sweep, and each figure, table and claim.

    Figures and claims over repeats have tests of their own. The streams are short and have the smallest and the largest
    budget only, and the stream that changes is asked for four times instead of forty, unless `make test-long` asks for
    all of `--quick`.
    """
    scale = QUICK if "HGLDP_QUICK" in os.environ else SHORT
    if scale is SHORT:
        monkeypatch.setattr(run, "QUICK", SHORT)
        monkeypatch.setattr(drift, "ASKED", 4)
    assert main(["reproduce", "--quick", "--repeats", "1", "--out", str(tmp_path)]) == 0
    assert "claims" in capsys.readouterr().out
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    text = (tmp_path / "report.md").read_text(encoding="utf-8")
    assert all(f'id="figure-{name}"' in page and f"figures/{name}.svg" in text for name in PICTURES)
    assert all(claim.text.replace("|", "\\|") in text for claim in CLAIMS)
    assert {file.stem for file in (tmp_path / "data").glob("*.csv")} == set(SWEEPS)
    wanted = {one for sweep in SWEEPS.values() for one in sweep.measurements(replace(scale, repeats=1))}
    assert len(kept(tmp_path)) == len(wanted)
    assert "What failed" not in text
    assert "Broken" not in page
    assert sum(file.stat().st_size for file in (tmp_path / "figures").iterdir()) < 8_000_000


@pytest.mark.parametrize(
    ("words", "scale"),
    [((), FULL), (("--quick",), QUICK), (("--quick", "--repeats", "1"), replace(QUICK, repeats=1))],
)
def test_the_scale_is_the_one_that_was_asked_for(
    words: tuple[str, ...], scale: Scale, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each figure and each sweep of it; nothing is measured here."""
    asked: list[Request] = []

    def take(request: Request, _: object) -> Content:
        asked.append(request)
        return gather(Results.of([]), (), request.scale, 0.0)

    monkeypatch.setattr(run, "reproduce", take)
    assert main(["reproduce", *words, "--out", str(tmp_path)]) == 0
    (request,) = asked
    assert request.scale == scale
    assert request.pictures == tuple(PICTURES.values())
    assert set(request.sweeps) == set(SWEEPS)


def test_the_list_names_every_figure(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["reproduce", "--list"]) == 0
    shown = capsys.readouterr().out
    assert all(f"{picture.name} " in shown and picture.title in shown for picture in PICTURES.values())


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["--only", "ndcg", "moon"], "--only must name figures (hgldp reproduce --list), got moon"),
        (["--repeats", "0"], "repeats must be"),
        (["--data", "nowhere"], "data must be a folder, got nowhere"),
        (["--out", "taken"], "out must be a folder that can be written to, got taken"),
    ],
)
def test_what_cannot_be_done_is_refused_in_one_line(
    arguments: list[str],
    complaint: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "taken").touch()
    assert main(["reproduce", "--quick", *arguments]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert complaint in said.err
    assert said.err.count("\n") == 1


def test_without_matplotlib_it_names_the_extra() -> None:
    done = blocked(["matplotlib"], "reproduce", "--list")
    assert done.returncode == 2
    assert "[experiments]'" in done.stderr
