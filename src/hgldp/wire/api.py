"""The collector's HTTP API in constants, for its routes, its description, the client and the command: paths and types.

Braces hold what is filled in: `TOP.format(id=task_id)`, `UPLOAD.format(write_key=key)`.
"""

UPLOAD = "/v1/in/{write_key}"
TASKS = "/v1/tasks"
TASK = "/v1/tasks/{id}"
DOCUMENT = f"{TASK}/document"
CURRENT_BULLETIN = f"{TASK}/bulletin"
PRIVACY = f"{TASK}/privacy"
CERTIFICATE = f"{TASK}/certificate"
TOP = f"{TASK}/top"
ASK = f"{TASK}/ask"
HISTORY = f"{TASK}/history"
EXPORT = f"{TASK}/export"
EVENTS = f"{TASK}/events"
CLOSE = f"{TASK}/close"
SEAL = f"{TASK}/seal"
RENAME = f"{TASK}/rename"
ROTATE_KEY = f"{TASK}/rotate-key"
ROTATE_TOKEN = f"{TASK}/rotate-token"
DELETE = f"{TASK}/delete"
BULLETIN = "/v1/bulletins/{version}"
HEALTH = "/health"
READY = "/ready"
METRICS = "/metrics"
OPENAPI = "/openapi.json"

MOST_ASKED = 1_000

JSON = "application/json"
BYTES = "application/octet-stream"
PLAIN = "text/plain"
HTML = "text/html"
CSV = "text/csv"
PARQUET = "application/vnd.apache.parquet"
EVENT_STREAM = "text/event-stream"
