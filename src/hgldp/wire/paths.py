"""The paths of the collector's HTTP API: its routes, its description, the client and the command all read them here.

Braces hold what is filled in: `TOP.format(id=task_id)`, `UPLOAD.format(write_key=key)`.
"""

UPLOAD = "/v1/in/{write_key}"
TASKS = "/v1/tasks"
TASK = "/v1/tasks/{id}"
DOCUMENT = f"{TASK}/document"
CURRENT_BULLETIN = f"{TASK}/bulletin"
PRIVACY = f"{TASK}/privacy"
TOP = f"{TASK}/top"
HISTORY = f"{TASK}/history"
EXPORT = f"{TASK}/export"
EVENTS = f"{TASK}/events"
CLOSE = f"{TASK}/close"
SEAL = f"{TASK}/seal"
BULLETIN = "/v1/bulletins/{version}"
HEALTH = "/health"
READY = "/ready"
METRICS = "/metrics"
OPENAPI = "/openapi.json"
