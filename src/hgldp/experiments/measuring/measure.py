"""How one measurement is made: a plan from its settings, a run over the stream, and the scores."""

import time
from dataclasses import asdict, replace
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np

from hgldp.experiments.measurement import WARMUP, Measurement
from hgldp.experiments.measuring.client_time import CLOCK, time_one_by_one
from hgldp.experiments.measuring.over_time import STEPS, precision_over_time
from hgldp.experiments.measuring.streams import REHEARSAL, Drawn, Started, start
from hgldp.simulation.hot_list import simulate_hot_list
from hgldp.simulation.metrics import exact_top, sample_answer, score
from hgldp.simulation.outcome import Outcome
from hgldp.simulation.run import HEAVY_GUARDIAN, Plan, run

ANY_BUDGET = 1.0


def measure(measurement: Measurement, drawn: Drawn) -> dict[str, float]:
    """The values of one measurement on the stream that it names."""
    started = start(drawn, measurement.warmup, measurement.seed)
    common = _stream(started, measurement.k)
    if measurement.get(CLOCK) is not None:
        return common | time_one_by_one(measurement, started)
    if measurement.get(STEPS) is not None:
        return common | precision_over_time(measurement, started)
    if measurement.scheme == WARMUP:
        return common | _alone(started, measurement.k)
    plan, growth = plan_of(measurement, started)
    _rehearse(plan, growth, started)
    begin = time.process_time()
    outcome = _simulate(plan, growth, started, measurement.seed)
    seconds = time.process_time() - begin
    found = common | asdict(score(outcome.estimates, started.truth, measurement.k)) | _costs(outcome, seconds)
    if isinstance(plan.hot_share, float):
        found["hot_share"] = plan.hot_share
    if growth == 0 and plan.epoch is not None:
        bulletins = -(-outcome.reports // plan.epoch)
        published = found["bulletin_bytes"] * bulletins
        found |= {
            "bulletins": float(bulletins),
            "published_bytes": published,
            "published_bytes_per_report": published / outcome.reports,
        }
    return found


def _stream(started: Started, k: int) -> dict[str, float]:
    top = started.truth[exact_top(started.truth, k)].sum()
    return {
        "items": float(started.items.size),
        "domain_size": float(started.domain_size),
        "raw": float(started.raw),
        "top_share": float(top / started.truth.sum()),
    }


def plan_of(measurement: Measurement, started: Started) -> tuple[Plan, float | None]:
    """The plan, and how epochs grow if that is set; `hot_share` may be `true`, the exact share of the top cells."""
    settings: dict[str, Any] = dict(measurement.settings)
    growth = settings.pop("growth", None)
    if "judge_share" in settings:
        settings["judge_share"] = Fraction(settings["judge_share"])
    exact = settings.get("hot_share") == "true"
    if exact:
        del settings["hot_share"]
    budget = ANY_BUDGET if measurement.scheme == HEAVY_GUARDIAN else measurement.epsilon
    plan = Plan(measurement.scheme, budget, measurement.k, **settings)
    if exact:
        cells = plan.cells_for(started.domain_size)
        held = started.truth[exact_top(started.truth, cells)].sum()
        plan = replace(plan, hot_share=float(held / started.truth.sum()))
    return plan, growth


def _simulate(plan: Plan, growth: float | None, started: Started, seed: int) -> Outcome:
    if growth is None:
        return run(plan, started.items, started.domain_size, started.raw, seed)
    task = plan.task(started.domain_size, started.items[: started.raw]).changed(growth=growth)
    return simulate_hot_list(task, started.items, started.raw, seed)


@cache
def _seen() -> set[object]:
    return set()


def _rehearse(plan: Plan, growth: float | None, started: Started) -> None:
    """Compile each kernel before the first clock starts."""
    kind = (plan.scheme, plan.variant, plan.tight_or_default, started.raw > 0)
    if kind not in _seen():
        few = replace(
            started, items=np.ascontiguousarray(started.items[:REHEARSAL]), raw=min(started.raw, REHEARSAL // 2)
        )
        _simulate(plan, growth, few, 0)
        _seen().add(kind)


def _alone(started: Started, k: int) -> dict[str, float]:
    answer = sample_answer(started.sample, k, started.items.size) if started.raw else []
    return asdict(score(answer, started.truth, k))


def _costs(outcome: Outcome, seconds: float) -> dict[str, float]:
    return {
        "reports": float(outcome.reports),
        "drawn_one_by_one": float(outcome.drawn == "reports"),
        "state_bytes": float(outcome.state_bytes),
        "resident_bytes": float(outcome.resident_bytes),
        "upload_bytes": float(outcome.upload_bytes),
        "download_bytes": float(outcome.download_bytes),
        "bulletin_bytes": outcome.download_bytes / outcome.reports,
        "seconds": seconds,
    }
