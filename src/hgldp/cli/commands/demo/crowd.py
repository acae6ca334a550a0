"""Ten thousand simulated clients over real HTTP, light enough for one process, each with its own coins.

The uploads are written to asyncio streams by hand: thousands of clients share a few connections in one process.
"""

import asyncio
import os
import time
from collections import Counter, deque
from collections.abc import Callable
from copy import copy
from dataclasses import dataclass
from math import inf
from pathlib import Path

from hgldp.client import BulletinCache, Disk, Randomizer, Transport
from hgldp.errors import HgldpError
from hgldp.model.bulletins import AnyBulletin
from hgldp.model.randomness import OSWords
from hgldp.model.task import Task
from hgldp.schemes.registry import scheme_of
from hgldp.system.http import Address, Unreachable
from hgldp.wire import api
from hgldp.wire.upload import ID_BYTES, Upload

CONNECTIONS, RENEWAL_SECONDS = 48, 0.1
FIRST_RATE, DOUBLING_SECONDS = 400.0, 1.5
BUSY, LATE, MOST_TRIES = (429, 503), 410, 20


class NothingSent(HgldpError):
    """The collector turned the demo away."""


class _NoDisk(Disk):
    def write(self, path: Path, data: bytes) -> None:
        """A simulated client keeps nothing; a real one does (`hgldp.client.Reporter`)."""


@dataclass(slots=True)
class SimulatedClient:
    """One person's device: its events, and a randomiser with its own entropy."""

    randomizer: Randomizer
    events: deque[str]

    def upload(self, bulletin: AnyBulletin, limit: int, most: int) -> tuple[list[str], bytes]:
        """The next few events, each randomised once, as the bytes that leave the device."""
        events = [self.events.popleft() for _ in range(min(most, len(self.events)))]
        symbols = [self.randomizer.report(event, bulletin).symbol for event in events]
        return events, Upload.of(os.urandom(ID_BYTES), bytes.fromhex(bulletin.version), symbols, limit).encode()


class Crowd:
    """Clients that send what they have over a few connections, and a count of the truth, which never leaves here."""

    def __init__(self, url: str, task: Task, write_key: str, max_epsilon: float) -> None:
        self._address = Address.of(url)
        self._path = api.UPLOAD.format(write_key=write_key)
        self._scheme = scheme_of(task)
        self._transport = Transport(self._address, timeout=5.0, deadline=10.0, write_key=write_key)
        self._bulletins = BulletinCache(_NoDisk(), Path(), task.id.hex(), self._scheme, most_age=60.0)
        self._model = Randomizer(task, max_epsilon)
        self.truth: Counter[str] = Counter()
        self.uploads = self.sent_bytes = self.too_late = 0

    def client(self, events: list[str]) -> SimulatedClient:
        """One more client, with its own coins."""
        randomizer = copy(self._model)
        randomizer.words = OSWords()
        return SimulatedClient(randomizer, deque(events))

    async def send(
        self, clients: deque[SimulatedClient], most: int, rate: Callable[[], float], until: float = inf
    ) -> None:
        """Send until no client has anything left or time is up, at the uploads per second that `rate` allows."""
        pace, renewals = _Pace(rate), None
        try:
            await self._renew()
            renewals = asyncio.create_task(self._renew_for_ever())
            async with asyncio.TaskGroup() as group:
                for _ in range(CONNECTIONS):
                    group.create_task(self._connection(clients, most, pace, until))
        except* (OSError, EOFError, Unreachable):
            raise NothingSent("the collector went away while the clients were sending") from None
        finally:
            if renewals is not None:
                renewals.cancel()

    async def _connection(self, clients: deque[SimulatedClient], most: int, pace: "_Pace", until: float) -> None:
        line = Line(self._address)
        try:
            while clients and time.monotonic() < until:
                client = clients.popleft()
                await pace.turn()
                bulletin = self._bulletins.fresh(time.monotonic())
                if bulletin is None:
                    raise NothingSent("the collector offers only a stale bulletin")
                limit = self._scheme.symbol_limit(bulletin)
                events, body = client.upload(bulletin, limit, most)
                await self._deliver(line, events, body)
                if client.events:
                    clients.append(client)
        finally:
            line.close()

    async def _deliver(self, line: "Line", events: list[str], body: bytes) -> None:
        """Send the same bytes again until they are taken or too late."""
        head = f"POST {self._path} HTTP/1.1\r\nHost: {self._address.host}\r\nContent-Length: {len(body)}\r\n\r\n"
        for _ in range(MOST_TRIES):
            status = await line.post(head.encode() + body)
            if status == 200:
                self.truth.update(events)
                self.uploads, self.sent_bytes = self.uploads + 1, self.sent_bytes + len(body)
                return
            if status == LATE:
                self.too_late += len(events)
                return
            if status not in BUSY:
                break
            await asyncio.sleep(0.25)
        raise NothingSent(f"the collector does not take the reports: it answers {status}")

    async def _renew(self) -> None:
        await asyncio.to_thread(self._fetch)

    def _fetch(self) -> None:
        try:
            self._bulletins.renew(self._transport, time.monotonic())
        finally:
            self._transport.rest()

    async def _renew_for_ever(self) -> None:
        """On a timer, as every client does; the crowd shares one copy, as clients behind a cache would."""
        while True:
            await asyncio.sleep(RENEWAL_SECONDS)
            try:
                await self._renew()
            except Unreachable:
                continue


def growing(most: float) -> Callable[[], float]:
    """A crowd that gathers: slow at first, since the first epochs are short, then twice as fast every little while."""
    started = time.monotonic()
    return lambda: min(most, FIRST_RATE * 2.0 ** ((time.monotonic() - started) / DOUBLING_SECONDS))


class _Pace:
    """Hands out turns at a rate that may change."""

    def __init__(self, rate: Callable[[], float]) -> None:
        self._rate, self._next = rate, time.monotonic()

    async def turn(self) -> None:
        """Wait for the next one."""
        now = time.monotonic()
        self._next = max(self._next, now - 0.05) + 1.0 / self._rate()
        if self._next > now:
            await asyncio.sleep(self._next - now)


class Line:
    """A connection to the collector. If it was idle for so long that the collector closed it, there will be another."""

    def __init__(self, address: Address) -> None:
        self._address = address
        self._open: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def post(self, data: bytes) -> int:
        """Send a request; returns the status of its answer."""
        if self._open is not None:
            try:
                return await self._exchange(*self._open, data)
            except (OSError, EOFError):
                self.close()
        self._open = await asyncio.open_connection(self._address.host, self._address.port)
        return await self._exchange(*self._open, data)

    async def _exchange(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, data: bytes) -> int:
        writer.write(data)
        return await _status(reader)

    def close(self) -> None:
        """Hang up."""
        if self._open is not None:
            self._open[1].close()
            self._open = None


async def _status(reader: asyncio.StreamReader) -> int:
    head = await reader.readuntil(b"\r\n\r\n")
    length = head.lower().partition(b"content-length:")[2].partition(b"\r\n")[0]
    await reader.readexactly(int(length or 0))
    return int(head[9:12])
