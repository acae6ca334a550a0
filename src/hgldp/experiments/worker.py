"""A process that measures: it is told a stream and what to measure on it, and answers one result at a time."""

import signal
from contextlib import suppress
from multiprocessing.connection import Connection
from pathlib import Path

from hgldp.experiments.measure import measure
from hgldp.experiments.measurement import Measurement
from hgldp.experiments.results import Row
from hgldp.experiments.streams import Drawn, Library

Group = list[Measurement]


def attend(orders: Connection, folder: Path | None) -> None:
    """Serve until the other side hangs up, whether it says so or dies. Interrupts are its own affair."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    library = Library(folder)
    with suppress(EOFError, BrokenPipeError, ConnectionResetError):
        while True:
            group: Group = orders.recv()
            drawn: Drawn | None = None
            for one in group:
                try:
                    drawn = drawn or library.draw(one.stream, one.seed)
                    row = Row(one, measure(one, drawn))
                except Exception as failure:  # noqa: BLE001 - a failure is a result too, and is shown as such
                    row = Row(one, failure=f"{type(failure).__name__}: {failure}")
                orders.send(row)
            orders.send(None)
