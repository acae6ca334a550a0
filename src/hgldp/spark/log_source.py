"""The log of a collector as a data source of Spark, at rest or as a stream: the uploads of one task, as it keeps them.

It reads the database where it lies and writes nothing, so every executor must see the collector's folder. The hashes
of the entries are for `hgldp replay` to check.
"""

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from pyspark.sql.datasource import DataSource, DataSourceReader, DataSourceStreamReader, InputPartition

from hgldp.collector.log.entry import RUN, Entry
from hgldp.collector.log.reading import Frozen
from hgldp.collector.log.recovery import read_task_row
from hgldp.collector.symbol_format import read_symbols
from hgldp.errors import InvalidField
from hgldp.model.reports import symbol_bytes
from hgldp.schemes.registry import scheme_of
from hgldp.spark.layouts import UPLOADS
from hgldp.tallies.reports.uploads import as_batch
from hgldp.wire.bulletin import read_bulletin

ENTRIES_AT_ONCE = 1 << 12
ROWS = pa.schema({"upload": pa.binary(), "bulletin": pa.string(), "symbols": pa.list_(pa.int64())})


@dataclass
class Stretch(InputPartition):  # type: ignore[misc]
    """The entries from one position up to another and without that."""

    first: int
    end: int


class CollectorLog(DataSource):  # type: ignore[misc]
    """`spark.dataSource.register(CollectorLog)`, then the format "hgldp" with the options `data` and `task`."""

    @classmethod
    def name(cls) -> str:
        """As `format` takes it."""
        return "hgldp"

    def schema(self) -> str:
        """One row for each upload."""
        return UPLOADS

    def reader(self, schema: object) -> "LogReader":
        """All that is there now."""
        del schema
        return LogReader(self.options)

    def streamReader(self, schema: object) -> "LogStream":  # noqa: N802 - Spark's name
        """What is there, and then what comes."""
        del schema
        return LogStream(self.options)


class _Log:
    def __init__(self, options: Any) -> None:
        if not options.get("data") or not options.get("task"):
            raise InvalidField("options", "must name the folder as data and the id of a task as task", "less")
        self._folder, self._task = Path(options["data"]), str(options["task"]).lower()

    def _ends(self) -> tuple[int, int]:
        """The first position that is kept, and the one that the next entry will have."""
        log = Frozen(self._folder)
        try:
            pruned = log.pruned(self._number(log))
            return 1 if pruned is None else pruned.position + 1, log.end().position + 1
        finally:
            log.close()

    def _number(self, log: Frozen) -> int:
        found = [row.number for row in log.tasks() if row.id.hex().startswith(self._task)]
        if len(found) != 1:
            raise InvalidField("task", "must be the id of one task in the folder", f"{self._task} ({len(found)})")
        return found[0]

    def _stretches(self, first: int, end: int) -> list[Stretch]:
        edges = [*range(first, end, ENTRIES_AT_ONCE), end]
        return [Stretch(*pair) for pair in itertools.pairwise(edges)]

    def read(self, partition: Stretch) -> Iterator[Any]:
        """A record batch for each entry, straight from its bytes; refused if some of them have gone meanwhile."""
        log = Frozen(self._folder)
        try:
            number = self._number(log)
            pruned = log.pruned(number)
            if pruned is not None and pruned.position >= partition.first:
                rule = f"must still hold its entries from {partition.first} on; see reports_kept_hours of the task"
                raise InvalidField("log", rule, f"only those after {pruned.position}")
            row = log.task(number)
            if row is None:
                raise InvalidField("log", "must still hold the task", "none")
            scheme = scheme_of(read_task_row(row))
            widths: dict[bytes, int] = {}
            for entry in log.entries(number, partition.first):
                if entry.position >= partition.end:
                    break
                if entry.kind == RUN:
                    if entry.bulletin not in widths:
                        data = log.bulletin(entry.bulletin.hex())
                        if data is None:
                            raise InvalidField("log", "must hold the bulletins of its reports", "one that it lacks")
                        widths[entry.bulletin] = symbol_bytes(scheme.symbol_limit(read_bulletin(data)))
                    yield _table(entry, widths[entry.bulletin])
        finally:
            log.close()


class LogReader(_Log, DataSourceReader):  # type: ignore[misc]
    """A log at rest."""

    def partitions(self) -> list[Stretch]:
        """A few thousand entries each."""
        return self._stretches(*self._ends())


class LogStream(_Log, DataSourceStreamReader):  # type: ignore[misc]
    """A log that grows. An offset is the position that the next entry will have."""

    def initialOffset(self) -> dict[str, int]:  # noqa: N802 - Spark's name
        """Where what is kept begins."""
        return {"position": self._ends()[0]}

    def latestOffset(self) -> dict[str, int]:  # noqa: N802 - Spark's name
        """Where the log ends now."""
        return {"position": self._ends()[1]}

    def partitions(self, start: dict[str, int], end: dict[str, int]) -> list[Stretch]:
        """A few thousand entries each."""
        return self._stretches(start["position"], end["position"])


def _table(entry: Entry, width: int) -> Any:
    symbols = read_symbols(entry.symbols, width)
    lengths = np.array(entry.upload_counts, np.int64)
    return as_batch(entry.ids, [entry.bulletin.hex()] * lengths.size, lengths, symbols).cast(ROWS)
