"""The body that creates a task: JSON with known keys, each of its own type, through the constructors of the model."""

import json
from typing import Any

from hgldp.collector.problems import Problem, Refused
from hgldp.collector.views import TaskTerms
from hgldp.errors import HgldpError, InvalidField
from hgldp.model.budget import Budget
from hgldp.model.domain import Domain, RangeDomain, StringDomain, Vocabulary
from hgldp.model.task import FRONTIER, Task
from hgldp.schemes.registry import NAMES, scheme_of

MOST_BYTES = 1 << 24
NEEDED = ("name", "epsilon", "domain", "k")
OF_THE_BUDGET = ("level", "events")
OF_THE_TASK = ("cells", "light_cells", "epoch", "memory", "half_life", "epoch_seconds", "daily_reports")
OF_THE_TERMS = ("results", "origins", "reports_per_second", "reports_per_day")
KNOWN = (*NEEDED, "scheme", *OF_THE_BUDGET, *OF_THE_TASK, *OF_THE_TERMS)
LONGEST_DETAIL, MOST_SEARCHED = 300, 20_000_000


def read_task_request(body: bytes) -> tuple[Task, TaskTerms]:
    """What clients and server agree on, and the terms that only the server keeps; or a problem with the reason."""
    try:
        fields = _object(body)
        task = _task(fields)
        scheme_of(task)
        return task, _terms(fields)
    except (HgldpError, OverflowError) as wrong:
        raise Refused(Problem.MALFORMED_TASK, str(wrong)[:LONGEST_DETAIL]) from None


def _object(body: bytes) -> dict[str, Any]:
    try:
        text = body.decode()
        found = json.loads(text, object_pairs_hook=_distinct, parse_constant=_refuse_constant)
        text.encode() if not isinstance(found, dict) else json.dumps(found, ensure_ascii=False).encode()
    except (ValueError, RecursionError):
        raise InvalidField("body", "must be JSON in UTF-8, with finite numbers and no key twice", "another") from None
    if not isinstance(found, dict):
        raise InvalidField("body", "must be a JSON object", type(found).__name__)
    unknown, missing = sorted(set(found) - set(KNOWN)), [name for name in NEEDED if name not in found]
    if unknown:
        raise InvalidField("body", f"must have no other keys than {', '.join(KNOWN)}", unknown[0])
    if missing:
        raise InvalidField("body", f"must have the keys {', '.join(NEEDED)}", f"no {missing[0]}")
    for name, value in found.items():
        if value is None:
            raise InvalidField(name, "must be left out where it has no value", "null")
    return found


def _distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a key twice")
    return found


def _refuse_constant(_: str) -> None:
    raise ValueError("no JSON number")


def _task(fields: dict[str, Any]) -> Task:
    for name in ("scheme", "level"):
        if not isinstance(fields.get(name, ""), str):
            raise InvalidField(name, "must be a text", type(fields[name]).__name__)
    scheme = fields.get("scheme", FRONTIER)
    if scheme not in NAMES:
        raise InvalidField("scheme", f"must be one of {', '.join(NAMES)}", "another")
    budget = Budget(fields["epsilon"], **_some(fields, OF_THE_BUDGET))
    task = Task(scheme, budget, _domain(fields["domain"]), fields["k"], **_some(fields, OF_THE_TASK))
    if not task.is_open and task.k > task.domain_size:
        raise InvalidField("k", f"must be at most the {task.domain_size:,} items of the domain", task.k)
    if scheme == FRONTIER and not task.is_open and task.domain_size > MOST_SEARCHED:
        rule = f"must have at most {MOST_SEARCHED:,} items for {FRONTIER} here: every seal reads through all of them"
        raise InvalidField("domain", rule, f"{task.domain_size:,}")
    return task


def _some(fields: dict[str, Any], names: tuple[str, ...]) -> dict[str, Any]:
    return {name: fields[name] for name in names if name in fields}


def _domain(found: object) -> Domain | StringDomain:
    if isinstance(found, dict) and len(found) == 1:
        ((kind, value),) = found.items()
        if kind == "range" and isinstance(value, list) and len(value) == 2:
            return RangeDomain(size=value[1], start=value[0])
        if kind == "words" and isinstance(value, list):
            return Vocabulary(tuple(value))
        if kind == "strings":
            return StringDomain(value)
    rule = 'must be {"range": [start, size]}, {"words": [text, …]} or {"strings": most bytes}'
    raise InvalidField("domain", rule, "another")


def _terms(fields: dict[str, Any]) -> TaskTerms:
    some = _some(fields, OF_THE_TERMS)
    if "origins" in some:
        if not isinstance(some["origins"], list) or not all(isinstance(each, str) for each in some["origins"]):
            raise InvalidField("origins", "must be a list of texts", "another")
        some["origins"] = tuple(some["origins"])
    return TaskTerms(name=fields["name"], **some)
