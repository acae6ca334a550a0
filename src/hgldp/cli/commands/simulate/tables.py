"""What `hgldp simulate` shows to people."""

from collections.abc import Iterator, Sequence
from functools import partial

from rich.console import Group
from rich.table import Table
from rich.text import Text

from hgldp.cli.answer_table import (
    NOTHING_YET,
    answer_table,
    certainty,
    how_long_strings_take,
    no_clear_top,
    terms_of,
)
from hgldp.cli.collector_answer import ONE_ERROR, RAW_TERM
from hgldp.cli.terminal import Fitted, Legend, open_table, page
from hgldp.cli.units import LONGEST_LABEL, counted, in_bytes, in_count, in_millions, in_share, label
from hgldp.experiments.experiment import Experiment, Line, OpenExperiment, Result, Run, mean_scores
from hgldp.mechanisms.registry import MECHANISMS
from hgldp.model.estimate import LIKELY, RAW, STARTED_COLD, Estimate, half_life_in_words, in_numbers
from hgldp.model.rules import Spelling
from hgldp.schemes.open_pfr import EPOCHS_TO_SPELL
from hgldp.schemes.pfr import PFR
from hgldp.schemes.registry import HOT_LISTS, hot_lists, other_schemes
from hgldp.simulation.metrics import Scores
from hgldp.simulation.run import HEAVY_GUARDIAN
from hgldp.simulation.strings import OpenOutcome

GROUPS = (
    (tuple(HOT_LISTS), "private; the server keeps a few cells"),
    ((PFR.name,), "private; needs no warm-up; the server keeps at most a fixed number of bytes"),
    (tuple(MECHANISMS), "private; the server keeps a counter for each possible item"),
    (tuple(other_schemes()), "from another package"),
    ((HEAVY_GUARDIAN,), "not private: what a few cells find when everybody tells the truth"),
)
HEADINGS = ("scheme", "ε", "precision", "NDCG", "AAE", "state", "sent", "fetched", "M/s")
MAY_GO = ("fetched", "sent", "M/s", "state", "AAE", "NDCG")
LEGEND = (
    ("NDCG", "1 if they are also in the right order"),
    ("AAE", "mean error of their counts; the count of an item that was not found is 0"),
    ("state", "everything that the server keeps from one report to the next"),
    ("sent", "bytes of all reports, without headers"),
    ("fetched", "bytes of all bulletins, if every report fetched its own"),
    ("M/s", "million reports per second, clients and server together on one core"),
)
ONLY_COUNTS = "drawn as sums of reports, not one by one, so there is no speed to show"
CORRECTED, BY_ESTIMATE = "by the estimate, after a correction for luck", "by the estimate"
SPELT_OUT = "private; spells out strings that nobody listed; the server keeps at most a fixed number of bytes"
WARM = "†"
CERTAIN, UNCERTAIN = ("certain bounds",), ("±", "95 % interval")
FADED = "old events count less, as in the estimate"
NO_ROOM = "cells = k leaves no room for newcomers: use more cells, or a smaller k"


def pages(experiment: Experiment) -> list[Group]:
    """The comparison; for a single result also the answer itself."""
    both = [comparison(experiment)]
    if len(experiment.results) == 1:
        both.append(answer(experiment, experiment.results[0]))
    return both


def comparison(experiment: Experiment) -> Group:
    """One row for each scheme and budget, after a row for what the raw warm-up says by itself."""
    table = Fitted(HEADINGS, MAY_GO, partial(_rows, experiment))
    return page(
        f"Top {experiment.k} of a stream, {_found_by(experiment)}",
        table,
        Text(_setting(experiment)),
        Legend(table, list(_terms(experiment))),
    )


def _found_by(experiment: Experiment) -> str:
    """HeavyGuardian is the one scheme that sees items as they are."""
    return "found in raw items" if not any(map(_randomises, experiment.results)) else "found by randomised reports"


def _randomises(result: Result) -> bool:
    return result.plan.scheme != HEAVY_GUARDIAN


def _rows(experiment: Experiment, headings: Sequence[str]) -> Table:
    table = open_table()
    for heading in headings:
        table.add_column(heading, justify="left" if heading == "scheme" else "right", no_wrap=True)
    if experiment.alone:
        alone = dict(zip(HEADINGS, ("warm-up alone", "raw", *_scores(mean_scores(experiment.alone))), strict=False))
        table.add_row(*(alone.get(heading, "") for heading in headings), style="italic")
        table.add_section()
    several = len({result.plan.epsilon for result in experiment.results}) > 1
    last = None
    for result in experiment.results:
        block = result.plan.scheme if several else _group(result.plan.scheme)
        if last not in {None, block}:
            table.add_section()
        row = dict(zip(HEADINGS, _row(result, warm=_is_warm(experiment, result)), strict=True))
        table.add_row(*(row[heading] for heading in headings))
        last = block
    return table


def answer(experiment: Experiment, result: Result) -> Group:
    """The top k of the first run, each beside the truth."""
    first: Run = result.runs[0]
    which = f" (seed {first.seed}, the first of {len(result.runs)})" if len(result.runs) > 1 else ""
    certain = result.plan.scheme == HEAVY_GUARDIAN
    longest = experiment.most_bytes if isinstance(experiment, OpenExperiment) else LONGEST_LABEL
    rows = [
        _line(line, longest) | {"rank": str(rank)} | (_bounds(line.estimate) if certain else _interval(line.estimate))
        for rank, line in enumerate(first.top, start=1)
    ]
    raw = (RAW,) if any(line.estimate.warmup for line in first.top) else ()
    headings = ("rank", LIKELY, "item", "estimate", *raw, *(CERTAIN if certain else UNCERTAIN), "true count", "✓")
    terms = [
        ("rank", _ranked_by(result)),
        ("certain bounds", "the true count lies between them, for certain") if certain else ONE_ERROR,
        ("✓", f"one of the true top {experiment.k}"),
        *([("true count", FADED)] if result.plan.half_life else []),
        *([RAW_TERM] if raw else []),
    ]
    weighed = [Text(half_life_in_words(result.plan.half_life))] if result.plan.half_life else []
    title, warning = f"The answer of {result.plan.scheme}{which}", _nothing_clear(first, result.plan.spelling)
    if not rows:
        return page(title, *warning)
    table = answer_table(rows, headings, ("±",))
    return page(title, *warning, table, Legend(table, [*terms, *terms_of(rows)]), *weighed)


def _nothing_clear(first: Run, spelling: Spelling) -> list[Text]:
    """That nothing stands out, if so; among strings that nobody listed, also how long it takes."""
    if first.has_clear_top:
        return []
    told = [no_clear_top() if first.top else Text(NOTHING_YET, style="yellow")]
    if isinstance(first.outcome, OpenOutcome):
        epochs = EPOCHS_TO_SPELL[spelling]
        told.append(Text(how_long_strings_take(first.outcome.reports, first.outcome.first_epoch, epochs)))
    return told


def _ranked_by(result: Result) -> str:
    return CORRECTED if _keeps_its_list(result) or result.plan.scheme == PFR.name else BY_ESTIMATE


def _line(line: Line, longest: int) -> dict[str, str | Text]:
    best, worst = line.estimate.ranks or (None, None)
    return {
        "item": Text(label(line.label, longest)),
        RAW: in_count(line.estimate.warmup) if line.estimate.warmup else "",
        "true count": in_count(line.true_count),
        "✓": Text("✓", style="green") if line.in_true_top else Text(""),
        **certainty(best, worst, line.estimate.may_be_noise),
    }


def _interval(estimate: Estimate) -> dict[str, str | Text]:
    error = estimate.standard_error
    count, off, *ends = in_numbers(estimate.count, error, *estimate.interval, error=error)
    return {"estimate": count, "±": off, "95 % interval": " … ".join(ends)}


def _bounds(estimate: Estimate) -> dict[str, str | Text]:
    """HeavyGuardian's own count is never too high."""
    low, high = estimate.interval
    return {"estimate": in_count(estimate.count), "certain bounds": f"{in_count(low)} … {in_count(high)}"}


def _row(result: Result, *, warm: bool) -> tuple[str, ...]:
    plan = result.plan
    name = plan.scheme if plan.variant == "default" else f"{plan.scheme} {plan.variant}"
    sizes = (in_bytes(result.mean(f"{part}_bytes")) for part in ("state", "upload", "download"))
    budget = "none" if plan.scheme == HEAVY_GUARDIAN else f"{plan.epsilon:g}"
    speed = in_millions(result.reports_per_second) if result.drawn == "reports" else "*"
    return f"{name} {WARM}" if warm else name, budget, *_scores(result.scores), *sizes, speed


def _scores(scores: Scores) -> tuple[str, str, str]:
    return f"{scores.precision:.3f}", f"{scores.ndcg:.3f}", in_count(scores.aae)


def _setting(experiment: Experiment) -> str:
    seeds = experiment.seeds
    cells = experiment.results[0].plan.cells_for(experiment.domain_size)
    runs = f"Seed {seeds[0]}." if len(seeds) == 1 else f"Mean of {len(seeds)} runs, seeds {seeds[0]} … {seeds[-1]}."
    lines = [
        f"{label(experiment.stream, 60)}: {_contents(experiment)}",
        _start(experiment),
        f"{_cells(experiment)} cells to find the top {experiment.k}. {runs}",
    ]
    if half_life := next((each.plan.half_life for each in experiment.results if each.plan.half_life), None):
        lines.append(f"pfr has a half-life of {counted(half_life, 'report')}: the true counts beside it fade as well.")
    if experiment.results[0].plan.level != "event":
        lines.append(_cover(experiment))
    if not experiment.warmup and any(_keeps_its_list(result) for result in experiment.results):
        lines.append(NO_ROOM if cells == experiment.k else f"{STARTED_COLD} (docs/estimates.md)")
    return "\n".join(lines)


def _start(experiment: Experiment) -> str:
    """A warm-up is a donation of raw items, so the page says who got it."""
    randomised = f"every item is randomised{_exceptions(experiment)}"
    if not any(map(_randomises, experiment.results)):
        return f"Nothing is randomised: {HEAVY_GUARDIAN} sees every item as it is."
    if not experiment.warmup:
        return f"No warm-up: {randomised}."
    share = in_share(experiment.warmup / experiment.items)
    donated = f"the first {counted(experiment.warmup, 'item')} ({share})"
    if any(_is_warm(experiment, result) for result in experiment.results):
        return f"Rows with {WARM} start from {donated}, donated raw; {randomised.replace('every', 'every other')}."
    return f"None of these schemes can use {donated} as a warm-up: {randomised}."


def _exceptions(experiment: Experiment) -> str:
    return "" if all(map(_randomises, experiment.results)) else f", except for {HEAVY_GUARDIAN}"


def _is_warm(experiment: Experiment, result: Result) -> bool:
    """A row that was given items raw has fewer reports than the stream has items."""
    return result.runs[0].outcome.reports < experiment.items


def _contents(experiment: Experiment) -> str:
    different = in_count(experiment.domain_size)
    if not isinstance(experiment, OpenExperiment):
        return f"{counted(experiment.items, 'item')}, out of {different} possible ones."
    kinds = f"{different} of them different" if experiment.domain_size > 1 else "all the same"
    on_list = f"{in_count(experiment.on_list)} of them are on a list of {in_count(experiment.hints)}"
    known = on_list if experiment.hints else "nobody listed them"
    text = f"{counted(experiment.items, 'string')}, {kinds}; {known}."
    if not experiment.without_code:
        return text
    are = "is" if experiment.without_code == 1 else "are"
    lost = f"{in_count(experiment.without_code)} of them {are} longer than {experiment.most_bytes} bytes or not text"
    return f"{text}\n{lost}, and counted as 'everything else'."


def _cells(experiment: Experiment) -> str:
    plans = [result.plan for result in experiment.results]
    others = {in_count(plan.cells_for(experiment.domain_size)) for plan in plans if plan.scheme != PFR.name}
    frontier = {in_count(plan.cells_for(experiment.domain_size)) for plan in plans if plan.scheme == PFR.name}
    if others and frontier and others != frontier:
        return f"{others.pop()} (pfr: {frontier.pop()})"
    return (others or frontier).pop()


def _cover(experiment: Experiment) -> str:
    budgets = [result.plan.budget for result in experiment.results]
    each = ", ".join(dict.fromkeys(f"{float(budget.per_report):.3g}" for budget in budgets))
    return f"ε covers {budgets[0].covers}: {each} per report."


def _keeps_its_list(result: Result) -> bool:
    """The deployable schemes replace an item only if there are more cells than wanted items."""
    return result.plan.scheme in hot_lists() and result.plan.variant == "default"


def _group(scheme: str) -> int:
    return next(number for number, (members, _) in enumerate(GROUPS) if scheme in members)


def _precision(experiment: Experiment) -> str:
    """Where fewer than k items occurred, extra lines of an answer count against it."""
    if experiment.occurred >= experiment.k:
        return f"share of the true top {experiment.k} that was found"
    occurred = counted(experiment.occurred, "item")
    return f"hits over lines of the answer, or over the {occurred} that occurred if the answer is shorter"


def _span(names: list[str]) -> str:
    return " ".join(names) if len(names) <= 4 else f"{names[0]} … {names[-1]}"


def _terms(experiment: Experiment) -> Iterator[tuple[str, str]]:
    ran = list(dict.fromkeys(result.plan.scheme for result in experiment.results))
    for members, meaning in GROUPS:
        if present := [name for name in ran if name in members]:
            yield _span(present), SPELT_OUT if isinstance(experiment, OpenExperiment) else meaning
    if any(_is_warm(experiment, result) for result in experiment.results):
        yield WARM, f"given the first {counted(experiment.warmup, 'item')} raw"
    yield "precision", _precision(experiment)
    for term, meaning in LEGEND:
        yield term, meaning
    if any(result.drawn != "reports" for result in experiment.results):
        yield "*", ONLY_COUNTS
