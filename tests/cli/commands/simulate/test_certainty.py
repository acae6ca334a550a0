"""What a simulated answer says about its own certainty: on a page, in JSON and in CSV."""

import csv
import io
import json
from dataclasses import replace

import numpy as np
import pytest

from hgldp.cli import main
from hgldp.experiments import experiment
from hgldp.simulation.heavy_guardian import simulate_heavy_guardian
from hgldp.simulation.outcome import Outcome

CALL = ("simulate", "normal:n=3000,d=60,sigma=3", "--scheme", "pfr", "--epsilon", "4", "--k", "3")


@pytest.fixture
def judged(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """What the store says of each line, in place of what it would say."""
    noise: list[bool] = []
    honest = experiment.run

    def run(*given: object) -> Outcome:
        found = honest(*given)
        lines = [
            replace(line, may_be_noise=each, ranks=(rank, rank + 1))
            for rank, (line, each) in enumerate(zip(found.estimates, noise, strict=True), start=1)
        ]
        return replace(found, estimates=tuple(lines))

    monkeypatch.setattr(experiment, "run", run)
    return noise


def said(capsys: pytest.CaptureFixture[str], *more: str) -> str:
    assert main([*CALL, *more]) == 0
    return capsys.readouterr().out


def test_a_page_marks_what_may_be_noise_and_gives_likely_ranks(
    judged: list[bool], capsys: pytest.CaptureFixture[str]
) -> None:
    judged += [False, True, False]
    page = said(capsys).partition("The answer of pfr")[2]
    rows = [line.split() for line in page.splitlines() if line[:4].strip().isdigit()]
    assert [row[:2] for row in rows] == [["1", "1–2"], ["2", "2–3"], ["3", "3–4"]]
    assert [row[-1] == "maybe" for row in rows] == judged
    assert "noise?  maybe: it does not stand out from an ordinary item" in page
    assert "No clear top" not in page
    result = json.loads(said(capsys, "--json"))
    lines = result["runs"][0]["top"]
    assert [(line["rank_low"], line["rank_high"]) for line in lines] == [(1, 2), (2, 3), (3, 4)]
    assert [line["may_be_noise"] for line in lines] == judged
    assert result["runs"][0]["clear_top"] is True


def test_a_page_says_first_that_there_is_no_clear_top(judged: list[bool], capsys: pytest.CaptureFixture[str]) -> None:
    judged += [True] * 3
    page = said(capsys).partition("The answer of pfr")[2]
    assert page.index("No clear top: none of these items stands out from chance.") < page.index("95 % interval")
    assert json.loads(said(capsys, "--json"))["runs"][0]["clear_top"] is False
    rows = csv.DictReader(io.StringIO(said(capsys, "--csv")))
    assert [row["clear_top"] for row in rows] == ["false"]


def test_an_answer_tells_its_raw_items_apart(capsys: pytest.CaptureFixture[str]) -> None:
    page = said(capsys, "--warmup", "500").partition("The answer of pfr")[2]
    (heading,) = (line.split() for line in page.splitlines() if line.startswith("rank ") and "item" in line)
    assert heading[heading.index("estimate") + 1] == "raw"
    assert "of the estimate, from the warm-up: items that nobody randomised" in page
    assert "nobody randomised" not in said(capsys).partition("The answer of pfr")[2]


def test_a_sketch_without_noise_has_certain_bounds_and_no_interval_since() -> None:
    stream = np.arange(3000, dtype=np.int32) % 7
    found = simulate_heavy_guardian("default", stream, domain_size=7, k=3, cells=3, seed=1).estimates
    assert all(line.interval == (line.count, line.count + line.standard_error) for line in found)
    assert not any(line.may_be_noise or line.since for line in found)
