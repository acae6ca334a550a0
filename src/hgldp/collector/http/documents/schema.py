"""How a JSON document is described: its fields, each with a JSON Schema and what people need to know about it."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from operator import attrgetter
from typing import Any

Schema = dict[str, Any]
HEX: Schema = {"type": "string", "pattern": "^[0-9a-f]{64}$"}
TOKEN: Schema = {"type": "string", "pattern": "^[A-Za-z0-9_-]{43}$"}
MOMENT: Schema = {"type": "string", "format": "date-time"}
TEXT: Schema = {"type": "string"}
NUMBER: Schema = {"type": "number"}
COUNT: Schema = {"type": "integer", "minimum": 0}
BOOLEAN: Schema = {"type": "boolean"}


@dataclass(frozen=True)
class Field:
    """One field of a document, described once for the parser, the OpenAPI document, the command and the pages.

    `meaning` is what the help says, and `metavar` stands there for the value. `unit` is "count" for a bare number, or
    "reports", "seconds" or "bytes". `if_none` is what people read instead of 0, null or an empty list. `read` gets the
    value from a `TaskView`.
    """

    name: str
    schema: Schema
    meaning: str = ""
    metavar: str = ""
    unit: str = ""
    if_none: str = ""
    read: Callable[[Any], Any] | None = None

    @property
    def label(self) -> str:
        """What people call it."""
        return self.name.replace("_", " ")


class Document:
    """A JSON object that has all of these fields, in this order, and no other."""

    def __init__(self, *fields: Field, **schemas: Schema) -> None:
        self.fields = (*fields, *(Field(name, schema) for name, schema in schemas.items()))
        self.names = tuple(each.name for each in self.fields)

    @property
    def schema(self) -> Schema:
        """Its JSON Schema."""
        return record(**{each.name: each.schema for each in self.fields})

    def of(self, *values: object) -> dict[str, Any]:
        """The document with these values, in the order of its fields."""
        return dict(zip(self.names, values, strict=True))


def field_of(
    part: str, name: str, schema: Schema, meaning: str, metavar: str = "N", unit: str = "count", if_none: str = ""
) -> Field:
    """A field that the task, its budget or its terms have under the same name."""
    return Field(name, schema, meaning, metavar, unit, if_none, attrgetter(f"{part}.{name}"))


def record(**fields: Schema) -> Schema:
    """An object that has all of these fields and no other."""
    return {"type": "object", "properties": fields, "required": list(fields), "additionalProperties": False}


def maybe(schema: Schema) -> Schema:
    """The same, or null."""
    return {"anyOf": [schema, {"type": "null"}]}


def type_of(schema: Schema) -> str:
    """The type of a value that is not null.

    >>> type_of(COUNT), type_of(maybe(NUMBER))
    ('integer', 'number')
    """
    found: str = schema.get("anyOf", [schema])[0]["type"]
    return found


def list_of(schema: Schema) -> Schema:
    """Any number of them."""
    return {"type": "array", "items": schema}


def up_to(most: int, least: int = 0) -> Schema:
    """A whole number within bounds."""
    return {"type": "integer", "minimum": least, "maximum": most}


def choice(*known: str, default: str = "") -> Schema:
    """One of these words."""
    return {"enum": list(known)} | ({"default": default} if default else {})


def ref(name: str) -> Schema:
    """A document by its name in the OpenAPI document."""
    return {"$ref": f"#/components/schemas/{name}"}


def in_utc(seconds: float) -> str:
    """A moment as people and programs read it.

    >>> in_utc(0.0)
    '1970-01-01T00:00:00.000Z'
    """
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
