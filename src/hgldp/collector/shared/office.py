"""Who runs collectors that share a store, and what they did: in the database, so that all of them know."""

import os
import time
from collections.abc import Callable

from hgldp.collector.admin_log import LONGEST, AdminLog, Deed
from hgldp.collector.admins import FIRST, MOST_ADMINS, Admins, checked_name
from hgldp.collector.log.postgres.database import Database
from hgldp.collector.tokens import kept, new_token
from hgldp.errors import InvalidField, StorageFailed

MOST_DEEDS = 50_000


class SharedOffice(Admins, AdminLog):
    """The admins of the database as they were at the last `look`; any collector may note a deed."""

    def __init__(
        self,
        database: Database,
        chosen: bytes | None = None,
        now: Callable[[], float] = time.time,
        entropy: Callable[[int], bytes] = os.urandom,
    ) -> None:
        self._database, self._chosen, self._now, self._entropy = database, chosen, now, entropy
        self._digests: dict[str, bytes] = {}
        self.look()

    def look(self) -> None:
        """Read them again, from a thread that may wait."""
        sql = "SELECT name, digest FROM admins ORDER BY name LIMIT %s"
        with self._database.connection() as reader:
            rows = reader.execute(sql, (MOST_ADMINS,), binary=True).fetchall()
        found = {str(name): digest for name, digest in rows if isinstance(digest, bytes)}
        if self._chosen is not None:
            found.pop(FIRST, None)
        self._digests = found

    def _current(self) -> dict[str, bytes]:
        return self._digests

    @property
    def names(self) -> list[str]:
        """Of all admins."""
        return sorted(self._digests)

    def add(self, name: str) -> str:
        """A new admin's token, which is told here and never again."""
        if checked_name(name) in self._digests:
            raise InvalidField("name", "must be new (hgldp admin rotate makes a new token)", name)
        if len(self._digests) >= MOST_ADMINS:
            raise InvalidField("name", f"must be one of at most {MOST_ADMINS} admins", name)
        return self._write(name)

    def rotate(self, name: str) -> str:
        """A new token for an admin; the old one opens nothing any more."""
        self._known(name)
        return self._write(name)

    def remove(self, name: str) -> None:
        """Take an admin away; the last one stays."""
        self._known(name)
        if len(self._digests) == 1:
            raise InvalidField("name", "must not be the last admin (hgldp admin add adds another)", name)
        with self._database.connection() as writer:
            writer.execute("DELETE FROM admins WHERE name = %s", (name,))
        self.look()

    def _known(self, name: str) -> None:
        if name not in self._digests:
            raise InvalidField("name", f"must be one of the admins ({', '.join(self.names) or 'none'})", name)

    def _write(self, name: str) -> str:
        token = new_token(self._entropy)
        with self._database.connection() as writer:
            writer.execute(
                "INSERT INTO admins VALUES (%s, %s, %s) "
                "ON CONFLICT (name) DO UPDATE SET digest = excluded.digest, since = excluded.since",
                (name, kept(token), self._moment()),
            )
        self.look()
        return token

    def note(self, who: str, what: str, task: str = "", detail: str = "") -> None:
        """Durable on return; raises OSError if it cannot be written. Nothing is ever taken out."""
        try:
            with self._database.connection() as writer:
                writer.execute(
                    "INSERT INTO deeds (time, who, what, task, detail) VALUES (%s, %s, %s, %s, %s)",
                    (self._moment(), who, what, task, detail[:LONGEST]),
                )
        except StorageFailed as failure:
            raise OSError(0, str(failure)) from failure

    def _moment(self) -> str:
        return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(self._now()))

    def since(self) -> list[tuple[str, str]]:
        """Every admin, and since when it has its token."""
        with self._database.connection() as reader:
            rows = reader.execute("SELECT name, since FROM admins ORDER BY name").fetchall()
        return [(str(name), str(since)) for name, since in rows]

    def deeds(self) -> list[Deed]:
        """The latest, the oldest of them first."""
        sql = "SELECT time, who, what, task, detail FROM deeds ORDER BY number DESC LIMIT %s"
        with self._database.connection() as reader:
            rows = reader.execute(sql, (MOST_DEEDS,)).fetchall()
        return [Deed(*row) for row in reversed(rows)]
