"""Which inputs to compare: pairs whose reports a task and its bulletin treat differently, and pairs that it must not.

An input is what one fresh device hears: a list of events. Items are as JSON has them, so that any client can read
them.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from hgldp.errors import InvalidField
from hgldp.model.bulletins import AnyBulletin, Bulletin, FrontierBulletin, HintedBulletin, OpenBulletin
from hgldp.model.domain import AnyDomain, StringDomain, Vocabulary, listed
from hgldp.model.reserved import WithOther, normalised
from hgldp.model.task import Task

Item = int | str
Events = tuple[Item, ...]
OVER_LONG = 1_000
MOST_LOOKED_AT = 10_000


@dataclass(frozen=True)
class Pair:
    """Two inputs that differ in one event, or, if `same_events`, only in the order of their events.

    Then a client that mixes what it sends makes no difference at all between them.
    """

    kind: str
    one: Events
    other: Events
    same_events: bool = False


def inputs_of(pairs: Iterable[Pair]) -> list[Events]:
    """Every input of the pairs, once."""
    return list(dict.fromkeys(events for pair in pairs for events in (pair.one, pair.other)))


def pairs_of(task: Task, bulletin: AnyBulletin, *, outside: bool = True, several: bool = False) -> list[Pair]:
    """The pairs for a bulletin. `outside` adds items that the domain does not hold, `several` inputs of two events.

    >>> task = Task("dsr", epsilon=1.0, domain=["tea", "coffee", "mate", "milk"], k=1, cells=2)
    >>> shown = Bulletin(task.id, 0, 4, (0, 2))
    >>> [(pair.kind, pair.one, pair.other) for pair in pairs_of(task, shown, outside=False)][:2]
    [('hot/hot', ('tea',), ('mate',)), ('hot/cold', ('tea',), ('coffee',))]
    """
    known, unknown, names = _items(task, bulletin)
    found = list(_within(known, names[0])) + list(_within(unknown, names[1]))
    if known and unknown:
        found.insert(1 if len(known) > 1 else 0, Pair(f"{names[0]}/{names[1]}", (known[0],), (unknown[0],)))
    inside = (known + unknown)[0]
    if outside:
        found += [Pair(f"inside/{kind}", (inside,), (item,)) for kind, item in outsiders(task)]
    if several and found:
        one, other = found[0].one[0], found[0].other[0]
        found.append(Pair("repeated", (one, one), (one, other)))
        found.append(Pair("order", (one, other), (other, one), same_events=not task.one_answer))
    if not found:
        raise InvalidField("bulletin", "must leave two inputs to compare", "one without")
    return found


def outsiders(task: Task) -> list[tuple[str, Item]]:
    """Items that the domain does not list, each with what is odd about it.

    >>> outsiders(Task("pfr", epsilon=1.0, domain=range(5, 9), other=True))[0]
    ('outside', 9)
    """
    domain = task.domain.base if isinstance(task.domain, WithOther) else task.domain
    if isinstance(domain, StringDomain):
        return [("over-long", "x" * (domain.most_bytes + 1)), ("end mark", "a\0b")]
    over_long = "x" * OVER_LONG
    if isinstance(domain, Vocabulary):
        taken = {normalised(word, task.normalise) for word in domain.words}
        word = next(word for word in (f"not listed {n}" for n in range(len(taken) + 1)) if word not in taken)
        return [("outside", word), ("over-long", over_long)]
    return [("outside", _first_beyond(domain)), ("over-long", over_long)]


def _first_beyond(domain: AnyDomain) -> int:
    whole = listed(domain)
    last = whole.item(whole.size - 1)
    if not isinstance(last, int):
        raise InvalidField("domain", "must hold numbers or words", type(last).__name__)
    return last + 1


def _within(items: Sequence[Item], name: str) -> Iterator[Pair]:
    if len(items) > 1:
        yield Pair(f"{name}/{name}", (items[0],), (items[1],))


def _items(task: Task, bulletin: AnyBulletin) -> tuple[list[Item], list[Item], tuple[str, str]]:
    """Up to two items that the bulletin names and two that it does not, and what the two kinds are called."""
    if isinstance(bulletin, Bulletin):
        return *_listed(task, bulletin.hot), ("hot", "cold")
    if isinstance(bulletin, FrontierBulletin):
        known, _ = _listed(task, bulletin.leaves)
        return known, _in_two_cells(task, bulletin), ("leaf", "search")
    if isinstance(bulletin, OpenBulletin):
        return *_strings(bulletin), ("leaf", "search")
    if isinstance(bulletin, HintedBulletin) and task.hints is not None:
        own, shared = _strings(bulletin.spelled)
        others = [text for text in (*own, *shared) if text not in task.hints.strings]
        return [task.hints.strings[0], task.hints.strings[-1]], others[:2], ("on the list", "not on it")
    raise InvalidField("bulletin", "must be of a kind that the audit knows", type(bulletin).__name__)


def _listed(task: Task, named: Sequence[int]) -> tuple[list[Item], list[Item]]:
    domain, taken = listed(task.domain), set(named)
    rest = (item for item in range(domain.size) if item not in taken)
    unknown = [item for item, _ in zip(rest, range(2), strict=False)]
    return [_item(task, each) for each in (*named[:1], *named[1:][-1:])], [_item(task, each) for each in unknown]


def _in_two_cells(task: Task, bulletin: FrontierBulletin) -> list[Item]:
    """Two items in different search cells if there are any: those in the same cell have the same reports."""
    taken, cells = set(bulletin.leaves), dict[int, int]()
    for item in range(min(bulletin.domain_size, MOST_LOOKED_AT)):
        if item not in taken:
            cells.setdefault(bulletin.symbol(item), item)
        if len(cells) == 2:
            break
    return [_item(task, each) for each in cells.values()]


def _item(task: Task, number: int) -> Item:
    item = listed(task.domain).item(number)
    if not isinstance(item, int | str):
        raise InvalidField("domain", "must hold numbers or words", type(item).__name__)
    return item


def _strings(bulletin: OpenBulletin) -> tuple[list[Item], list[Item]]:
    """Strings that have a cell of their own, and strings that share one; all are made from the bulletin itself."""
    leaves = [cell.prefix for cell in bulletin.cells if cell.is_leaf]
    starts = [b"", *(cell.prefix + bytes([cell.low]) for cell in bulletin.cells if cell.low)]
    symbols: dict[int, str] = {}
    for start in starts:
        for ending in (b"q", b"qq", b""):
            try:
                symbols.setdefault(bulletin.symbol(start + ending + b"\0"), (start + ending).decode())
            except UnicodeDecodeError:
                continue
    own = [leaf.decode(errors="replace") for leaf in leaves]
    shared = [text for symbol, text in symbols.items() if text not in own]
    return [*own[:1], *own[1:][-1:]], list(shared[:2])
