"""Results on disk: one JSON line each, appended as they come, found again by what made them."""

import json
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path
from types import TracebackType
from typing import Any

from hgldp.errors import InvalidField
from hgldp.experiments.measurement import Measurement
from hgldp.experiments.results import Row


class Cache:
    """A file that only grows. Opening it drops a last line that was cut off."""

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file = path.open("a+b")
        except OSError as failure:
            rule = "must be a folder that can be written to"
            raise InvalidField("out", rule, f"{path.parent} ({failure.strerror or 'unwritable'})") from None
        self._values: dict[str, dict[str, float]] = dict(self._read())

    def _read(self) -> Iterable[tuple[str, dict[str, float]]]:
        self._file.seek(0)
        whole = 0
        for line in self._file:
            if not line.endswith(b"\n"):
                break
            whole += len(line)
            if (entry := _entry(line)) is not None:
                yield entry
        self._file.truncate(whole)

    def find(self, measurements: Iterable[Measurement]) -> dict[Measurement, Row]:
        """The results that are in the file already."""
        return {one: Row(one, self._values[one.key]) for one in measurements if one.key in self._values}

    def add(self, row: Row) -> None:
        """Write a result to the file at once. A failure is not kept, so that it is tried again."""
        if row.failure:
            return
        entry = {"key": row.measurement.key, "measurement": asdict(row.measurement), "values": row.values}
        self._file.write(f"{json.dumps(entry, separators=(',', ':'))}\n".encode())
        self._file.flush()
        self._values[row.measurement.key] = row.values

    def __enter__(self) -> "Cache":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._file.close()


def _entry(line: bytes) -> tuple[str, dict[str, float]] | None:
    """Key and values, or None for a line that is not a result."""
    try:
        entry: Any = json.loads(line)
        return str(entry["key"]), {str(name): float(value) for name, value in entry["values"].items()}
    except (ValueError, KeyError, TypeError, AttributeError):
        return None
