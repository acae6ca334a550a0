"""An answer that is the same for nearly all uploads, as ready bytes.

uvicorn checks and joins the headers of each answer anew, which is a tenth of what an upload costs.
"""

from collections.abc import Iterable
from functools import lru_cache
from typing import Any

from uvicorn.protocols.http.httptools_impl import STATUS_LINE, RequestResponseCycle

from hgldp.collector.http.connections.watched_transport import WatchedTransport

Pairs = tuple[tuple[bytes, bytes], ...]


def answer_at_once(send: Any, status: int, headers: Pairs, body: bytes) -> bool:
    """Do all that two calls of `send` would do. False, and nothing done, if it is not the simplest of cases.

    That is a connection of ours which stays open, and whose client reads as fast as we write.
    """
    cycle = getattr(send, "__self__", None)
    transport = getattr(cycle, "transport", None)
    if (
        type(cycle) is not RequestResponseCycle
        or type(transport) is not WatchedTransport
        or not cycle.keep_alive
        or cycle.response_started
        or cycle.disconnected
        or cycle.flow.write_paused
    ):
        return False
    cycle.response_started = cycle.response_complete = True
    cycle.message_event.set()
    transport.write_whole(_ready(status, tuple(cycle.default_headers), headers, body))
    cycle.on_response()
    return True


@lru_cache(maxsize=1_024)
def _ready(status: int, always: Pairs, headers: Pairs, body: bytes) -> bytes:
    """What uvicorn would write; `always` has the date, so it is made again every second."""
    return b"".join([STATUS_LINE[status], *_lines(always), *_lines(headers), b"\r\n", body])


def _lines(headers: Iterable[tuple[bytes, bytes]]) -> list[bytes]:
    return [b"%b: %b\r\n" % pair for pair in headers]
