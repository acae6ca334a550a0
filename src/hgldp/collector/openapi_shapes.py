"""The JSON shapes that the service takes and gives, as JSON Schema."""

from typing import Any

from hgldp.collector.problems import TYPE_PREFIX, Problem
from hgldp.collector.task_request import KNOWN, NEEDED
from hgldp.schemes.registry import NAMES

Schema = dict[str, Any]
HEX: Schema = {"type": "string", "pattern": "^[0-9a-f]{64}$"}
TOKEN: Schema = {"type": "string", "pattern": "^[A-Za-z0-9_-]{43}$"}
MOMENT: Schema = {"type": "string", "format": "date-time"}
TEXT: Schema = {"type": "string"}
NUMBER: Schema = {"type": "number"}
WHOLE: Schema = {"type": "integer", "minimum": 0}
LARGEST = (1 << 53) - 1
LARGEST_32 = (1 << 32) - 1


def record(**fields: Schema) -> Schema:
    """An object that has all of these fields and no other."""
    return {"type": "object", "properties": fields, "required": list(fields), "additionalProperties": False}


def maybe(schema: Schema) -> Schema:
    """The same, or null."""
    return {"anyOf": [schema, {"type": "null"}]}


def list_of(schema: Schema) -> Schema:
    """Any number of them."""
    return {"type": "array", "items": schema}


def up_to(most: int, least: int = 0) -> Schema:
    """A whole number within bounds."""
    return {"type": "integer", "minimum": least, "maximum": most}


def ref(name: str) -> Schema:
    """A shape by its name."""
    return {"$ref": f"#/components/schemas/{name}"}


_LINE: dict[str, Schema] = {
    "rank": up_to(LARGEST, 1),
    "item": {"type": ["integer", "string"]},
    **dict.fromkeys(("estimate", "standard_error", "low", "high", "tracked_count", "tracked_error"), maybe(NUMBER)),
    "since": WHOLE,
}
_DOMAIN: dict[str, Schema] = {
    "range": {"type": "array", "items": {"type": "integer"}, "minItems": 2, "maxItems": 2},
    "words": {"type": "array", "items": TEXT, "minItems": 2, "uniqueItems": True},
    "strings": up_to(255, 1),
}
_TASK_FIELDS: dict[str, Schema] = {
    "name": {"type": "string", "minLength": 1, "maxLength": 200},
    "scheme": {"enum": list(NAMES)},
    "epsilon": {"type": "number", "minimum": 1e-6, "maximum": 10},
    "level": {"enum": ["event", "window", "user"], "default": "event"},
    "events": up_to(LARGEST_32, 1),
    "domain": {"oneOf": [record(**{kind: shape}) for kind, shape in _DOMAIN.items()]},
    "k": up_to(LARGEST_32, 1),
    "cells": up_to(LARGEST_32, 1),
    "light_cells": up_to(65_535),
    "epoch": up_to(LARGEST_32),
    "memory": up_to(LARGEST_32, 1),
    "half_life": up_to(LARGEST),
    "epoch_seconds": up_to(LARGEST_32),
    "daily_reports": up_to(LARGEST_32),
    "results": {"enum": ["public", "token"], "default": "token"},
    "origins": {"type": "array", "items": TEXT, "maxItems": 64},
    "reports_per_second": up_to(LARGEST),
    "reports_per_day": up_to(LARGEST),
}
_NEW_TASK: Schema = {
    "type": "object",
    "properties": {name: _TASK_FIELDS[name] for name in KNOWN},
    "required": list(NEEDED),
    "additionalProperties": False,
}
_OF_A_TASK = (  # noqa: SIM905 - a list of names reads best as a line
    "name scheme epsilon level events k cells memory half_life epoch_seconds daily_reports results origins "
    "reports_per_second reports_per_day"
).split()
_STATE: dict[str, Schema] = {
    "created": MOMENT,
    "closed": maybe(MOMENT),
    "bulletin": HEX,
    "published": MOMENT,
    **dict.fromkeys(("bulletin_cells", "epoch", "reports", "in_epoch", "epoch_length", "state_bytes"), WHOLE),
    "uploads": record(accepted=WHOLE, duplicate=WHOLE, refused=WHOLE),
}
_EPOCH = record(epoch=WHOLE, bulletin=HEX, published=MOMENT, reports=WHOLE, top=list_of(record(**_LINE)))
SHAPES: dict[str, Schema] = {
    "Problem": {
        "type": "object",
        "properties": {
            "type": {"enum": [TYPE_PREFIX + each.slug for each in Problem]},
            "title": TEXT,
            "status": {"type": "integer"},
            "detail": TEXT,
        },
        "required": ["type", "title", "status"],
    },
    "NewTask": _NEW_TASK,
    "CreatedTask": record(id=HEX, write_key=TOKEN, read_token=TOKEN, upload=TEXT),
    "Task": record(
        id=HEX, domain={"type": "object"}, **{name: _TASK_FIELDS[name] for name in _OF_A_TASK if name != "memory"},
        memory=WHOLE, **_STATE,
    ),
    "Tasks": record(tasks=list_of(ref("Task"))),
    "Receipt": record(accepted=up_to(65_536, 1)),
    "Pointer": record(task=HEX, bulletin=HEX, epoch=WHOLE, max_age=up_to(86_400, 1)),
    "Top": record(
        task=HEX, scheme=TEXT, epoch=WHOLE, reports=WHOLE, window=maybe(WHOLE), covered=WHOLE,
        top=list_of(record(**_LINE, rank_change=maybe({"type": "integer"}))),
    ),
    "History": record(task=HEX, epochs=list_of(_EPOCH)),
    "Export": list_of(record(epoch=WHOLE, bulletin=HEX, published=MOMENT, reports=WHOLE, **_LINE)),
    "Statement": record(
        task=HEX, scheme=TEXT, epsilon=NUMBER, level=TEXT, events=WHOLE, epsilon_per_report=NUMBER, odds_factor=NUMBER,
        daily_reports=maybe(WHOLE), epsilon_per_day=maybe(NUMBER), leverage=NUMBER, symbol_bytes=WHOLE,
        upload_bytes=WHOLE, state_bytes=WHOLE, covers=TEXT, meaning=TEXT, day=TEXT, forged=TEXT,
    ),
    "Status": {"type": "object", "properties": {"status": TEXT}, "required": ["status"]},
}  # fmt: skip
