"""The database's time of day, so that a machine whose date is wrong publishes nothing with a wrong date."""

import logging

from hgldp.collector.log.postgres.database import Database, one_value
from hgldp.errors import StorageFailed
from hgldp.system.clock import Clock, SystemClock

ASK_SECONDS, FAR_SECONDS = 60.0, 5.0
log = logging.getLogger("hgldp.collector")


class DatabaseClock:
    """Asks the database once a minute how far the machine's clock is off, and corrects it by that."""

    def __init__(self, database: Database, own: Clock | None = None) -> None:
        self._database, self._own = database, own or SystemClock()
        self._offset, self._next, self._told = self._own.now() - self._own.monotonic(), float("-inf"), False
        self.ask()

    def ask(self) -> None:
        """Once a minute, from a thread that may wait. A database that does not answer leaves all as it is."""
        moment = self._own.monotonic()
        if moment < self._next:
            return
        try:
            with self._database.connection() as reader:
                date = one_value(reader, "SELECT extract(epoch FROM clock_timestamp())::float8")
        except StorageFailed:
            return
        self._next = moment + ASK_SECONDS
        middle = (moment + self._own.monotonic()) / 2
        self._offset = date - middle
        behind = self.now() - self._own.now()
        if abs(behind) > FAR_SECONDS and not self._told:
            self._told = True
            log.warning("the date of this machine is %d seconds off; that of the database counts", -behind)

    def now(self) -> float:
        """The database's date, wherever this machine's own date is set to meanwhile."""
        return self._own.monotonic() + self._offset

    def monotonic(self) -> float:
        """That of this machine."""
        return self._own.monotonic()
