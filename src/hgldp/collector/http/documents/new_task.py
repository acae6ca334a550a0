"""The request that creates a task: strict JSON with known fields, checked by the constructors of the model."""

from collections.abc import Iterable
from typing import Any

from hgldp.collector.donation import Donation
from hgldp.collector.http.documents.schema import Field
from hgldp.collector.http.documents.task import (
    DEFAULT_LEVEL,
    HINTS,
    LEVEL,
    NEEDED,
    NEW_TASK,
    OF_THE_ANSWERS,
    OF_THE_BUDGET,
    OF_THE_TASK,
    OTHER,
    WARMUP,
)
from hgldp.collector.http.documents.terms import OF_THE_TERMS
from hgldp.collector.problems import Problem, Refused
from hgldp.collector.views import TaskTerms
from hgldp.errors import HgldpError, InvalidField
from hgldp.model.budget import Budget
from hgldp.model.domain import MOST_BYTES as MOST_STRING_BYTES
from hgldp.model.domain import AnyDomain, RangeDomain, StringDomain, Vocabulary, check_size
from hgldp.model.hints import Hints
from hgldp.model.reserved import MUST_HAVE_OTHER
from hgldp.model.rules import rules_of
from hgldp.model.task import FRONTIER, OPTIONAL, Task
from hgldp.model.validate import LARGEST_63, check_whole
from hgldp.schemes.registry import class_of, scheme_of
from hgldp.wire.strict_json import read_json

MOST_BYTES, MOST_KEYS = 1 << 24, 64
LONGEST_DETAIL, MOST_SEARCHED = 300, 20_000_000
_DOMAIN_RULE = 'must be {"range": [start, size]}, {"words": [text, …]} or {"strings": most bytes}'
_ORIGINS_RULE = "must be a list of texts"


def read_new_task(body: bytes) -> tuple[Task, TaskTerms, Donation]:
    """What clients and server agree on, the terms that only the server keeps, and what is given as a warm-up.

    Or a problem with the reason.
    """
    try:
        fields = _read_fields(body)
        task = _task(fields)
        scheme_of(task)
        return task, _terms(fields), Donation.of(task.domain, fields.get(WARMUP.name, []))
    except (HgldpError, OverflowError) as wrong:
        raise Refused(Problem.MALFORMED_TASK, str(wrong)[:LONGEST_DETAIL]) from None


def _read_fields(body: bytes) -> dict[str, Any]:
    keys = sum(body.count(each) for each in (b'":', b'" :')) - body.count(b'\\":')  # a word may hold such marks
    if keys > MOST_KEYS:  # half a million of them would stop everything else for a second
        raise InvalidField("body", f"must have at most {MOST_KEYS} keys in all", keys)
    found = read_json(body, surrogates=False)
    if not isinstance(found, dict):
        raise InvalidField("body", "must be a JSON object", _kind_of(found))
    known, needed = [each.name for each in NEW_TASK], [each.name for each in NEEDED]
    for name in sorted(found.keys() - set(known)):
        raise InvalidField("body", f"must have no other keys than {', '.join(known)}", name)
    for name in needed:
        if name not in found:
            raise InvalidField("body", f"must have the keys {', '.join(needed)}", f"no {name}")
    for name, value in found.items():
        if value is None:
            raise InvalidField(name, "must be left out where it has no value", "null")
    return found


def _task(fields: dict[str, Any]) -> Task:
    for name in ("scheme", "level", "period", "division", "normalise"):
        if not isinstance(fields.get(name, ""), str):
            raise InvalidField(name, "must be a text", _kind_of(fields[name]))
    scheme = fields.get("scheme", FRONTIER)
    budget = Budget(fields["epsilon"], **{LEVEL.name: DEFAULT_LEVEL} | _given(fields, OF_THE_BUDGET))
    given = _without_foreign_zeros(scheme, _given(fields, OF_THE_TASK))
    domain = _with_hints(_domain(fields["domain"]), fields.get(HINTS.name))
    answers = {OTHER.name: domain.size is not None} | _given(fields, OF_THE_ANSWERS)
    if domain.size is not None and answers[OTHER.name] is False:
        raise InvalidField(OTHER.name, MUST_HAVE_OTHER, "false")
    task = Task(scheme, budget, domain, fields["k"], **answers, **given)
    if class_of(task).reads_domain and task.hints is None and task.domain_size > MOST_SEARCHED:
        rule = f"must have at most {MOST_SEARCHED:,} items with {task.scheme}, because every seal reads all of them"
        raise InvalidField("domain", rule, f"{task.domain_size:,}")
    return task


def _given(fields: dict[str, Any], some: Iterable[Field]) -> dict[str, Any]:
    return {each.name: fields[each.name] for each in some if each.name in fields}


def _without_foreign_zeros(scheme: str, given: dict[str, Any]) -> dict[str, Any]:
    """Without the zeros of other schemes' settings: a task's document shows them, and may be sent back."""
    _, rules = rules_of(scheme)
    own = (*rules.names(), *OPTIONAL)
    return {name: value for name, value in given.items() if name in own or value not in (0, None)}


def _domain(found: object) -> AnyDomain:
    if not isinstance(found, dict) or len(found) != 1:
        raise InvalidField("domain", _DOMAIN_RULE, _kind_of(found))
    ((kind, value),) = found.items()
    if kind == "range" and isinstance(value, list) and len(value) == 2:
        start = check_whole("range start", value[0], -LARGEST_63 - 1, LARGEST_63)
        return RangeDomain(size=check_size(value[1], "range size"), start=start)
    if kind == "words" and isinstance(value, list):
        return Vocabulary(tuple(value))
    if kind == "strings":
        return StringDomain(check_whole("strings", value, 1, MOST_STRING_BYTES))
    raise InvalidField("domain", _DOMAIN_RULE, f"{kind}: {_kind_of(value)}")


def _with_hints(domain: AnyDomain, found: object) -> AnyDomain:
    if found is None:
        return domain
    if not isinstance(domain, StringDomain):
        raise InvalidField(HINTS.name, "must be left out unless the domain is strings", domain.describe())
    if not isinstance(found, list):
        raise InvalidField(HINTS.name, "must be a list of texts", _kind_of(found))
    return StringDomain(domain.most_bytes, Hints.of(found))


ANY_ORIGIN = "*"
"""Unless told otherwise, any page may read the receipt of what it sent: it says nothing but how many reports it had."""


def _terms(fields: dict[str, Any]) -> TaskTerms:
    given = _given(fields, OF_THE_TERMS)
    origins = given.setdefault("origins", [ANY_ORIGIN])
    if not isinstance(origins, list):
        raise InvalidField("origins", _ORIGINS_RULE, _kind_of(origins))
    for each in origins:
        if not isinstance(each, str):
            raise InvalidField("origins", _ORIGINS_RULE, f"a list with {_kind_of(each)}")
    return TaskTerms(name=fields["name"], **given)


def _kind_of(value: object) -> str:
    """What JSON calls a value that is of the wrong kind.

    >>> _kind_of([1, 2]), _kind_of({}), _kind_of(True), _kind_of(None), _kind_of("tea")
    ('a list of 2', 'an object with 0 keys', 'true', 'null', 'a text')
    """
    if isinstance(value, list):
        return f"a list of {len(value)}"
    if isinstance(value, dict):
        return f"an object with {len(value)} key{'' if len(value) == 1 else 's'}"
    if isinstance(value, bool):
        return "true" if value else "false"
    if value is None:
        return "null"
    return "a text" if isinstance(value, str) else f"{value}"
