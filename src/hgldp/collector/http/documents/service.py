"""The other documents of the service, and all of them by their names in the OpenAPI document."""

from dataclasses import fields

from hgldp.collector.http.documents.certificate import CERTIFICATE
from hgldp.collector.http.documents.distribution import DISTRIBUTION
from hgldp.collector.http.documents.question import QUESTION
from hgldp.collector.http.documents.results import ASKED, EXPORTED, HISTORY, TOP
from hgldp.collector.http.documents.schema import (
    COUNT,
    HEX,
    MOMENT,
    NUMBER,
    TEXT,
    TOKEN,
    Document,
    Schema,
    list_of,
    maybe,
    record,
    up_to,
)
from hgldp.collector.http.documents.task import CREATED_TASK, TASKS, new_task_schema, task_schema
from hgldp.collector.http.documents.terms import NAME
from hgldp.collector.problems import TYPE_PREFIX, Problem
from hgldp.collector.settings import MOST_AGE
from hgldp.collector.statement import Statement
from hgldp.wire.upload import MOST_REPORTS

MOST_HOURS_OF_AN_OLD_KEY = 24 * 365
NEW_KEY = Document(id=HEX, write_key=TOKEN, upload=TEXT, old_until=MOMENT)
NEW_TOKEN = Document(id=HEX, read_token=TOKEN)
DELETED_TASK = Document(id=HEX, reports=COUNT)
_KEEPING_THE_OLD: Schema = record(keep_old_hours=up_to(MOST_HOURS_OF_AN_OLD_KEY)) | {"required": []}
RECEIPT = Document(accepted=up_to(MOST_REPORTS, 1))
POINTER = Document(task=HEX, bulletin=HEX, epoch=COUNT, max_age=up_to(MOST_AGE, 1))
_OF_A_TYPE: dict[object, Schema] = {
    str: TEXT,
    float: NUMBER,
    int: COUNT,
    str | None: maybe(TEXT),
    int | None: maybe(COUNT),
    float | None: maybe(NUMBER),
}
STATEMENT = Document(task=HEX, **{each.name: _OF_A_TYPE[each.type] for each in fields(Statement)})
_PROBLEM: Schema = {
    "type": "object",
    "properties": {
        "type": {"enum": [TYPE_PREFIX + each.slug for each in Problem]},
        "title": TEXT,
        "status": {"type": "integer"},
        "detail": TEXT,
    },
    "required": ["type", "title", "status"],
}
SDK_HASH: Schema = {"type": "string", "pattern": "^[0-9a-f]{12}$"}
SDK_NAME: Schema = {"type": "string", "pattern": r"^[a-z-]{1,40}\.(js|mjs|css)$"}
SDK_FILE = Document(file=SDK_NAME, path=TEXT, bytes=COUNT, gzipped_bytes=COUNT, integrity=TEXT)
SDK = Document(version=SDK_HASH, files=list_of(SDK_FILE.schema))
_STATUS: Schema = {"type": "object", "properties": {"status": TEXT}, "required": ["status"]}
SCHEMAS: dict[str, Schema] = {
    "Problem": _PROBLEM,
    "NewTask": new_task_schema(),
    "CreatedTask": CREATED_TASK.schema,
    "Task": task_schema(),
    "Tasks": TASKS.schema,
    "Receipt": RECEIPT.schema,
    "Pointer": POINTER.schema,
    "Top": TOP.schema,
    "Question": QUESTION,
    "Asked": ASKED.schema,
    "Distribution": DISTRIBUTION.schema,
    "History": HISTORY.schema,
    "Export": list_of(EXPORTED.schema),
    "Statement": STATEMENT.schema,
    "Certificate": CERTIFICATE,
    "Status": _STATUS,
    "Named": record(name=NAME.schema),
    "KeepingTheOld": _KEEPING_THE_OLD,
    "NewKey": NEW_KEY.schema,
    "NewToken": NEW_TOKEN.schema,
    "DeletedTask": DELETED_TASK.schema,
    "Sdk": SDK.schema,
}
