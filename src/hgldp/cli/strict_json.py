"""JSON as the standard has it: no NaN, no infinity."""

import json
from collections.abc import Mapping, Sequence
from math import isfinite
from typing import TextIO


def write_json(value: object, out: TextIO) -> None:
    """Strict JSON: what is not finite becomes null."""
    json.dump(_strict(value), out, ensure_ascii=False, allow_nan=False, indent=2)
    out.write("\n")


def _strict(value: object) -> object:
    if isinstance(value, float) and not isfinite(value):
        return None
    if isinstance(value, Mapping):
        return {key: _strict(part) for key, part in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [_strict(part) for part in value]
    return value
