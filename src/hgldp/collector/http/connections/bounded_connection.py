"""A connection that has a place and holds a counted number of bytes.

It is cut off if its answer is not read, and it rests if its address was refused too often.
"""

import asyncio
from typing import Any

from hgldp.collector.http.connections.head_limits import BoundedHead
from hgldp.collector.http.connections.places import BUSY, IDLE, SLOW, Account, Places
from hgldp.collector.http.connections.refusals import Refusals
from hgldp.collector.http.connections.watched_transport import WatchedTransport
from hgldp.collector.problems import Problem, Refused

WHOLE = "hgldp.whole"  # in the scope of a request that was there with all its body before the app began
UNREAD_BYTES = 1 << 14
WRITE_SECONDS, LEAST_READ, RETRY_SECONDS = 10.0, 1 << 15, 5
NO_ROOM = Refused(Problem.TOO_MANY_CONNECTIONS, "unfinished requests hold too many bytes", retry_after=RETRY_SECONDS)
NO_ROOM_SECONDS = 8.0


class BoundedConnection(BoundedHead):
    """Marks whose turn it is, for `places`. An upload that comes in one piece makes two marks: busy, and idle again.

    While more than `UNREAD_BYTES` of an answer wait for the client, it must read `LEAST_READ` bytes, or all there are,
    every `WRITE_SECONDS`.

    A connection that rests is not read, its next request does not begin, and its place may be given up. One that comes
    from a trusted proxy never rests: it carries the requests of others too.
    """

    places: Places
    refusals: Refusals
    account: Account | None = None
    held, turn, used, _unread, _reader = 0, IDLE, True, 0, None
    _rest, _resting = 0.0, None

    def connection_made(self, transport: Any) -> None:
        """Take a place, or say that there is none."""
        super().connection_made(transport)
        transport.set_write_buffer_limits(high=UNREAD_BYTES)
        self.transport = WatchedTransport(transport, self._refused)  # type: ignore[assignment]
        if not self.places.enter(self, self.client[0] if self.client else ""):
            self.refuse(Refused(Problem.TOO_MANY_CONNECTIONS, retry_after=RETRY_SECONDS))

    def connection_lost(self, exc: Exception | None) -> None:
        """The place is free, whoever answers hears of it, and nothing keeps what was held: no timer and no cycle."""
        self.places.leave(self)
        self._stop_reader()
        if self._resting is not None:
            self._resting.cancel()
        super().connection_lost(exc)
        self._unset_keepalive_if_required()
        self.transport.forget()  # type: ignore[attr-defined]
        if self._answering is not None:  # uvicorn tells only the request that came last
            self._answering.disconnected = True
            self._answering.message_event.set()
        self.pipeline.clear()
        self.cycle = self._answering = None  # type: ignore[assignment]

    def cut(self) -> None:
        """Give the place to somebody else."""
        self.transport.abort()

    def let_go(self) -> None:
        """Forget the body so far, and answer only after a while: whoever is cut off comes back at once."""
        cycle = self.cycle
        if cycle is None or self._within or not cycle.more_body or cycle.response_started or self.pipeline:
            self.transport.abort()
            return
        self.flow.pause_reading()
        cycle.body, cycle.disconnected = bytearray(), True
        cycle.message_event.set()
        self.turn = IDLE
        self._resting = asyncio.get_running_loop().call_later(NO_ROOM_SECONDS, self.refuse, NO_ROOM)

    def data_received(self, data: bytes) -> None:
        """Whose turn is it now, and how much do we hold?"""
        BoundedHead.data_received(self, data)  # twice as quick as super()
        self.used, cycle = True, self.cycle
        if cycle is None or self._within or cycle.more_body:
            self.turn = SLOW
            if cycle is None or self._within or not cycle.response_complete:
                self.places.hold(self, self.held + len(data))
        elif not cycle.response_complete:
            self.turn = BUSY
            cycle.scope[WHOLE] = True  # type: ignore[literal-required]
            if self.held or self.pipeline:
                self.places.hold(self, self._waiting_bytes)

    def on_response_complete(self) -> None:
        """Answered: idle, unless the client has not read enough of it or another request waits already."""
        self.transport.flush()  # type: ignore[attr-defined]
        answered = self._answering or self.cycle
        if answered is not None and answered.body:
            answered.body = bytearray()  # nobody has read it, and nobody will
        if self._rest and not self.transport.is_closing():
            self._begin_rest()
            return
        if self._answering is not None:
            self._answering = self.pipeline[-1][0] if self.pipeline else None
        BoundedHead.on_response_complete(self)
        if not self.flow.write_paused and not self.pipeline and not self._within:
            next_one = self.cycle  # the last of several that came together, if it has only begun
            begun = next_one is not None and not next_one.response_complete
            self.turn = (SLOW if next_one.more_body else BUSY) if begun else IDLE
            if self.held:
                self.places.hold(self, len(next_one.body) if begun and next_one.more_body else 0)

    def shutdown(self) -> None:
        """The server stops: a connection that rests, or waits for its 503, is closed without an answer."""
        if self._resting is not None:
            self.transport.close()
        else:
            super().shutdown()

    def pause_writing(self) -> None:
        """The client does not read as fast as we write."""
        super().pause_writing()
        self.turn = SLOW
        self._look_at_reader()

    def resume_writing(self) -> None:
        """It has read what there was."""
        super().resume_writing()
        self._stop_reader()
        self.used = True
        cycle = self.cycle
        self.turn = IDLE if cycle is None or cycle.response_complete or cycle.disconnected else BUSY
        self.places.hold(self, self._waiting_bytes)

    def timeout_keep_alive_handler(self) -> None:
        """Close; but whoever leaves bytes unread is not waited for without an end."""
        super().timeout_keep_alive_handler()
        if self._reader is None and self.transport.get_write_buffer_size():
            self._look_at_reader()

    @property
    def _waiting_bytes(self) -> int:
        """The bodies of the requests that wait for the answer to another."""
        return sum(len(cycle.body) for cycle, _ in self.pipeline)

    def _refused(self) -> None:
        account = self.account
        if account is not None and not account.proxy:
            self._rest = self.refusals.rest_after(account.address)

    def _begin_rest(self) -> None:
        self.flow.pause_reading()
        self.turn = IDLE
        self._resting = asyncio.get_running_loop().call_later(self._rest, self._end_rest)

    def _end_rest(self) -> None:
        self._rest, self._resting = 0.0, None
        if self.pipeline or self._within:
            self.turn = BUSY if self.pipeline else SLOW
        self.on_response_complete()

    def _look_at_reader(self) -> None:
        size = self.transport.get_write_buffer_size()
        if self._reader is not None and size > self._unread - LEAST_READ:
            self.transport.abort()
            return
        self._unread = size
        self.places.hold(self, size)
        self._reader = asyncio.get_running_loop().call_later(WRITE_SECONDS, self._look_at_reader)

    def _stop_reader(self) -> None:
        if self._reader is not None:
            self._reader.cancel()
            self._reader = None
