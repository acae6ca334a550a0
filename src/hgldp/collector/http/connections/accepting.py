"""Lets several newcomers in at once, and not so many that everybody else waits for them.

uvloop accepts one connection in each turn of its loop. Two hundred connections that always have a request ready make a
turn a tenth of a second long, and then a newcomer waits for seconds behind others who came at the same time.
"""

import asyncio
import logging
import socket
import sys
from collections.abc import Callable

MOST_AT_ONCE, BREATH_SECONDS = 16, 0.1
GONE = (b"\x07", b"\x08")  # Linux's numbers of the states CLOSE (after a reset) and CLOSE_WAIT (after an end)
log = logging.getLogger("hgldp.collector")


class Accepting:
    """Listens from the beginning until `close`; to uvicorn it is a server of the event loop.

    When the process or the system has no more descriptors, it waits for a moment. Those who come wait in the backlog.
    """

    def __init__(
        self,
        listening: socket.socket,
        connection: Callable[[], asyncio.Protocol],
        backlog: int,
        *,
        breath: float = BREATH_SECONDS,
    ) -> None:
        self._loop, self._listening, self._connection, self._breath = (
            asyncio.get_running_loop(),
            listening,
            connection,
            breath,
        )
        self._coming: set[asyncio.Task[None]] = set()
        self._later: asyncio.TimerHandle | None = None
        self._short = False
        listening.settimeout(0)
        listening.listen(backlog)
        self._loop.add_reader(listening, self._accept)

    def close(self) -> None:
        """Let nobody in any more. Connections that are there stay."""
        if self._later is not None:
            self._later.cancel()
        self._loop.remove_reader(self._listening)

    async def wait_closed(self) -> None:
        """Until all who were let in are connected."""
        if self._coming:
            await asyncio.wait(self._coming)

    def _accept(self) -> None:
        for _ in range(MOST_AT_ONCE):
            try:
                line, _ = self._listening.accept()
            except (BlockingIOError, InterruptedError):
                break
            except ConnectionError:
                continue
            except OSError as failure:
                self._take_a_breath(failure)
                return
            if _is_gone(line):
                line.close()
                continue
            task = self._loop.create_task(self._connect(line))
            self._coming.add(task)
            task.add_done_callback(self._coming.discard)
        self._short = False

    async def _connect(self, line: socket.socket) -> None:
        try:
            line.settimeout(0)
            await self._loop.connect_accepted_socket(self._connection, line)
        except OSError:
            line.close()

    def _take_a_breath(self, failure: OSError) -> None:
        """Look again in a moment: the newcomer stays, so the socket would be readable at once. Say so only once."""
        if not self._short:
            log.warning("cannot accept a connection: %s", failure.strerror)
        self._short = True
        self._loop.remove_reader(self._listening)
        self._later = self._loop.call_later(self._breath, self._go_on)

    def _go_on(self) -> None:
        self._later = None
        self._loop.add_reader(self._listening, self._accept)


def _is_gone(line: socket.socket) -> bool:
    """Whether a newcomer hung up while it waited in the backlog.

    It may have asked something before. But uvicorn closes a connection whose client has ended its side, before most
    answers are ready.
    """
    try:
        if sys.platform == "linux":
            return line.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 1) in GONE
        return bool(line.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR))
    except OSError:  # the system does not tell
        return False
