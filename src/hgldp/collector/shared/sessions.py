"""Who signed out at any collector that shares the store: all of them know within about a second."""

import threading
from collections.abc import Iterable
from hmac import digest as hmac_digest

from hgldp.collector.log.postgres.database import Database, execute_each
from hgldp.collector.sessions import MOST_ENDED, Ended, Session, Sessions

LABEL = b"hgldp dashboard sessions"
NOT_THE_LAST = """
DELETE FROM ended_sessions WHERE token = %s AND id IN
(SELECT id FROM ended_sessions WHERE token = %s ORDER BY ends DESC, id OFFSET %s)
"""


class SharedSessions(Sessions):
    """In the database, as they were at the last `look`. The key follows from the secret that all collectors know."""

    def __init__(self, database: Database, secret: bytes) -> None:
        super().__init__(hmac_digest(secret, LABEL, "sha256"))
        self._database, self._looking = database, threading.Lock()
        self.look()

    def look(self) -> None:
        """Read them again, from a thread that may wait."""
        with self._looking, self._database.connection() as reader:
            found: Ended = {}
            for token, name, ends in reader.execute("SELECT token, id, ends FROM ended_sessions", binary=True):
                found.setdefault(token, {})[name] = ends
            self._ended = found

    def end(self, sessions: Iterable[Session], now: float) -> None:
        """Write it down before it counts: if that fails, the person can try again."""
        rows = [(each.proof, each.id, each.ends) for each in sessions]
        with self._database.transaction() as writer:
            execute_each(writer, "INSERT INTO ended_sessions VALUES (%s,%s,%s) ON CONFLICT DO NOTHING", rows)
            execute_each(writer, NOT_THE_LAST, [(token, token, MOST_ENDED) for token in {row[0] for row in rows}])
            writer.execute("DELETE FROM ended_sessions WHERE ends <= %s", (int(now),))
        self.look()
