"""What a task costs its clients in privacy, and how much a forged report can do: computed, never written by hand."""

from dataclasses import asdict, dataclass
from math import exp

from hgldp.model.budget import Budget
from hgldp.model.bulletins import AnyBulletin
from hgldp.model.estimate import raw_items
from hgldp.model.forgery import rounded_up
from hgldp.model.reports import symbol_bytes
from hgldp.model.task import Task
from hgldp.schemes.registry import scheme_of
from hgldp.wire.upload import Upload


@dataclass(frozen=True)
class Statement:
    """The privacy card of a task. `epsilon_per_day` is None where the task sets no daily cap."""

    scheme: str
    epsilon: float
    level: str
    events: int
    epsilon_per_report: float
    odds_factor: float
    daily_reports: int | None
    epsilon_per_day: float | None
    leverage: float
    worth_of_forgery: float
    symbol_bytes: int
    upload_bytes: int
    state_bytes: int
    covers: str
    meaning: str
    day: str
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
    daily = task.daily_reports or None
    per_day = rounded_up(_day(budget, daily)) if daily else None
    return Statement(
        scheme=task.scheme,
        epsilon=float(budget.epsilon),
        level=budget.level,
        events=budget.events,
        epsilon_per_report=each,
        odds_factor=factor,
        daily_reports=daily,
        epsilon_per_day=per_day,
        leverage=counted,
        worth_of_forgery=published,
        symbol_bytes=width,
        upload_bytes=len(Upload(bytes(16), bytes(32), 1, bytes(width)).encode()),
        state_bytes=state_bytes,
        covers=f"ε = {float(budget.epsilon):g} covers {budget.covers}.",
        meaning=f"Whoever sees a report can raise the odds of a guess about its event at most {factor:g}-fold.",
        day=_sentence_of_a_day(daily, per_day),
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


def _day(budget: Budget, daily: int) -> float:
    """The sum over a day; at the level `user` the whole stream of a person never costs more than ε."""
    spent = float(budget.per_report * daily)
    return min(spent, float(budget.epsilon)) if budget.level == "user" else spent


def _sentence_of_a_day(daily: int | None, per_day: float | None) -> str:
    if daily is None:
        return "The task sets no daily cap: only a client's own ceiling bounds what many reports cost together."
    if daily == 1:
        return f"A client sends at most 1 report a day, which costs at most ε = {per_day:g}."
    return f"A client sends at most {daily} reports a day, which together cost at most ε = {per_day:g}."


def _sentence_of_a_forgery(counted: float, published: float) -> str:
    """What a liar can do to a cell, and to the answer."""
    counts = f"One forged answer to this bulletin counts for at most {counted:g} honest ones of the item that it names"
    return f"{counts}, and adds at most {published:g} to its published count, apart from chance."
