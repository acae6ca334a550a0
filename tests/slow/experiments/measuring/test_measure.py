"""A measurement gives what the plain simulation and the plain scores give."""

from dataclasses import asdict
from pathlib import Path

import numpy as np
import pytest

from hgldp.errors import InvalidField
from hgldp.experiments.measurement import Measurement
from hgldp.experiments.measuring.measure import measure, plan_of
from hgldp.experiments.measuring.streams import Library, start
from hgldp.simulation.metrics import sample_answer, score
from hgldp.simulation.run import Plan, run

STREAM = "normal:n=5000,d=200,sigma=5"
DRAWN = Library().draw(STREAM, 3)


def test_the_values_are_those_of_the_simulation() -> None:
    found = measure(Measurement(STREAM, "dsr", 2.0, 3), DRAWN)
    outcome = run(Plan("dsr", 2.0, 20), DRAWN.items, 200, 50, 3)
    expected = asdict(score(outcome.estimates, np.bincount(DRAWN.items, minlength=200), 20))
    assert {name: found[name] for name in expected} == expected
    assert (found["reports"], found["raw"], found["state_bytes"]) == (4950, 50, outcome.state_bytes)


def test_settings_reach_the_plan() -> None:
    settings = (("variant", "as-published"), ("cells", 20), ("judge_share", "1/10"), ("hot_share", "true"))
    started = start(DRAWN, "1%", 3)
    plan, growth = plan_of(Measurement(STREAM, "bdr", 2.0, 3, settings=settings), started)
    share = np.sort(np.bincount(DRAWN.items))[::-1][:20].sum() / 5000
    assert (plan.variant, plan.cells, str(plan.judge_share), growth) == ("as-published", 20, "1/10", None)
    assert plan.hot_share == pytest.approx(share)


def test_the_warm_up_alone_is_the_raw_sample_scaled_up() -> None:
    found = measure(Measurement(STREAM, "warmup", 0.0, 3), DRAWN)
    answer = sample_answer(np.bincount(DRAWN.items[:50], minlength=200), 20, 5000)
    assert found["ndcg"] == score(answer, np.bincount(DRAWN.items, minlength=200), 20).ndcg


def test_bulletins_of_epochs_that_do_not_grow_are_counted() -> None:
    settings = (("epoch", 100), ("growth", 0.0))
    found = measure(Measurement(STREAM, "dsr", 2.0, 3, settings=settings), DRAWN)
    assert found["bulletins"] == 50
    assert found["published_bytes_per_report"] == pytest.approx(50 * found["bulletin_bytes"] / 4950)
    assert "bulletins" not in measure(Measurement(STREAM, "dsr", 2.0, 3), DRAWN)


def test_heavy_guardian_needs_no_budget() -> None:
    assert measure(Measurement(STREAM, "heavyguardian", 0.0, 3), DRAWN)["precision"] > 0.9


def test_a_data_set_is_found_by_its_name_and_refused_by_it(tmp_path: Path) -> None:
    (tmp_path / "retail.dat").write_text("5 7 5\n7 9\n")
    library = Library(tmp_path)
    assert library.draw("retail", 1).items.tolist() == [0, 1, 0, 1, 2]
    assert library.draw("retail", 1) is library.draw("retail", 2)
    assert library.path("other") is None
    with pytest.raises(InvalidField, match="got other"):
        library.draw("other", 1)
