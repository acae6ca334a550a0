"""What a task costs its clients in privacy, and how much a forged report can do: computed, never written by hand."""

from dataclasses import asdict, dataclass
from fractions import Fraction
from math import exp

from hgldp.model.budget import Budget
from hgldp.model.bulletins import AnyBulletin
from hgldp.model.estimate import raw_items
from hgldp.model.forgery import rounded_up
from hgldp.model.period import DAY_SECONDS, MONTH, YEAR
from hgldp.model.reports import symbol_bytes
from hgldp.model.task import Task
from hgldp.schemes.registry import scheme_of
from hgldp.wire.upload import Upload

LARGEST_STATED = 10


@dataclass(frozen=True)
class Statement:
    """The privacy card of a task. What a day, a month or a year costs is None where the task sets no limit."""

    scheme: str
    epsilon: float
    level: str
    events: int
    period: str | None
    division: str | None
    weighs: str
    epsilon_per_report: float
    odds_factor: float
    daily_reports: int | None
    epsilon_per_day: float | None
    epsilon_per_month: float | None
    epsilon_per_year: float | None
    leverage: float
    worth_of_forgery: float
    symbol_bytes: int
    upload_bytes: int
    state_bytes: int
    covers: str
    meaning: str
    day: str
    month: str
    counts: str
    not_covered: str
    forged: str
    warmup_raw_items: int
    raw: str


def privacy_statement(task: Task, bulletin: AnyBulletin, state_bytes: int, warmup: int = 0) -> Statement:
    """The statement of a task under the bulletin in force, which started from `warmup` raw items.

    >>> from hgldp.model.bulletins import Bulletin
    >>> task = Task("dsr", epsilon=2.0, domain=range(1000), k=10, daily_reports=3)
    >>> stated = privacy_statement(task, Bulletin(task.id, 0, 1000, tuple(range(20))), state_bytes=981)
    >>> stated.epsilon_per_day, stated.odds_factor, stated.upload_bytes, stated.leverage, stated.worth_of_forgery
    (6.0, 7.39, 64, 4.61, 36.9)
    >>> stated.meaning
    'Whoever sees a report can raise the odds of a guess about its event at most 7.39-fold.'
    """
    budget, scheme = task.budget, scheme_of(task)
    each, width = float(budget.per_report), symbol_bytes(scheme.symbol_limit(bulletin))
    factor, counted = rounded_up(exp(each)), rounded_up(scheme.leverage(bulletin))
    published = rounded_up(scheme.worth_of_forgery(bulletin))
    daily, most = task.daily_reports, [task.most_reports_within(seconds) for seconds in (DAY_SECONDS, MONTH, YEAR)]
    per_day, per_month, per_year = (None if each is None else _stated(budget.per_report * each) for each in most)
    return Statement(
        scheme=task.scheme,
        epsilon=float(budget.epsilon),
        level=budget.level,
        events=budget.events,
        period=budget.period,
        division=budget.division,
        weighs=task.weighs,
        epsilon_per_report=each,
        odds_factor=factor,
        daily_reports=daily or None,
        epsilon_per_day=per_day,
        epsilon_per_month=per_month,
        epsilon_per_year=per_year,
        leverage=counted,
        worth_of_forgery=published,
        symbol_bytes=width,
        upload_bytes=len(Upload(bytes(16), bytes(32), 1, bytes(width)).encode()),
        state_bytes=state_bytes,
        covers=f"ε = {float(budget.epsilon):g} covers {task.covers}.",
        meaning=f"Whoever sees a report can raise the odds of a guess about its event at most {factor:g}-fold.",
        day=_sentence_of_a_day(task, most[0], per_day),
        month=_sentence_of_months(budget, per_month, per_year),
        counts=_sentence_of_counts(task),
        not_covered=_sentence_of_what_is_not_covered(task),
        forged=_sentence_of_a_forgery(counted, published),
        warmup_raw_items=warmup,
        raw=raw_in_words(warmup),
    )


def raw_in_words(warmup: int) -> str:
    """What was not randomised at all.

    >>> raw_in_words(0)
    'Everything that is counted was randomised by a client.'
    """
    if not warmup:
        return "Everything that is counted was randomised by a client."
    return f"The task started from a warm-up of {raw_items(warmup)}, counted as they are: no ε covers them."


def as_document(statement: Statement) -> dict[str, object]:
    """As JSON, in the order of the fields."""
    return asdict(statement)


def _sentence_of_a_day(task: Task, reports: int | None, per_day: float | None) -> str:
    period, each = task.budget.period, ""
    if task.one_answer:
        kept = f", which stays for at least a {task.keys}"
        stays = kept if task.keys != "epoch" else f", and no two within {task.epoch_seconds:,} seconds"
        if period is not None:
            return f"A client makes at most one report for each {period}, and no two for the same bulletin{stays}."
        each = f"A client makes at most one report for each bulletin{stays}. "
    if period is not None:
        return f"A client makes one report for each {period}; it may be late, so that two fall into one day."
    if reports is None:
        return f"{each}The task sets no daily cap: only a client's own ceiling bounds what many reports cost together."
    if reports == 1:
        return f"{each}A client makes at most 1 report in 24 hours, which costs at most ε = {per_day:,g}."
    return f"{each}A client makes at most {reports} reports in 24 hours, which together cost at most ε = {per_day:,g}."


def _sentence_of_months(budget: Budget, per_month: float | None, per_year: float | None) -> str:
    """What is learnt about a person over time; beyond ten, ε hides nothing that stays the same."""
    if per_month is None or per_year is None:
        return "Over months, a habit that stays the same can be learnt: each further report tells more of it."
    if budget.level == "user":
        return f"However long it lasts, all reports of a person cost at most ε = {per_year:,g} together."
    told = f"All reports made for a person cost at most ε = {per_month:,g} in 30 days and ε = {per_year:,g} in a year."
    if per_year > LARGEST_STATED:
        return f"{told} A habit that stays the same all year can be learnt from that."
    return f"{told} So the odds of a guess about a habit rise at most {rounded_up(exp(per_year)):g}-fold in a year."


def _stated(cost: Fraction) -> float:
    """As it is if six figures are enough for that, otherwise rounded up.

    >>> _stated(Fraction(1464)), _stated(Fraction(1, 3))
    (1464.0, 0.334)
    """
    exact = float(f"{float(cost):.6g}")
    return exact if exact == float(cost) else rounded_up(float(cost))


def _sentence_of_counts(task: Task) -> str:
    budget = task.budget
    if task.one_answer:
        return f"A count is a number of people: each counts at most once {_with_one_answer(budget)}."
    if budget.weighs == "people":
        drawn = "with one of the person's events, drawn by lot"
        return f"A count is a number of people: each counts once a {budget.period}, {drawn}."
    if budget.drawn_from > 1:
        return f"A count is a number of drawn events: of every {budget.drawn_from:,} of a person, one is reported."
    return "A count is a number of events: whoever has more of them counts more."


def _with_one_answer(budget: Budget) -> str:
    """How often a person counts, and with what, where each bulletin is answered once."""
    if budget.period is not None:
        return f"a {budget.period} and once a bulletin, with one of the {budget.period}'s events, drawn by lot"
    if budget.level == "user" and budget.drawn_from > 1:
        return f"in all, with one of the first {budget.drawn_from:,} events, drawn by lot"
    return f"a bulletin, with {'a drawn event' if budget.drawn_from > 1 else 'one of the first events against it'}"


def _sentence_of_what_is_not_covered(task: Task) -> str:
    hidden = "whether somebody had an event at all and " if task.nothing else ""
    told = ["on which days the app ran" if task.nothing else "that a device reports at all"]
    if task.budget.level != "period":
        told.append("during which bulletins it had events" if task.one_answer else "how many events it had")
    told += ["the network address of the device"]
    return f"The promise covers {hidden}which items the events were; it does not cover {_enumerated(told)}."


def _enumerated(parts: list[str]) -> str:
    """Parts as one would say them.

    >>> _enumerated(["a"]), _enumerated(["a", "b", "c"])
    ('a', 'a, b or c')
    """
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} or {parts[-1]}"


def _sentence_of_a_forgery(counted: float, published: float) -> str:
    """What a liar can do to a cell, and to the answer."""
    counts = f"One forged answer to this bulletin counts for at most {counted:g} honest ones of the item that it names"
    return f"{counts}, and adds at most {published:g} to its published count, apart from chance."
