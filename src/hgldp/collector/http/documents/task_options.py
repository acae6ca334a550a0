"""The options of `hgldp task create`, from the fields of a new task."""

from collections.abc import Iterator
from dataclasses import dataclass

from hgldp.collector.http.documents.schema import Field
from hgldp.collector.http.documents.task import (
    DOMAINS,
    EPSILON,
    HINTS,
    KEYS,
    NORMALISE,
    NOTHING,
    OF_THE_BUDGET,
    OF_THE_TASK,
    ONE_ANSWER,
    SCHEME,
    WARMUP,
    K,
)
from hgldp.collector.http.documents.terms import NAME, OF_THE_TERMS


@dataclass(frozen=True)
class TaskOption:
    """One option of `hgldp task create`. `kind` is "integer", "number", "text", "choice", "texts", "flag", "range" or
    "file".

    `agreed` tells what clients and server must agree on, for ever, from what only the collector keeps.
    """

    name: str
    kind: str
    meaning: str
    metavar: str
    agreed: bool
    least: float | None = None
    most: float | None = None
    choices: tuple[str, ...] = ()


def task_options() -> Iterator[TaskOption]:
    """In the order of the help: what clients and collector agree on, then what only the collector keeps."""
    asked = (NOTHING, NORMALISE, ONE_ANSWER, KEYS)
    agreed = (SCHEME, EPSILON, *OF_THE_BUDGET, *DOMAINS, HINTS, K, *asked, *OF_THE_TASK)
    for each in (*agreed, NAME, *OF_THE_TERMS, WARMUP):
        schema = each.schema
        bounds = schema.get("minimum"), schema.get("maximum")
        choices = tuple(schema.get("enum", ()))
        yield TaskOption(each.name, _kind(each), each.meaning, each.metavar, each in agreed, *bounds, choices)


def _kind(field: Field) -> str:
    if field.name in ("range", "words", "hints", "warmup"):
        return "range" if field.name == "range" else "file"
    if "enum" in field.schema:
        return "choice"
    kinds = {"integer": "integer", "number": "number", "string": "text", "array": "texts", "boolean": "flag"}
    return kinds[field.schema["type"]]
