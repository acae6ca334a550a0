"""What a certificate looks like, for the OpenAPI document; docs/certificate.md says what it means."""

from hgldp.collector.http.documents.schema import HEX, TEXT, Schema, list_of, record

FRACTION: Schema = {"type": "string", "pattern": "^[0-9]+(/[0-9]+)?$"}
POSITIVE: Schema = {"type": "integer", "minimum": 1}
_PAIR: Schema = {"type": "array", "items": POSITIVE, "minItems": 2, "maxItems": 2}


def _named(values: Schema) -> Schema:
    return {"type": "object", "additionalProperties": values}


_ALWAYS: dict[str, Schema] = {"bulletin": TEXT, "total": POSITIVE, "items": _named(_named(list_of(_PAIR)))}
_LAW = record(**_ALWAYS, cells=_PAIR) | {"required": list(_ALWAYS)}
CERTIFICATE = record(certificate={"const": 1}, task=HEX, epsilon_per_report=FRACTION, laws=list_of(_LAW))
