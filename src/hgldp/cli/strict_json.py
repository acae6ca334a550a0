"""JSON as the standard has it: no NaN, no infinity."""

import json
import sys
from collections.abc import Mapping, Sequence
from math import isfinite

from hgldp.cli.output import can_write, check_output, write_output


def write_json(value: object) -> None:
    """Strict JSON on standard output, in one piece: what is not finite becomes null."""
    check_output()
    strict = _strict(value)
    text = json.dumps(strict, ensure_ascii=False, allow_nan=False, indent=2)
    if not can_write(text, sys.stdout):
        text = json.dumps(strict, ensure_ascii=True, allow_nan=False, indent=2)
    write_output(f"{text}\n")


def _strict(value: object) -> object:
    if isinstance(value, float) and not isfinite(value):
        return None
    if isinstance(value, Mapping):
        return {key: _strict(part) for key, part in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [_strict(part) for part in value]
    return value
