"""What is wrong with a certificate: it must be that of the task, and its laws must keep the promise."""

import json
from fractions import Fraction
from typing import Any

from hgldp.checks.certificate.certificate import certificate, laws_of
from hgldp.checks.certificate.law import Law, sum_of, width_of
from hgldp.errors import MalformedBytes
from hgldp.model.task import Task
from hgldp.model.weights import spent, within
from hgldp.schemes.registry import scheme_of
from hgldp.wire.strict_json import read_json


def wrong_with(data: bytes, task: Task) -> list[str]:
    """A sentence for everything that is wrong; nothing if the certificate holds.

    >>> task = Task("dsr", epsilon=1.0, domain=range(5), k=1)
    >>> wrong_with(certificate(task), task)
    []
    >>> wrong_with(certificate(task).replace(b'"total":2', b'"total":1'), task)
    ['laws[0].total must be 20264866146, got 10264866146']
    """
    broken = [sentence for law in laws_of(scheme_of(task)) for sentence in breaches(law, task.budget.per_report)]
    try:
        given = read_json(data)
    except MalformedBytes as wrong:
        return [*broken, str(wrong)]
    return [*broken, *_differences("", json.loads(certificate(task)), given)]


def breaches(law: Law, epsilon: Fraction) -> list[str]:
    """Where a law is none, or spends more than ε."""
    found, width = [], width_of(next(iter(law.items.values())))
    for kind, row in law.items.items():
        if sum_of(row) != law.total:
            found.append(f"{law.bulletin}: the weights of a {kind} item sum to {sum_of(row)}, not to {law.total}")
        if width_of(row) != width:
            found.append(f"{law.bulletin}: a {kind} item has other symbols than the first kind of item")
        if any(weight <= 0 for part in row.values() for weight, _ in part):
            return [*found, f"{law.bulletin}: a weight of a {kind} item is not above 0"]
    for symbol in law.symbols:
        if not within(law.ratio(symbol), epsilon):
            ratio = spent(law.ratio(symbol))
            found.append(f"{law.bulletin}: the symbol {symbol} spends {ratio}, more than {float(epsilon)}")
    return found


def _differences(place: str, right: Any, given: Any) -> list[str]:
    """Each value that is not what it should be, by its place in the document."""
    if isinstance(right, dict) and isinstance(given, dict) and right.keys() == given.keys():
        return [
            each for name in right for each in _differences(f"{place}.{name}".lstrip("."), right[name], given[name])
        ]
    if isinstance(right, list) and isinstance(given, list) and len(right) == len(given):
        both = enumerate(zip(right, given, strict=True))
        return [each for number, pair in both for each in _differences(f"{place}[{number}]", *pair)]
    if type(right) is type(given) and right == given:
        return []
    return [f"{place or 'certificate'} must be {_shown(right)}, got {_shown(given)}"]


def _shown(value: object) -> str:
    """A number or a short text as it is; the rest by its kind."""
    if isinstance(value, int | float) or value is None:
        return str(value)
    if isinstance(value, str):
        return repr(value if len(value) <= 80 else value[:77] + "…")
    return f"a {type(value).__name__} of {len(value)}" if isinstance(value, list | dict) else type(value).__name__
