"""A task as JSON: what a request may say about a new one, and what anyone is told about one that runs."""

from collections.abc import Iterable
from dataclasses import replace
from operator import attrgetter
from typing import TYPE_CHECKING, Any, get_args

from hgldp.collector.donation import MOST_DIFFERENT, MOST_ITEMS
from hgldp.collector.http.documents.results import top_rows
from hgldp.collector.http.documents.schema import (
    BOOLEAN,
    COUNT,
    HEX,
    MOMENT,
    TEXT,
    TOKEN,
    Document,
    Field,
    Schema,
    choice,
    field_of,
    in_utc,
    list_of,
    maybe,
    record,
    ref,
    up_to,
)
from hgldp.collector.http.documents.terms import NAME, OF_THE_TERMS
from hgldp.collector.views import clear_top
from hgldp.model.budget import DEFAULT_PERIOD, Division, Level, Unit
from hgldp.model.domain import MOST_BYTES
from hgldp.model.hints import FEWEST, MOST_STRINGS
from hgldp.model.period import KeyLife, Period
from hgldp.model.reserved import Normalisation
from hgldp.model.rules import MOST_LIGHT_CELLS, Spelling, Structure
from hgldp.model.task import FRONTIER
from hgldp.model.validate import LARGEST_32, LARGEST_53
from hgldp.model.weights import MAX_EPSILON, MIN_EPSILON
from hgldp.schemes.registry import OUR_NAMES

if TYPE_CHECKING:
    from hgldp.collector.views import TaskView


DEFAULT_LEVEL: Level = "period"


DOMAINS = (
    Field(
        "range",
        {"type": "array", "items": {"type": "integer"}, "minItems": 2, "maxItems": 2},
        "domain: whole numbers",
        "START SIZE",
    ),
    Field(
        "words",
        {"type": "array", "items": TEXT, "minItems": 2, "uniqueItems": True},
        "domain: the words of a file, one per line; - is standard input",
        "FILE",
    ),
    Field("strings", up_to(MOST_BYTES, 1), f"domain: any string of at most this many bytes ({FRONTIER})", "BYTES"),
)
HINTS = Field(
    "hints",
    {"type": "array", "items": TEXT, "minItems": FEWEST, "maxItems": MOST_STRINGS, "uniqueItems": True},
    "strings: a public list of some that are expected, one per line; others may come as well",
    "FILE",
)
SCHEME = field_of(
    "task", "scheme", choice(*OUR_NAMES), f"{', '.join(OUR_NAMES[:-1])} or {OUR_NAMES[-1]} ({FRONTIER})", "NAME", ""
)
EPSILON = replace(
    field_of(
        "task", "epsilon", {"type": "number", "minimum": MIN_EPSILON, "maximum": MAX_EPSILON}, "privacy budget", "E", ""
    ),
    read=lambda view: float(view.task.budget.epsilon),
)
DOMAIN = Field(
    "domain",
    {"oneOf": [record(**{each.name: each.schema}) for each in DOMAINS]},
    read=lambda view: view.task.domain.summary(),
)
K = field_of("task", "k", up_to(LARGEST_32, 1), "how many items to find", "K")
LEVEL = field_of(
    "task.budget", "level", choice(*get_args(Level), default=DEFAULT_LEVEL), "what ε covers (period)", "", ""
)
EVENTS = field_of("task.budget", "events", up_to(LARGEST_32, 1), "events per window or user; required for those levels")
PERIOD = field_of(
    "task.budget",
    "period",
    choice(*get_args(Period), default=DEFAULT_PERIOD),
    "how long a period is (day)",
    "",
    "",
    "none",
)
DIVISION = field_of(
    "task.budget",
    "division",
    choice(*get_args(Division), default="population"),
    "windows and users: report one of the events with all of ε, or each with a part of it (population)",
    "",
    "",
    "none",
)
OTHER = field_of("task", "other", BOOLEAN, "report items that the domain does not list as other", "", "", "no")
NOTHING = field_of("task", "nothing", BOOLEAN, "report a period without events too, as the item nothing", "", "", "no")
NORMALISE = field_of(
    "task",
    "normalise",
    choice(*get_args(Normalisation), default="none"),
    "near misses that count as the item: by space around it, by case (none)",
    "",
    "",
)
ONE_ANSWER = field_of(
    "task", "one_answer", BOOLEAN, "a client answers each bulletin once, whatever events follow", "", "", "no"
)
KEYS = field_of(
    "task", "keys", choice(*get_args(KeyLife), default="epoch"), f"{FRONTIER}: how long hash keys stay (epoch)", "", ""
)
WEIGHS = Field("weighs", choice(*get_args(Unit)), read=attrgetter("task.weighs"))
CELLS = field_of("task.rules", "cells", up_to(LARGEST_32, 1), "cells of the hot list or the frontier", "M")
LIGHT_CELLS = field_of(
    "task.rules", "light_cells", up_to(MOST_LIGHT_CELLS), "hot lists: how many nominees may wait", "L"
)
STRUCTURE = field_of(
    "task.rules",
    "structure",
    choice(*get_args(Structure), default="heavy-guardian"),
    "hot lists: how a newcomer gets in",
    "",
    "",
)
FIRST_EPOCH = field_of("task.rules", "epoch", up_to(LARGEST_32), "reports in the first epoch")
MEMORY = Field(
    "memory",
    up_to(LARGEST_32, 1),
    f"{FRONTIER}: bytes that the server keeps",
    "BYTES",
    unit="bytes",
    if_none="none",
    read=attrgetter("task.rules.memory_limit"),
)
HALF_LIFE = Field(
    "half_life",
    up_to(LARGEST_53),
    f"{FRONTIER}: reports after which the past counts half (0: never)",
    "N",
    unit="reports",
    if_none="none",
    read=attrgetter("task.rules.fading"),
)
SPELLING = Field(
    "spelling",
    choice(*get_args(Spelling), default="text"),
    f"{FRONTIER} of strings: what they look like (text)",
    "",
    "",
    "none",
    read=lambda view: getattr(view.task.rules, "spelling", None),
)
EPOCH_SECONDS = field_of(
    "task", "epoch_seconds", up_to(LARGEST_32), "also end an epoch after S seconds (0: do not)", "S", "seconds", "none"
)
DAILY_REPORTS = field_of(
    "task",
    "daily_reports",
    up_to(LARGEST_32),
    "most reports in 24 hours from one client (0: no limit)",
    if_none="no limit",
)
WARMUP = Field(
    "warmup",
    {
        "type": "array",
        "items": {
            "type": "array",
            "prefixItems": [{"type": ["integer", "string"]}, up_to(MOST_ITEMS, 1)],
            "minItems": 2,
            "maxItems": 2,
        },
        "maxItems": MOST_DIFFERENT,
    },
    "start from these raw items, public ones or knowingly given: one per line, or a column of CSV; not private",
    "FILE",
)
RAW_ITEMS = Field("warmup_raw_items", COUNT, unit="count", if_none="none", read=attrgetter("terms.warmup"))

NEEDED = (NAME, EPSILON, DOMAIN, K)
OF_THE_BUDGET = (LEVEL, EVENTS, PERIOD, DIVISION)
OF_THE_ANSWERS = (OTHER, NOTHING, NORMALISE, ONE_ANSWER, KEYS)
OF_THE_TASK = (CELLS, LIGHT_CELLS, STRUCTURE, FIRST_EPOCH, MEMORY, HALF_LIFE, SPELLING, EPOCH_SECONDS, DAILY_REPORTS)
NEW_TASK = (*NEEDED, HINTS, SCHEME, *OF_THE_BUDGET, *OF_THE_ANSWERS, *OF_THE_TASK, *OF_THE_TERMS, WARMUP)
CREATED_TASK = Document(id=HEX, write_key=TOKEN, read_token=TOKEN, upload=TEXT)

_UPLOADS = Document(accepted=COUNT, duplicate=COUNT, refused=COUNT)
TASK = Document(
    Field("id", HEX, read=lambda view: view.id.hex()),
    NAME,
    SCHEME,
    EPSILON,
    LEVEL,
    EVENTS,
    replace(PERIOD, schema=maybe(PERIOD.schema)),
    replace(DIVISION, schema=maybe(DIVISION.schema)),
    WEIGHS,
    *OF_THE_ANSWERS,
    replace(DOMAIN, schema={"type": "object"}),
    K,
    CELLS,
    replace(MEMORY, schema=COUNT),
    HALF_LIFE,
    replace(SPELLING, schema=maybe(SPELLING.schema)),
    EPOCH_SECONDS,
    DAILY_REPORTS,
    *OF_THE_TERMS,
    RAW_ITEMS,
    Field("created", MOMENT, read=lambda view: in_utc(view.created)),
    Field(
        "closed", maybe(MOMENT), if_none="no", read=lambda view: None if view.closed is None else in_utc(view.closed)
    ),
    Field("bulletin", HEX, read=lambda view: view.bulletin.version),
    Field("bulletin_cells", COUNT, unit="count", read=attrgetter("bulletin_cells")),
    Field("published", MOMENT, read=lambda view: in_utc(view.published)),
    Field("epoch", COUNT, unit="count", read=attrgetter("epoch")),
    Field("reports", COUNT, unit="count", read=attrgetter("reports")),
    Field("in_epoch", COUNT, unit="count", read=attrgetter("in_epoch")),
    Field("epoch_length", COUNT, unit="count", read=attrgetter("epoch_length")),
    Field("state_bytes", COUNT, unit="bytes", if_none="none", read=attrgetter("state_bytes")),
    Field("uploads", _UPLOADS.schema, read=lambda view: _UPLOADS.of(view.accepted, view.duplicate, view.refused)),
)
TASKS = Document(tasks=list_of(ref("Task")))
FIELDS = {each.name: each for each in TASK.fields}


def task_document(view: "TaskView") -> dict[str, Any]:
    """What a task is and how far it has come."""
    return TASK.of(*(each.read(view) for each in TASK.fields if each.read is not None))


def state_document(view: "TaskView") -> dict[str, Any]:
    """A task with its top, and which reports that top counts."""
    counted = {"top_epoch": view.top_epoch, "top_reports": view.top_reports}
    return {**task_document(view), **counted, "clear_top": clear_top(view.top), "top": top_rows(view.top)}


def tasks_document(views: "Iterable[TaskView]") -> dict[str, Any]:
    """All of them."""
    return TASKS.of([task_document(view) for view in views])


def new_task_schema() -> Schema:
    """The schema of the request that creates a task: some fields are required, the others have defaults."""
    return record(**{each.name: each.schema for each in NEW_TASK}) | {"required": [each.name for each in NEEDED]}


def task_schema() -> Schema:
    """The schema of a task. Three fields come in another order than in the document, as in the OpenAPI of 0.1.0."""
    names = list(TASK.names)
    for name, before in (("domain", "id"), ("memory", "reports_per_day"), ("bulletin_cells", "published")):
        names.remove(name)
        names.insert(names.index(before) + 1, name)
    shape: Schema = TASK.schema["properties"]
    return record(**{name: shape[name] for name in names})
