"""What a change of a task says and answers."""

from hgldp.collector.http.documents.schema import COUNT, HEX, MOMENT, TEXT, TOKEN, Document, Schema, record, up_to
from hgldp.collector.http.documents.task import NAME

MOST_HOURS = 24 * 365
NEW_KEY = Document(id=HEX, write_key=TOKEN, upload=TEXT, old_until=MOMENT)
NEW_TOKEN = Document(id=HEX, read_token=TOKEN)
DELETED_TASK = Document(id=HEX, reports=COUNT)
NAMED: Schema = record(name=NAME.schema)
KEEPING_THE_OLD: Schema = record(keep_old_hours=up_to(MOST_HOURS)) | {"required": []}
SCHEMAS: dict[str, Schema] = {
    "Named": NAMED,
    "KeepingTheOld": KEEPING_THE_OLD,
    "NewKey": NEW_KEY.schema,
    "NewToken": NEW_TOKEN.schema,
    "DeletedTask": DELETED_TASK.schema,
}
