"""The log: what happened to the tasks, in order. Everything that is published can be derived from it again."""

import struct
from dataclasses import dataclass, replace
from hashlib import sha256

import numpy as np

from hgldp.wire.upload import ID_BYTES

RUN, SEAL, CLOSE = 0, 1, 2
CHAIN_BYTES = 32
START_OF_CHAIN = bytes(CHAIN_BYTES)
_HEAD = struct.Struct(">QQdIBQ")


@dataclass(frozen=True, slots=True)
class Entry:
    """A run of reports that answer one bulletin, the end of an epoch, or the end of a task.

    `ids` are the uploads' ids end to end, `counts` their reports (4 bytes each; empty if each holds one), `symbols` the
    reports at the width of their bulletin. Entries of one commit share a `group`. `chain` is the hash of the entry and
    of the chain before it, so that no entry can change, vanish or swap places unnoticed.
    """

    position: int
    group: int
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
        """The same entry with its place in the chain."""
        return replace(self, chain=self.link(before))

    def link(self, before: bytes) -> bytes:
        """What the chain is after this entry."""
        head = _HEAD.pack(self.position, self.group, self.time, self.task, self.kind, self.reports)
        lengths = struct.pack(">IIII", *map(len, (self.bulletin, self.ids, self.counts, self.symbols)))
        digest = sha256(before + head + lengths + self.bulletin + self.ids + self.counts)
        digest.update(self.symbols)
        return digest.digest()

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


def pack_counts(counts: list[int]) -> bytes:
    """Nothing, if every upload holds one report.

    >>> pack_counts([1, 1]), pack_counts([1, 2])
    (b'', b'\\x00\\x00\\x00\\x01\\x00\\x00\\x00\\x02')
    """
    return b"" if max(counts) == 1 else np.array(counts, ">u4").tobytes()
