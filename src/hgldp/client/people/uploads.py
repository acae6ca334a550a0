"""The queue of all people: reports that wait, the uploads that hold them, and the list of what left."""

import sqlite3
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import groupby, islice

from hgldp.client.people.database import Database
from hgldp.client.sending.outbox import Waiting, packed
from hgldp.model.randomness import Words
from hgldp.system.http import Unreachable
from hgldp.wire.upload import Upload

ADD = """INSERT INTO reports (person, bulletin, symbol, above, second)
    SELECT person, ?, ?, ?, ? FROM people WHERE person = ? AND out = 0 AND opted <= ?"""
PRUNE = """DELETE FROM reports WHERE person = ? AND left IS NOT NULL
    AND number <= (SELECT number FROM reports WHERE person = ? AND left IS NOT NULL
                   ORDER BY number DESC LIMIT 1 OFFSET ?)
    AND NOT EXISTS (SELECT 1 FROM uploads WHERE uploads.upload = reports.upload)"""
PACKED_AT_ONCE = 10_000


@dataclass(frozen=True)
class SentReport:
    """One report about a person that left the server: when, for which bulletin, the randomised symbol, the upload's id.

    The upload may hold reports of other people too, in an order drawn by lot.
    """

    second: int
    bulletin: str
    symbol: int
    upload: str


@dataclass(frozen=True)
class Made:
    """A report just drawn. `above`: the first symbol that no client may send. `reserved`: before it was paid."""

    person: bytes
    bulletin: bytes
    symbol: int
    above: int
    second: int
    reserved: float


class Uploads:
    """Durable when a method returns. A packed upload keeps its bytes; what waits unpacked has none yet."""

    def __init__(
        self, database: Database, most_batch: int, most: int, listed: int, words: Words, entropy: Callable[[int], bytes]
    ) -> None:
        self._database, self._most_batch, self._most, self._listed = database, most_batch, most, listed
        self._words, self._entropy = words, entropy

    def __len__(self) -> int:
        ((uploads, waiting),) = self._database.read(
            "SELECT (SELECT count(*) FROM uploads), (SELECT count(*) FROM reports WHERE upload IS NULL)"
        )
        return int(uploads) + -(-int(waiting) // self._most_batch)

    @property
    def full(self) -> bool:
        """Whether nothing more may be randomised for now."""
        return len(self) >= self._most

    def add(self, reports: Iterable[Made]) -> int:
        """Let reports wait, except those of people who opted out after they were reserved; how many wait."""
        values = [(each.bulletin, each.symbol, each.above, each.second, each.person, each.reserved) for each in reports]
        with self._database.write() as rows:
            return sum(rows.execute(ADD, value).rowcount for value in values)

    @property
    def waiting(self) -> tuple[Waiting, ...]:
        """Pack what waits, and list all uploads in the order in which they are to be sent."""
        while self._pack():
            pass
        found = self._database.read("SELECT body, second FROM uploads ORDER BY place")
        return tuple(Waiting.of(body, second) for body, second in found)

    def read(self, one: Waiting) -> bytes | None:
        """The bytes to send, the same each time; None if they are gone: then somebody opted out."""
        found = self._database.read("SELECT body FROM uploads WHERE upload = ?", (_id(one),))
        return found[0][0] if found and one.matches(found[0][0]) else None

    def left_at(self, upload: str) -> int | None:
        """When an upload was first sent; None if it never left."""
        found = self._database.read("SELECT left FROM uploads WHERE upload = ?", (bytes.fromhex(upload),))
        return found[0][0] if found else None

    def note(self, data: bytes, second: int) -> None:
        """Write down that an upload is about to leave; refuse one that is gone, because somebody opted out."""
        name = Upload.decode(data).id
        with self._database.write() as rows:
            found = rows.execute("UPDATE uploads SET left = coalesce(left, ?) WHERE upload = ?", (second, name))
            if not found.rowcount:
                raise Unreachable("an upload was taken back, because a person in it opted out")
            rows.execute("UPDATE reports SET left = coalesce(left, ?) WHERE upload = ?", (second, name))

    def postpone(self, one: Waiting) -> None:
        """Move an upload behind all others, so that one the server always turns away blocks none of them."""
        with self._database.write() as rows:
            place = "(SELECT max(place) + 1 FROM uploads)"
            rows.execute(f"UPDATE uploads SET place = {place} WHERE upload = ?", (_id(one),))  # noqa: S608

    def remove(self, one: Waiting) -> None:
        """Delete an upload that was delivered or given up. Those that left stay in the lists of their people."""
        name = _id(one)
        with self._database.write() as rows:
            people = rows.execute("SELECT DISTINCT person FROM reports WHERE upload = ?", (name,)).fetchall()
            rows.execute("DELETE FROM uploads WHERE upload = ?", (name,))
            rows.execute("DELETE FROM reports WHERE upload = ? AND left IS NULL", (name,))
            rows.executemany(PRUNE, [(person, person, self._listed) for (person,) in people])

    def sent(self, person: bytes) -> tuple[SentReport, ...]:
        """What left of a person, oldest first."""
        query = (
            "SELECT left, bulletin, symbol, upload FROM reports WHERE person = ? AND left IS NOT NULL ORDER BY number"
        )
        found = self._database.read(query, (person,))
        return tuple(SentReport(left, bulletin.hex(), symbol, upload.hex()) for left, bulletin, symbol, upload in found)

    def clear(self) -> None:
        """Delete everything that has not left."""
        with self._database.write() as rows:
            rows.execute("DELETE FROM uploads")
            rows.execute("DELETE FROM reports WHERE left IS NULL")
            rows.execute("UPDATE people SET drawn = NULL, due = NULL")

    def _pack(self) -> bool:
        """Put reports that wait into uploads, each for one bulletin; whether there may be more."""
        query = f"""SELECT bulletin, above, number, symbol, second FROM reports WHERE upload IS NULL
            ORDER BY bulletin, number LIMIT {PACKED_AT_ONCE}"""  # noqa: S608
        if not self._database.read("SELECT 1 FROM reports WHERE upload IS NULL LIMIT 1"):
            return False
        with self._database.write() as rows:
            found = rows.execute(query).fetchall()
            for (bulletin, above), group in groupby(found, key=lambda row: row[:2]):
                while batch := list(islice(group, self._most_batch)):
                    self._pack_one(rows, bulletin, above, [row[2:] for row in batch])
        return len(found) == PACKED_AT_ONCE

    def _pack_one(self, rows: sqlite3.Connection, bulletin: bytes, above: int, batch: list[tuple[int, ...]]) -> None:
        body = packed([symbol for _, symbol, _ in batch], bulletin, above, self._words, self._entropy)
        name, first = Upload.decode(body).id, min(second for *_, second in batch)
        place = "(SELECT coalesce(max(place), 0) + 1 FROM uploads)"
        rows.execute(f"INSERT INTO uploads VALUES (?, ?, ?, NULL, {place})", (name, body, first))  # noqa: S608
        rows.executemany("UPDATE reports SET upload = ? WHERE number = ?", [(name, row[0]) for row in batch])


def forget(rows: sqlite3.Connection, person: bytes) -> int:
    """Delete the reports of a person, in a transaction; how many reports of others are lost with them.

    An upload that never left is taken apart, and the others in it wait again. One that left cannot be sent again
    without this person, so it is not sent again at all.
    """
    query = "SELECT upload, left FROM uploads WHERE upload IN (SELECT upload FROM reports WHERE person = ?)"
    lost = 0
    for name, left in rows.execute(query, (person,)).fetchall():
        if left is None:
            rows.execute("UPDATE reports SET upload = NULL WHERE upload = ?", (name,))
        else:
            others = rows.execute("SELECT count(*) FROM reports WHERE upload = ? AND person != ?", (name, person))
            lost += others.fetchone()[0]
        rows.execute("DELETE FROM uploads WHERE upload = ?", (name,))
    rows.execute("DELETE FROM reports WHERE person = ?", (person,))
    return lost


def _id(one: Waiting) -> bytes:
    return bytes.fromhex(one.upload)
