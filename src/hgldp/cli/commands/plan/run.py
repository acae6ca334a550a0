"""`hgldp plan`: what a task will find, before it is launched."""

from argparse import Namespace
from collections.abc import Iterator
from dataclasses import asdict
from time import monotonic
from typing import Any

from hgldp.cli.command import imported
from hgldp.cli.commands.plan.asked import question_of
from hgldp.cli.commands.plan.tables import expected_page, least_page
from hgldp.cli.output import write_json
from hgldp.cli.terminal import progress_bar, show
from hgldp.cli.values import check_seeds
from hgldp.errors import InvalidField
from hgldp.model.validate import check_whole
from hgldp.planning.forecast import MOST_LAUNCHES, Forecast, LaunchQuestion, forecast_within
from hgldp.planning.launch import launch
from hgldp.planning.least import Least, check_wanted, fewest_reports, smallest_epsilon
from hgldp.planning.traffic import SPANS

INVERSE_LAUNCHES, STEPS, WARM_UP = 4, 16, 500
ByStream = dict[str, tuple[Least, Least]]


def run(chosen: Namespace) -> int:
    """Show the forecast as soon as there is one; only then look for the least that suffices."""
    check_whole("launches", chosen.launches, 1, MOST_LAUNCHES)
    check_seeds(chosen.seed, chosen.launches)
    if chosen.within is not None and chosen.wanted is None:
        raise InvalidField("within", "works with --wanted only", chosen.within)
    if chosen.wanted is not None:
        check_wanted(chosen.wanted)
    if not chosen.seconds > 0:
        raise InvalidField("seconds", "must be above 0", chosen.seconds)
    picture = imported("hgldp.cli.commands.plan.picture") if chosen.plot else None
    if picture:
        picture.check_file(chosen.plot)
    question = question_of(chosen)
    forecast = _forecast(question, chosen)
    if picture:
        picture.write(forecast, chosen.plot)
    if not chosen.json:
        show(expected_page(forecast))
    least: ByStream = {}
    if chosen.wanted is not None:
        within = chosen.within or "month"
        least = _least(question, chosen, SPANS[within])
        if not chosen.json:
            show(least_page(question, least, chosen.wanted, within))
    if chosen.json:
        write_json(_document(forecast, chosen, least))
    return 0


def _forecast(question: LaunchQuestion, chosen: Namespace) -> Forecast:
    """As many launches as there is time for, at least one. What must be compiled first takes no time of theirs."""
    total = chosen.launches * len(question.shapes)
    next(launch(question.task, question.shapes[0], [WARM_UP], seed=chosen.seed))
    with progress_bar("simulating launches", wanted=not chosen.no_progress) as advance:
        terms = chosen.launches, chosen.seed, chosen.seconds, monotonic
        return forecast_within(question, *terms, lambda done: advance(done, total))


def _least(question: LaunchQuestion, chosen: Namespace, days: int) -> ByStream:
    """Both inverse questions on each shape."""
    found, launches = ByStream(), min(chosen.launches, INVERSE_LAUNCHES)
    with progress_bar("looking for the least", wanted=not chosen.no_progress) as advance:
        steps = _counted(advance, STEPS * 2 * len(question.shapes))
        for shape in question.shapes:
            terms = chosen.wanted, launches, chosen.seed, lambda: next(steps)
            reports = fewest_reports(question, shape, *terms)
            epsilon = smallest_epsilon(question, shape, chosen.wanted, days, *terms[1:])
            found[shape.title] = reports, epsilon
    return found


def _counted(advance: Any, total: int) -> Iterator[None]:
    done = 0
    while True:
        done += 1
        advance(min(done, total), total)
        yield


def _document(forecast: Forecast, chosen: Namespace, least: ByStream) -> dict[str, Any]:
    question = forecast.question
    task, traffic = question.task, question.traffic
    rows = [asdict(row) for row in forecast.rows]
    found: dict[str, Any] = {
        "scheme": task.scheme,
        "epsilon": float(task.budget.epsilon),
        "level": task.budget.level,
        "k": task.k,
        "domain": task.domain.summary(),
        "warmup_raw_items": question.warmup,
        "traffic": {"count": traffic.count, "unit": traffic.unit},
        "metric": question.metric,
        "after": {name: [row for row in rows if row["days"] == days] for name, days in SPANS.items()},
        "rows": rows,
    }
    if least:
        days = SPANS[chosen.within or "month"]
        found["wanted"] = {question.metric: chosen.wanted, "days": days}
        found["least"] = {
            title: {
                "reports": _least_document(reports),
                traffic.unit: {
                    name: value and traffic.needed(value, days)
                    for name, value in (("found", reports.found), ("low", reports.low), ("high", reports.high))
                },
                "epsilon": _least_document(epsilon),
            }
            for title, (reports, epsilon) in least.items()
        }
    return found


def _least_document(least: Least) -> dict[str, Any]:
    tried = [{"at": at, **asdict(share)} for at, share in least.tried]
    return {"found": least.found, "low": least.low, "high": least.high, "tried": tried}
