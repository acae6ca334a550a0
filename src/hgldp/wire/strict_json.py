"""JSON without surprises: UTF-8, finite numbers, no key twice, and only text that can be written back as UTF-8."""

import json
from math import isfinite
from typing import Any, NoReturn

from hgldp.errors import MalformedBytes

RULE = "must be JSON in UTF-8, with finite numbers and no key twice"


def read_json(data: bytes) -> object:
    """The document in these bytes.

    >>> read_json(b'{"k": 5}')
    {'k': 5}
    >>> read_json(b'{"k": 5, "k": 6}')
    Traceback (most recent call last):
    hgldp.errors.MalformedBytes: document must be JSON in UTF-8, with finite numbers and no key twice
    """
    try:
        text = data.decode()
        found: object = json.loads(
            text, object_pairs_hook=_distinct, parse_constant=_refuse_constant, parse_float=_finite
        )
        if "\\u" in text:
            json.dumps(found, ensure_ascii=False).encode()
    except (ValueError, RecursionError):
        raise MalformedBytes(f"document {RULE}") from None
    return found


def _distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a key twice")
    return found


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no number of JSON")


def _finite(text: str) -> float:
    number = float(text)
    if not isfinite(number):
        raise ValueError("the number is too large")
    return number
