"""Hears at once when the sealer publishes. Behind a pooler nothing is heard; then looking now and then is enough."""

import logging
import threading
from collections.abc import Callable

import psycopg

from hgldp.collector.log.postgres.database import connect
from hgldp.collector.log.postgres.store import CHANNEL

HEARD_SECONDS, AGAIN_SECONDS = 1.0, 5.0
log = logging.getLogger("hgldp.collector")


class Listener:
    """One connection of its own, made again when it is lost."""

    def __init__(self, url: str, heard: Callable[[], None]) -> None:
        self._url, self._heard = url, heard
        self._stopping = threading.Event()
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        """Start listening, in a separate thread."""
        self._thread = threading.Thread(target=self._run, name="hgldp-listener", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Within a second."""
        self._stopping.set()
        if self._thread is not None:
            self._thread.join()

    def _run(self) -> None:
        while not self._stopping.is_set():
            try:
                self._listen()
            except psycopg.Error:
                log.debug("nothing can be heard for some seconds")
                self._stopping.wait(AGAIN_SECONDS)

    def _listen(self) -> None:
        with connect(self._url) as connection:
            connection.execute(f"LISTEN {CHANNEL}".encode())
            while not self._stopping.is_set():
                for _ in connection.notifies(timeout=HEARD_SECONDS, stop_after=1):
                    self._heard()
