"""Numbers, times, tasks and strangers' text as people read them."""

from datetime import UTC, datetime
from unicodedata import category

from hgldp.collector.donation import starts_cold
from hgldp.collector.views import TaskView
from hgldp.model.domain import AnyDomain, Vocabulary, listed
from hgldp.model.estimate import STARTED_COLD, half_life_in_words, in_numbers, raw_items
from hgldp.model.reserved import WithOther
from hgldp.model.task import Task

MINUS = "\u2212"
HIDDEN = {"Cc", "Cf", "Cs", "Zl", "Zp"}
JOINERS = {"\u200c", "\u200d"}


def in_full(value: float) -> str:
    """A count, in full.

    >>> in_full(1234567.4), in_full(-12)
    ('1,234,567', '−12')
    """
    return f"{round(value):,}".replace("-", MINUS)


def in_line(*values: float, error: float) -> list[str]:
    """The counts of one line: small ones with a small error have a decimal.

    >>> in_line(1234.4, -3.2, error=2.0), in_line(0.2, -0.5, error=0.3)
    (['1,234', '−3'], ['0.2', '−0.5'])
    """
    return [each.replace("-", MINUS) for each in in_numbers(*values, error=error)]


def reports(count: int) -> str:
    """How many reports.

    >>> reports(1), reports(4000)
    ('1 report', '4,000 reports')
    """
    return f"{in_full(count)} report{'s' if count != 1 else ''}"


def short(value: float) -> str:
    """A count in at most three digits and a letter.

    >>> [short(value) for value in (0, 12, 999, 1500, 20_000, 1_250_000, -3000, 999_999)]
    ['0', '12', '999', '1.5k', '20k', '1.25M', '−3k', '1M']
    """
    number, unit = abs(value), ""
    for larger in ("k", "M", "G", "T"):
        if float(f"{number:.3g}") < 1000:
            break
        number, unit = number / 1000, larger
    return (MINUS if value < 0 else "") + f"{float(f'{number:.3g}'):g}" + unit


def number(value: float, digits: int = 6) -> str:
    """A number without needless zeros.

    >>> number(2.0), number(0.66667, 3)
    ('2', '0.667')
    """
    return f"{float(value):.{digits}g}"


def size(count: int) -> str:
    """A number of bytes.

    >>> size(981), size(16_384), size(2_500_000)
    ('981 B', '16.4 kB', '2.5 MB')
    """
    if count < 1000:
        return f"{count} B"
    amount, unit = count / 1000, "kB"
    for larger in ("MB", "GB"):
        if amount < 1000:
            break
        amount, unit = amount / 1000, larger
    return f"{amount:.3g} {unit}"


def rate(per_second: float | None) -> str:
    """Reports per second; a dash if it was not measured.

    >>> rate(None), rate(0), rate(0.4), rate(12.3), rate(2_340_000)
    ('–', '0', '0.4', '12', '2.34M')
    """
    if per_second is None:
        return "–"
    return f"{per_second:.1g}" if 0 < per_second < 1 else short(round(per_second))


def percent(share: float) -> str:
    """A share of one.

    >>> percent(0.1234), percent(0.00071), percent(0)
    ('12.3 %', '0.071 %', '0 %')
    """
    return f"{float(f'{100 * share:.{3 if share >= 0.01 else 2}g}'):g} %".replace("-", MINUS)


def iso(seconds: float) -> str:
    """A time since 1970 for programs.

    >>> iso(1_700_000_000.5)
    '2023-11-14T22:13:20Z'
    """
    return f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%dT%H:%M:%SZ}"


def utc(seconds: float) -> str:
    """A time since 1970 for people.

    >>> utc(1_700_000_000.5)
    '2023-11-14 22:13:20 UTC'
    """
    return f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%d %H:%M:%S} UTC"


def visible(text: str) -> str:
    """Text that a stranger may have chosen, made unable to hide, reorder or break the text around it.

    Control characters, direction overrides and other invisible ones become their code; letters and emoji stay.

    >>> visible("tea"), visible("a\\u202eb"), visible("two\\nlines")
    ('tea', 'a⟨202E⟩b', 'two⟨000A⟩lines')
    """
    if text.isprintable():
        return text
    return "".join(letter if _is_seen(letter) else f"⟨{ord(letter):04X}⟩" for letter in text)


def _is_seen(letter: str) -> bool:
    return letter in JOINERS or category(letter) not in HIDDEN


def possible_items(domain: AnyDomain) -> str:
    """What items there can be; those of a list need not be words.

    >>> possible_items(Vocabulary(("blue kite", "red clock")))
    '2 items'
    >>> possible_items(Task("pfr", epsilon=1.0, domain=range(10), k=3).domain)
    'the numbers 0 … 9'
    """
    base = domain.base if isinstance(domain, WithOther) else domain
    return f"{base.size:,} items" if isinstance(base, Vocabulary) else base.describe()


def at_most_epsilon(epsilon: float | None) -> str:
    """What all reports of a person cost together.

    >>> at_most_epsilon(90.0), at_most_epsilon(None)
    ('ε\xa0≤\xa090', 'no limit')
    """
    return "no limit" if epsilon is None else f"ε\u00a0≤\u00a0{number(epsilon)}"


def described(task: Task) -> str:
    """What the task asks, in one line."""
    budget = f"ε\u00a0=\u00a0{number(float(task.budget.epsilon))} for {task.covers}"
    return f"Top {task.k} among {possible_items(task.domain)} · {task.scheme} · {budget}"


def order_in_words(view: TaskView, window: int | None = None) -> str:
    """How items are ranked, how reports are weighed, and what the counts started from."""
    said = [f"Estimated numbers of {view.task.counted}, ranked after a correction for luck."]
    if weighed := half_life_in_words(view.half_life(window)):
        said.append(weighed)
    if starts_cold(view.task.scheme, view.terms.warmup):
        said.append(f"{STARTED_COLD}.")
    if raw := view.raw_counted(window):
        said.append(f"Estimates include the warm-up of {raw_items(raw)}, which nobody randomised.")
    return " ".join(said)


def item_literal(task: Task) -> str:
    """An item of the task, as written in Python: the first of a list.

    >>> item_literal(Task("pfr", epsilon=1.0, domain=range(10), k=3))
    '0'
    >>> print(item_literal(Task("pfr", epsilon=1.0, domain=["tea", "mate"], k=1)))
    'tea'
    """
    return '"…"' if task.domain.size is None else repr(listed(task.domain).item(0))
