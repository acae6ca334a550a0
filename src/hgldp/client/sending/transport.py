"""How a reporter talks to its collector: silently, so that no header, cookie or ETag tells one client from another.

The write key is the same in every copy of an app, so it tells nothing; a private task shows its bulletins only to it.
"""

import ssl

from hgldp.errors import HgldpError
from hgldp.system.http import Address, Answer, Connection, Unreachable
from hgldp.wire import api

MOST_ANSWER, NOT_FOUND = 1 << 16, 404
BYTES = {"Content-Type": api.BYTES}


class Untrusted(HgldpError):
    """An answer that is not what it claims to be: nothing is sent until a good one comes."""


class Transport(Connection):
    """Nothing that an earlier answer said is ever sent back: it would work as a cookie."""

    def __init__(
        self,
        address: Address,
        timeout: float,
        deadline: float | None,
        tls: ssl.SSLContext | None = None,
        write_key: str = "",
    ) -> None:
        super().__init__(address, timeout, deadline, tls)
        self._showing_the_key = {"Authorization": f"Bearer {write_key}"} if write_key else {}

    def get(self, path: str, most_bytes: int = MOST_ANSWER) -> Answer:
        """Ask for a document of at most `most_bytes` bytes."""
        return self.request("GET", path, None, self._showing_the_key, most_bytes)

    def post(self, path: str, body: bytes) -> Answer:
        """Send bytes as they are. A collector counts an upload once, so sending the same bytes again does no harm."""
        return self.request("POST", path, body, BYTES, MOST_ANSWER)


def fetch(transport: Transport, path: str, most_bytes: int) -> bytes:
    """The body of a success; any other answer counts as none."""
    answer = transport.get(path, most_bytes)
    if answer.status == NOT_FOUND:
        raise Unreachable("the task is gone, or the write key is not its own (status 404)")
    if answer.status != 200:
        raise Unreachable(f"no usable answer (status {answer.status})")
    return answer.body
