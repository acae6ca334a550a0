"""What the engine takes at once: every queue, group and body has an end."""

from dataclasses import dataclass, fields

from hgldp.model.validate import check_whole
from hgldp.wire.upload import MOST_BYTES

_LARGEST = (1 << 40) - 1


@dataclass(frozen=True)
class Limits:
    """Beyond `queue_uploads` or `queue_bytes` the answer is 503; one group commit holds `group_uploads` at most.

    `body_seconds` is how long a client may take for its body, `requests` how many may be under way at once, `tasks`
    how many tasks there can be, `remembered_ids` how many upload ids a bulletin keeps in memory before a file does.
    `busy_milliseconds` is how long a locked database is waited for; `refresh_milliseconds` how old a live top may be.

    >>> Limits(queue_uploads=0)
    Traceback (most recent call last):
    hgldp.errors.InvalidField: queue_uploads must be a whole number in 1 … 1099511627775, got 0
    """

    queue_uploads: int = 20_000
    queue_bytes: int = 64 << 20
    group_uploads: int = 4_096
    group_bytes: int = 8 << 20
    body_bytes: int = MOST_BYTES
    body_seconds: int = 10
    requests: int = 20_000
    tasks: int = 1_000
    remembered_ids: int = 500_000
    busy_milliseconds: int = 2_000
    refresh_milliseconds: int = 500

    def __post_init__(self) -> None:
        for each in fields(self):
            check_whole(each.name, getattr(self, each.name), 1, _LARGEST)
