"""The reports in a collector's log: as they were counted, epoch by epoch, or all of them as a table of uploads."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hgldp.collector.log.entry import RUN, Entry, start_of_chain
from hgldp.collector.log.reading import Reading
from hgldp.collector.log.recovery import read_task_row
from hgldp.collector.log.storage import TaskRow
from hgldp.collector.symbol_format import read_symbols
from hgldp.errors import DamagedLog, InvalidField
from hgldp.model.reports import symbol_bytes
from hgldp.schemes.registry import scheme_of
from hgldp.tallies.accumulate import Accumulator
from hgldp.tallies.reports.uploads import as_batch
from hgldp.tallies.state import check_adds_up
from hgldp.tallies.tally import Tally
from hgldp.wire.bulletin import read_bulletin
from hgldp.wire.upload import ID_BYTES

AT_ONCE = 1 << 16
Advance = Callable[[int, int], None]


@dataclass(frozen=True)
class Run:
    """Reports that answer one bulletin, in the order in which they were counted, and the entry that holds them."""

    version: str
    symbols: NDArray[Any]
    entry: Entry


@dataclass(frozen=True)
class _Place:
    """Where an epoch ended: `consumed` reports of an entry had been counted. The chain is that of the entry."""

    position: int
    consumed: int
    chain: bytes


class LoggedReports:
    """Those of one task. Every entry that is read is checked against the chain of hashes."""

    def __init__(self, log: Reading, row: TaskRow) -> None:
        self._log, self._row = log, row
        task = read_task_row(row)
        check_adds_up(task)
        self._scheme = scheme_of(task)
        self._limits: dict[bytes, int] = {}

    def tally(self, epoch: int | None = None, *, since_seal: bool = False, advance: Advance | None = None) -> Tally:
        """Of all reports that the log holds; or of those that the end of an epoch counted; or of those since then.

        `advance` is told which entry was read, of how many.
        """
        counting, end = Accumulator(), self._log.end().position
        runs = self.runs() if epoch is None and not since_seal else self._of_epoch(None if since_seal else epoch)
        for some in _gathered(runs):
            lengths = [run.symbols.size for run in some]
            codes = np.repeat(np.arange(len(some), dtype=np.int32), lengths)
            counting.add([run.version for run in some], codes, np.concatenate([run.symbols for run in some]))
            if advance is not None:
                advance(some[-1].entry.position, end)
        return counting.tally()

    def tables(self) -> Iterator[Any]:
        """All uploads that the log holds, as record batches of many entries each."""
        for some in _gathered(self.runs()):
            lengths = [_lengths(run.entry) for run in some]
            versions = [run.version for run, each in zip(some, lengths, strict=True) for _ in range(each.size)]
            symbols = np.concatenate([run.symbols for run in some])
            yield as_batch(b"".join(run.entry.ids for run in some), versions, np.concatenate(lengths), symbols)

    def runs(self) -> Iterator[Run]:
        """All that the log holds; the oldest may be gone."""
        return (self._read(entry) for entry in self._entries(self._oldest()) if entry.kind == RUN)

    def _of_epoch(self, epoch: int | None) -> Iterator[Run]:
        """From the end of the epoch before up to the end of this one, both of which may lie inside an entry.

        None is the epoch that has not ended.
        """
        kept = {
            each.epoch: _Place(each.position, each.consumed, each.chain)
            for each in self._log.each_kept(self._row.number, 0)
        }
        first = max(kept, default=-1) + 1 if epoch is None else epoch
        if epoch is not None and epoch not in kept:
            known = f"one of {min(kept)} … {max(kept)}" if kept else "one that has ended; none has"
            raise InvalidField("epoch", f"must be {known}", epoch)
        if first and first - 1 not in kept:
            raise InvalidField("epoch", f"must be at least {min(kept) + 1}: of the one before nothing is kept", first)
        oldest = self._oldest()
        start = kept[first - 1] if first else self._beginning()
        if oldest.position and oldest.position >= start.position:
            rule = "must be one whose reports the log still holds; see reports_kept_hours of the task"
            raise InvalidField("epoch", rule, f"{first}, whose reports are gone up to entry {oldest.position}")
        earlier = [each for each in kept.values() if oldest.position < each.position < start.position]
        before = max(earlier, key=lambda each: each.position, default=oldest)
        return self._between(before, start, kept.get(first))

    def _between(self, before: _Place, start: _Place, end: _Place | None) -> Iterator[Run]:
        """Entries are checked from an earlier place on, since reports of the entry at `start` count too."""
        ahead = [place for place in (start, end) if place is not None and place.position]
        for entry in self._entries(before):
            if end is not None and entry.position > end.position:
                break
            if any(place.position == entry.position and place.chain != entry.chain for place in ahead):
                raise self._damaged(entry.position)
            ahead = [place for place in ahead if place.position != entry.position]
            if entry.kind == RUN and entry.position >= start.position:
                run = self._read(entry)
                last = end.consumed if end is not None and entry.position == end.position else entry.reports
                some = run.symbols[start.consumed if entry.position == start.position else 0 : last]
                if some.size:
                    yield Run(run.version, some, entry)
        for place in ahead:
            raise self._damaged(place.position)

    def _beginning(self) -> _Place:
        return _Place(0, 0, start_of_chain(self._row.id))

    def _oldest(self) -> _Place:
        """Up to where the reports are gone."""
        pruned = self._log.pruned(self._row.number)
        return self._beginning() if pruned is None else _Place(pruned.position, 0, pruned.chain)

    def _entries(self, before: _Place) -> Iterator[Entry]:
        """Those after a place, each of which must follow from the one before it."""
        chain = before.chain
        for entry in self._log.entries(self._row.number, before.position + 1):
            if not entry.follows(chain):
                raise self._damaged(entry.position)
            chain = entry.chain
            yield entry

    def _damaged(self, position: int) -> DamagedLog:
        rule = "must be the one that was written, but its bytes have changed: see hgldp replay"
        return DamagedLog(f"entry {position} of task {self._row.id.hex()} {rule}")

    def _read(self, entry: Entry) -> Run:
        return Run(entry.bulletin.hex(), read_symbols(entry.symbols, symbol_bytes(self._limit(entry.bulletin))), entry)

    def _limit(self, version: bytes) -> int:
        if version not in self._limits:
            data = self._log.bulletin(version.hex())
            if data is None:
                raise DamagedLog(f"task {self._row.number} must have published the bulletin {version.hex()}")
            self._limits[version] = self._scheme.symbol_limit(read_bulletin(data, version.hex()))
        return self._limits[version]


def _gathered(runs: Iterator[Run]) -> Iterator[list[Run]]:
    """Many small entries together: a log may have one for every report."""
    found, size = [], 0
    for run in runs:
        found.append(run)
        size += run.symbols.size
        if size >= AT_ONCE:
            yield found
            found, size = [], 0
    if found:
        yield found


def _lengths(entry: Entry) -> NDArray[np.int64]:
    if not entry.counts:
        return np.ones(len(entry.ids) // ID_BYTES, np.int64)
    return np.frombuffer(entry.counts, ">u4").astype(np.int64)
