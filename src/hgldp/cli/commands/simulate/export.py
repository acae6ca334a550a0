"""Results for programs: JSON with everything, CSV with one row per run."""

import csv
from dataclasses import asdict
from io import StringIO
from typing import Any

from hgldp.experiments.experiment import Experiment, Line, OpenExperiment, Result, Run, mean_scores
from hgldp.wire.csv_cell import safe_cell

BYTES = ("state_bytes", "upload_bytes", "download_bytes")


def as_objects(experiment: Experiment) -> dict[str, Any] | list[dict[str, Any]]:
    """One object, or a list if there are several schemes or budgets."""
    objects = [_object(experiment, result) for result in experiment.results]
    return objects[0] if len(objects) == 1 else objects


def as_csv(experiment: Experiment) -> str:
    """One row per run, with a header."""
    rows = [
        _setting(experiment, result) | _numbers(run) | _alone(experiment, number) | {"clear_top": run.has_clear_top}
        for result in experiment.results
        for number, run in enumerate(result.runs)
    ]
    text = StringIO()
    writer = csv.DictWriter(text, fieldnames=list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows({name: safe_cell(value) for name, value in row.items()} for row in rows)
    return text.getvalue()


def _setting(experiment: Experiment, result: Result) -> dict[str, Any]:
    plan = result.plan
    return {
        "stream": experiment.stream,
        "scheme": plan.scheme,
        "variant": plan.variant,
        "epsilon": plan.epsilon,
        "level": plan.level,
        "events": plan.budget.events,
        "k": plan.k,
        "cells": plan.cells_for(experiment.domain_size),
        "items": experiment.items,
        "domain_size": experiment.domain_size,
        "warmup": experiment.warmup,
        "half_life": plan.half_life or 0,
        **_of_strings(experiment),
    }


def _of_strings(experiment: Experiment) -> dict[str, Any]:
    """Fields that exist only with --open."""
    if not isinstance(experiment, OpenExperiment):
        return {}
    known = {"hints": experiment.hints, "on_list": experiment.on_list} if experiment.hints else {}
    return {"open": True, "most_bytes": experiment.most_bytes, "without_code": experiment.without_code, **known}


def _numbers(run: Run) -> dict[str, Any]:
    outcome = run.outcome
    sizes = {name: getattr(outcome, name) for name in BYTES}
    return {
        "seed": run.seed,
        "reports": outcome.reports,
        **asdict(run.scores),
        **sizes,
        "drawn": outcome.drawn,
        "reports_per_second": run.reports_per_second,
    }


def _alone(experiment: Experiment, number: int | None) -> dict[str, Any]:
    """The scores of the warm-up by itself: of one run, or the mean over all."""
    names = ("precision", "ndcg", "aae")
    if not experiment.alone:
        return {f"warmup_{name}": None for name in names}
    scores = mean_scores(experiment.alone) if number is None else experiment.alone[number]
    return {f"warmup_{name}": getattr(scores, name) for name in names}


def _object(experiment: Experiment, result: Result) -> dict[str, Any]:
    runs = [
        _numbers(run)
        | _alone(experiment, number)
        | {"clear_top": run.has_clear_top, "top": [_line(line) for line in run.top]}
        for number, run in enumerate(result.runs)
    ]
    return {
        **_setting(experiment, result),
        "reports": result.runs[0].outcome.reports,
        **asdict(result.scores),
        **_alone(experiment, None),
        **{name: result.mean(name) for name in BYTES},
        "drawn": result.drawn,
        "reports_per_second": result.reports_per_second,
        "seed": experiment.seeds[0],
        "repeats": len(experiment.seeds),
        "runs": runs,
    }


def _line(line: Line) -> dict[str, Any]:
    estimate = line.estimate
    (low, high), (best, worst) = estimate.interval, estimate.ranks or (None, None)
    since_low, since_high = estimate.tracked_interval if estimate.since else (None, None)
    return {
        "item": line.label,
        "count": estimate.count,
        "standard_error": estimate.standard_error,
        "true_count": line.true_count,
        "in_true_top": line.in_true_top,
        "low": low,
        "high": high,
        "tracked_count": estimate.tracked_count,
        "tracked_error": estimate.tracked_error,
        "since": estimate.since,
        "rank_low": best,
        "rank_high": worst,
        "may_be_noise": estimate.may_be_noise,
        "since_low": since_low,
        "since_high": since_high,
    }
