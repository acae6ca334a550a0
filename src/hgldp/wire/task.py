"""A task from its canonical bytes: JSON with every field of its scheme, none that is unknown, none that is missing."""

import re
from fractions import Fraction
from typing import Any

from hgldp.errors import HgldpError, InvalidField, MalformedBytes
from hgldp.model.budget import Budget
from hgldp.model.domain import AnyDomain, RangeDomain, StringDomain, Vocabulary
from hgldp.model.hints import Hints
from hgldp.model.rules import rules_of
from hgldp.model.task import FRONTIER, OPTIONAL, WITH_HINTS, Task
from hgldp.wire.strict_json import read_json

MOST_BYTES = 1 << 24
LINE_FEED = b"\n"
NO_TASK = "it is not JSON with a task's fields"
_FRACTION = re.compile(r"[0-9]{1,400}(/[0-9]{1,400})?")


def read_task(data: bytes) -> Task:
    """The task of these bytes, through the same constructor as any other.

    >>> task = Task("pfr", Budget(1.0), StringDomain(), k=5)
    >>> read_task(task.canonical) == task
    True
    """
    if len(data) > MOST_BYTES:
        raise MalformedBytes(f"task must be at most {MOST_BYTES} bytes, got {len(data)}")
    try:
        fields: Any = read_json(data)
    except MalformedBytes:
        raise MalformedBytes(f"task must be legal: {NO_TASK}") from None
    try:
        task = _build(dict(fields))
    except (ValueError, TypeError, KeyError, ZeroDivisionError, OverflowError, HgldpError) as wrong:
        reason = str(wrong) if isinstance(wrong, HgldpError) else NO_TASK
        raise MalformedBytes(f"task must be legal: {reason}") from None
    if task.canonical != data:
        raise MalformedBytes("task must be in its canonical form, with every field of its scheme and no other")
    return task


def kept_document(document: bytes, hints: Hints | None) -> bytes:
    """What a server stores of a task: its canonical bytes and, if it names a list, a line feed and the list.

    >>> read_kept_document(kept_document(b"{}", Hints.of(["tea", "mate"])))[1].data
    b'tea\\nmate\\n'
    """
    return document if hints is None else b"".join((document, LINE_FEED, hints.data))


def read_kept_document(data: bytes) -> tuple[bytes, Hints | None]:
    """What `kept_document` wrote. JSON in its canonical form has no line feed."""
    document, mark, content = data.partition(LINE_FEED)
    try:
        return document, Hints.read(content) if mark else None
    except InvalidField as wrong:
        raise MalformedBytes(f"task must be legal: {wrong}") from None


def with_its_list(task: Task, hints: Hints | None) -> Task:
    """The task with the list that was kept for it."""
    if (hints is None) != (task.hints is None):
        raise MalformedBytes("task must be kept with its list, if it names one")
    try:
        return task if hints is None else task.with_hints(hints)
    except InvalidField as wrong:
        raise MalformedBytes(f"task must be legal: {wrong}") from None


def _build(fields: dict[str, Any]) -> Task:
    scheme = fields.pop("scheme")
    name, kind = rules_of(FRONTIER if scheme == WITH_HINTS else scheme)
    level = fields.pop("level")
    even = "budget" if level in ("window", "user") else None
    parts = fields.pop("period", None), fields.pop("division", even)
    budget = Budget(_fraction(fields.pop("epsilon")), level, fields.pop("events"), *parts)
    domain = _domain(*fields.pop("domain"))
    words = {each: fields.pop(each) for each in kind.choices() if each in fields}
    given = {each: fields.pop(each) for each in kind.names() if each not in kind.choices()}
    exact = {each: _fraction(value) if isinstance(value, str) else value for each, value in given.items()} | words
    optional = {each: fields.pop(each) for each in OPTIONAL if each in fields}
    k = fields.pop("k")
    if fields:
        raise ValueError("unknown fields")
    return Task(name, budget, domain, k, rules=kind.from_fields(exact), **optional)


def _fraction(text: str) -> Fraction:
    """As `str` writes one; an exponent would let a few bytes ask for a number of a million digits."""
    if not _FRACTION.fullmatch(text):
        raise MalformedBytes("fractions must be written as digits, or digits / digits")
    return Fraction(text)


def _domain(kind: str, *terms: Any) -> AnyDomain:
    if kind == "range":
        start, size = terms
        return RangeDomain(size, start)
    if kind == "strings" and len(terms) > 1:
        most_bytes, digest, size = terms
        return StringDomain(most_bytes, Hints(digest, size))
    (term,) = terms
    if kind == "vocabulary":
        return Vocabulary(tuple(term))
    if kind == "strings":
        return StringDomain(term)
    raise MalformedBytes("domain must be a range, a vocabulary or strings")
