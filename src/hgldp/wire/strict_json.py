"""JSON as the standard has it, in both directions: all JSON in this package is read and written here."""

import json
from collections.abc import Mapping, Sequence
from math import isfinite
from typing import Any

from hgldp.errors import MalformedBytes


def read_json(data: bytes, most_bytes: int | None = None, *, surrogates: bool = True) -> object:
    """The value of a JSON text in UTF-8. The error says what is wrong, and never repeats what the text holds.

    Python's own reader also takes other encodings, NaN, infinite numbers and objects that name a key twice; two
    readers would then disagree on what a document says. A lone surrogate such as "\\ud800" is passed on unless told
    otherwise: it is legal JSON, and the canonical bytes of a task may hold one.

    >>> read_json(b'{"drink": "tea"}')
    {'drink': 'tea'}
    >>> read_json(b'{"drink": "tea", "drink": "mate"}')
    Traceback (most recent call last):
    hgldp.errors.MalformedBytes: JSON must name each key once
    """
    if most_bytes is not None and len(data) > most_bytes:
        raise MalformedBytes(f"JSON must be at most {most_bytes} bytes, got {len(data)}")
    if not isinstance(data, bytes):
        raise MalformedBytes("JSON must come as bytes")
    try:
        text = data.decode()
    except UnicodeDecodeError:
        raise MalformedBytes("JSON must be in UTF-8") from None
    try:
        found: object = json.loads(text, object_pairs_hook=_distinct, parse_constant=_refuse, parse_float=_finite)
    except MalformedBytes:
        raise
    except RecursionError:
        raise MalformedBytes("JSON must be nested less deeply") from None
    except ValueError:
        raise MalformedBytes("JSON must be well-formed") from None
    if not surrogates and "\\u" in text:
        _check_text(found)
    return found


def _check_text(found: object) -> None:
    try:
        json.dumps(found, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        raise MalformedBytes("JSON must hold text that can be written in UTF-8") from None


def strict(value: object) -> object:
    """A value as JSON knows it: bytes become hexadecimal digits, and a number that is not finite becomes null.

    >>> strict({"a": [float("nan"), b"\\x01", (1, "tea")]})
    {'a': [None, '01', [1, 'tea']]}
    """
    if isinstance(value, float) and not isfinite(value):
        return None
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, Mapping):
        return {str(key): strict(part) for key, part in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [strict(part) for part in value]
    return value


def _distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise MalformedBytes("JSON must name each key once")
    return found


def _finite(text: str) -> float:
    number = float(text)
    if not isfinite(number):
        raise MalformedBytes("JSON must hold finite numbers only")
    return number


def _refuse(_: str) -> None:
    raise MalformedBytes("JSON must hold finite numbers only")
