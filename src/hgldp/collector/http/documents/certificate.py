"""What a certificate looks like, for the OpenAPI document; docs/certificate.md says what it means."""

from hgldp.collector.http.documents.schema import COUNT, HEX, TEXT, Schema, list_of, record

FRACTION: Schema = {"type": "string", "pattern": "^[0-9]+(/[0-9]+)?$"}
POSITIVE: Schema = {"type": "integer", "minimum": 1}
_PAIR: Schema = {"type": "array", "items": POSITIVE, "minItems": 2, "maxItems": 2}
_WEIGHTS: Schema = list_of(_PAIR)
_SYMBOLS = record(kind=TEXT, count=POSITIVE, weights=_WEIGHTS)
_ITEMS = record(kind=TEXT, count=POSITIVE, weights={"type": "object", "additionalProperties": _WEIGHTS})


def _with_options(always: dict[str, Schema], sometimes: dict[str, Schema]) -> Schema:
    return record(**always, **sometimes) | {"required": list(always)}


_LAW = _with_options(
    {"bulletin": TEXT, "total": POSITIVE, "symbols": list_of(_SYMBOLS), "items": list_of(_ITEMS)},
    {
        "cells": _PAIR,
        "modulus": POSITIVE,
        "overlap": COUNT,
        "set": {"anyOf": [{"const": "squares"}, list_of(COUNT)]},
        "sum": COUNT,
    },
)
CERTIFICATE = _with_options(
    {
        "certificate": {"const": 1},
        "task": HEX,
        "scheme": TEXT,
        "epsilon": FRACTION,
        "level": TEXT,
        "events": POSITIVE,
        "epsilon_per_report": FRACTION,
        "laws": list_of(_LAW),
    },
    {"period": TEXT, "division": TEXT},
)
