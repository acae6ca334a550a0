"""What is wrong with a certificate: it must be that of the task, and its laws must keep the promise."""

import json
from fractions import Fraction
from typing import Any

from hgldp.checks.certificate.certificate import certificate, laws_of
from hgldp.checks.certificate.law import Law
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
    >>> wrong_with(certificate(task).replace(b'"count":5', b'"count":6'), task)
    ['laws[1].symbols[2].count must be 5, got 6']
    """
    broken = [sentence for law in laws_of(scheme_of(task)) for sentence in breaches(law, task.budget.per_report)]
    try:
        given = read_json(data)
    except MalformedBytes as wrong:
        return [*broken, str(wrong)]
    return [*broken, *_differences("", json.loads(certificate(task)), given)]


def breaches(law: Law, epsilon: Fraction) -> list[str]:
    """Where a law is none, or spends more than ε."""
    found = [
        f"{law.bulletin}: the weights of a {kind.name} item sum to {kind.total}, not to {law.total}"
        for kind in law.items
        if kind.total != law.total
    ]
    for symbol in law.symbols:
        column = law.column(symbol)
        high, low = column[0][0], column[-1][0]
        if low <= 0:
            found.append(f"{law.bulletin}: a weight of the symbol {symbol} is {low}")
        elif not within(Fraction(high, low), epsilon):
            ratio = spent(Fraction(high, low))
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
