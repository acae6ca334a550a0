"""One entry of the log. Everything that is published can be derived again from the entries, in their order."""

import struct
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256

import numpy as np

from hgldp.wire.upload import ID_BYTES

RUN, SEAL, CLOSE = 0, 1, 2
_START = b"hgldp log 4 "
_HEAD = struct.Struct(">QQdIBQ")
_KEPT = struct.Struct(">IQQQd")


@dataclass(frozen=True, slots=True)
class Entry:
    """A run of reports that answer one bulletin, the end of an epoch, or the end of a task.

    `ids` are the ids of the uploads, end to end. `counts` says how many reports each upload holds, in 4 bytes each; it
    is empty if each holds one. `symbols` are the reports, each as wide as their bulletin says. Entries that were
    committed together share a `batch`. `chain` is the hash of this entry and of the chain of the task's entry before
    it: nobody can change, remove or reorder entries unnoticed.
    """

    position: int
    batch: int
    time: float
    task: int
    kind: int
    bulletin: bytes = b""
    reports: int = 0
    chain: bytes = b""
    ids: bytes = b""
    counts: bytes = b""
    symbols: bytes = b""

    def chained(self, before: bytes) -> "Entry":
        """The same entry, linked to the chain before it."""
        return replace(self, chain=self.link(before))

    def link(self, before: bytes) -> bytes:
        """The hash of the chain up to this entry and with it."""
        head = _HEAD.pack(self.position, self.batch, self.time, self.task, self.kind, self.reports)
        lengths = struct.pack(">IIII", *map(len, (self.bulletin, self.ids, self.counts, self.symbols)))
        digest = sha256(before + head + lengths + self.bulletin + self.ids + self.counts)
        digest.update(self.symbols)
        return digest.digest()

    def follows(self, before: bytes) -> bool:
        """Whether it is as it was written, after an entry with this chain."""
        try:
            return self.link(before) == self.chain
        except (TypeError, struct.error):
            return False

    @property
    def upload_ids(self) -> list[bytes]:
        """The ids of its uploads, in order."""
        return [self.ids[at : at + ID_BYTES] for at in range(0, len(self.ids), ID_BYTES)]

    @property
    def upload_counts(self) -> list[int]:
        """How many reports each upload held."""
        if not self.counts:
            return [1] * (len(self.ids) // ID_BYTES)
        found: list[int] = np.frombuffer(self.counts, ">u4").tolist()
        return found


def run_entry(
    position: int,
    batch: int,
    time: float,
    task: int,
    bulletin: bytes,
    ids: Sequence[bytes],
    counts: Sequence[int],
    symbols: Sequence[bytes],
) -> Entry:
    """The entry of new uploads that answer one bulletin, from their ids, numbers of reports and symbols."""
    return Entry(
        position=position,
        batch=batch,
        time=time,
        task=task,
        kind=RUN,
        bulletin=bulletin,
        reports=sum(counts),
        ids=b"".join(ids),
        counts=pack_counts(counts),
        symbols=b"".join(symbols),
    )


def start_of_chain(task_id: bytes) -> bytes:
    """Every task has its own chain, so that its entries can go without those of others."""
    return sha256(_START + task_id).digest()


def kept_digest(
    before: bytes, task: int, epoch: int, position: int, consumed: int, time: float, chain: bytes, opened: bytes
) -> bytes:
    """The hash of what is kept of an epoch, and of all epochs before it."""
    head = _KEPT.pack(task, epoch, position, consumed, time)
    return sha256(before + head + chain + opened).digest()


def chained(entries: Iterable[Entry], chains: Mapping[int, bytes]) -> list[Entry]:
    """The same entries, each linked to its task's chain before it."""
    found, now = [], dict(chains)
    for entry in entries:
        found.append(entry.chained(now[entry.task]))
        now[entry.task] = found[-1].chain
    return found


def pack_counts(counts: Sequence[int]) -> bytes:
    """As `counts` holds them: no bytes at all if every upload holds one report.

    >>> pack_counts([1, 1]), pack_counts([1, 2])
    (b'', b'\\x00\\x00\\x00\\x01\\x00\\x00\\x00\\x02')
    """
    return b"" if max(counts) == 1 else np.array(counts, ">u4").tobytes()
