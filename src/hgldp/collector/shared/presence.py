"""Which collectors are there: each says so once a second, and counts those that did so of late."""

from collections.abc import Callable

from hgldp.collector.log.postgres.database import Database, one_value

OF_LATE_SECONDS, FORGOTTEN_SECONDS = 10, 3_600


class Presence:
    """`look` tells `heard` how many collectors there are, this one included."""

    def __init__(self, database: Database, name: str, heard: Callable[[int], None]) -> None:
        self._database, self._name, self._heard = database, name, heard

    def look(self) -> None:
        """Say that this collector is there, and see who else is."""
        with self._database.connection() as writer:
            writer.execute(
                "INSERT INTO workers VALUES (%s, clock_timestamp()) "
                "ON CONFLICT (name) DO UPDATE SET seen = excluded.seen",
                (self._name,),
            )
            writer.execute(
                "DELETE FROM workers WHERE seen < clock_timestamp() - make_interval(secs => %s)", (FORGOTTEN_SECONDS,)
            )
            of_late = "SELECT count(*) FROM workers WHERE seen > clock_timestamp() - make_interval(secs => %s)"
            found = one_value(writer, of_late, (OF_LATE_SECONDS,))
        self._heard(max(1, found))

    def leave(self) -> None:
        """This collector ends."""
        with self._database.connection() as writer:
            writer.execute("DELETE FROM workers WHERE name = %s", (self._name,))
