"""Answers of any length in bounded pieces: each is made when the client has read the one before, and few at once."""

import asyncio
import time
from collections import Counter
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.types import Receive, Scope, Send

from hgldp.collector.http.connections.client_address import Networks, address_of
from hgldp.collector.http.threads import MOST_WAITING, BoundedThreads
from hgldp.collector.problems import Problem, Refused

PIECE_BYTES = 1 << 16
MOST_BYTES, MOST_SECONDS = 4 << 30, 600.0
REST, LONGEST_REST = 2.0, 0.25
AT_ONCE, PER_ADDRESS, FOR_THE_ADMIN, RETRY_SECONDS = 8, 2, 2, 30


def in_pieces(parts: Iterable[str | bytes], size: int = PIECE_BYTES) -> Iterator[bytes]:
    """The same bytes in pieces of about this size; at least one, which may be empty.

    >>> list(in_pieces(["tea", b"mate", "cola"], 5))
    [b'teamate', b'cola']
    """
    held, length = [], 0
    for part in parts:
        data = part.encode() if isinstance(part, str) else part
        held.append(data)
        length += len(data)
        if length >= size:
            yield b"".join(held)
            held, length = [], 0
    yield b"".join(held)


class LongAnswers:
    """Begins answers: a short one goes out at once, a long one needs one of a few places.

    No address has more than `PER_ADDRESS` of them, and `FOR_THE_ADMIN` are kept for the admin.
    """

    def __init__(self, threads: BoundedThreads, trusted: Networks) -> None:
        self._threads, self._trusted = threads, trusted
        self._taken: Counter[str] = Counter()
        self._turn, self._waiting = asyncio.Lock(), 0

    async def begin(
        self, request: Request, parts: Iterable[str | bytes], headers: Mapping[str, str], kind: str, *, admin: bool
    ) -> Response:
        """The answer that the parts make up. They are made in a thread, and read no faster than the client reads."""
        pieces = in_pieces(parts)
        if self._waiting >= MOST_WAITING:
            raise Refused(Problem.TOO_MANY_QUESTIONS, retry_after=RETRY_SECONDS)
        first = await self._next(pieces) or b""
        second = await self._next(pieces)
        if second is None:
            return Response(first, 200, headers, kind)
        whose = "" if admin else address_of(request.scope, self._trusted)
        return _LongAnswer(self._pieces(first, second, pieces), headers, kind, self._taken, whose)

    async def _pieces(self, first: bytes, second: bytes, rest: Iterator[bytes]) -> AsyncIterator[bytes]:
        sent, until = 0, time.monotonic() + MOST_SECONDS
        piece: bytes | None = first
        following: bytes | None = second
        while piece is not None:
            sent += len(piece)
            yield piece
            if sent > MOST_BYTES or time.monotonic() > until:
                raise _Cut
            piece, following = following, None
            if piece is not None:
                following = await self._next(rest)

    async def _next(self, rest: Iterator[bytes]) -> bytes | None:
        """One piece at a time, and then a rest at least as long: uploads come first."""
        self._waiting += 1
        try:
            async with self._turn:
                before = time.monotonic()
                piece: bytes | None = await self._threads.run_in_turn(next, rest, None)
                await asyncio.sleep(min(LONGEST_REST, REST * (time.monotonic() - before)))
                return piece
        finally:
            self._waiting -= 1


class _Cut(Exception):
    """The answer is too long."""


class _LongAnswer(StreamingResponse):
    """Takes its place before it sends a byte, and gives it back however it ends."""

    def __init__(
        self, pieces: AsyncIterator[bytes], headers: Mapping[str, str], kind: str, taken: Counter[str], whose: str
    ) -> None:
        super().__init__(pieces, 200, headers, kind)
        self._taken, self._whose = taken, whose

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """An answer that is cut off ends without its last chunk, so that no client takes it for the whole."""
        mine = self._taken[self._whose]
        full = mine >= FOR_THE_ADMIN if not self._whose else self._is_full(mine)
        if full:
            raise Refused(Problem.TOO_MANY_QUESTIONS, "too many long answers are under way", RETRY_SECONDS)
        self._taken[self._whose] += 1
        try:
            async with asyncio.timeout(MOST_SECONDS):
                await super().__call__(scope, receive, send)
        except* (TimeoutError, _Cut):
            pass
        finally:
            self._taken[self._whose] -= 1
            if not self._taken[self._whose]:
                del self._taken[self._whose]

    def _is_full(self, mine: int) -> bool:
        return mine >= PER_ADDRESS or self._taken.total() - self._taken[""] >= AT_ONCE
