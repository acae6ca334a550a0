"""The raw items of a file that a new task starts from: checked against its domain here, before anything is sent."""

from typing import Any

from hgldp.cli.events import numbered_events
from hgldp.collector.donation import MOST_DIFFERENT, MOST_ITEMS
from hgldp.errors import InvalidField, MalformedLine, OutsideDomain
from hgldp.model.domain import Domain, RangeDomain, Vocabulary

FIELD = "--warmup"


def read_warmup(path: str, column: str | None, domain: dict[str, Any]) -> list[list[object]]:
    """Each item of the file with how often it occurs, in the order of the domain.

    A line that is no item of the domain is refused by its number; what it says is not repeated.
    """
    known, counts = _listed(domain), dict[int, int]()
    lines = numbered_events(path, column, numbers=known.has_numbers, field=FIELD)
    for total, (line, item) in enumerate(lines, start=1):
        try:
            number = known.index(item)
        except OutsideDomain:
            raise MalformedLine(path, line, "must be an item of the task's domain", withheld=True) from None
        counts[number] = counts.get(number, 0) + 1
        if total > MOST_ITEMS or len(counts) > MOST_DIFFERENT:
            rule = f"must hold at most {MOST_ITEMS:,} items, {MOST_DIFFERENT:,} different ones"
            raise InvalidField(FIELD, rule, f"more in {path}; a sample will do")
    if not counts:
        raise InvalidField(FIELD, "must hold at least one item", f"none in {path}")
    return [[known.item(number), counts[number]] for number in sorted(counts)]


def _listed(domain: dict[str, Any]) -> Domain:
    if "range" in domain:
        start, size = domain["range"]
        return RangeDomain(size, start)
    if "words" in domain:
        return Vocabulary(tuple(domain["words"]))
    raise InvalidField(FIELD, "must be left out for strings that nobody listed", "a file")
