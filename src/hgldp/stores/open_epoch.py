"""The open epoch of an adding store as bytes: how often each residue answered each bulletin since the last seal."""

import struct
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from hgldp.stores.state_frame import StateFrame

FRAME = StateFrame("open epoch", mark=b"hgO1", fields="H")
_PART = struct.Struct("<QIB")
Tally = tuple[int, NDArray[np.int64]]


def pack_tallies(tallies: Iterable[Tally]) -> bytes:
    """Histograms, each with the epoch of the bulletin that it answers, in their order.

    >>> packed = pack_tallies([(3, np.array([0, 7, 70_000]))])
    >>> [(epoch, histogram.tolist()) for epoch, histogram in unpack_tallies(packed)]
    [(3, [0, 7, 70000])]
    """
    parts = []
    for epoch, histogram in tallies:
        width = 4 if int(histogram.max(initial=0)) < 1 << 32 else 8
        parts.append(_PART.pack(epoch, histogram.size, width) + histogram.astype(f"<u{width}").tobytes())
    return FRAME.write(len(parts), body=parts)


def unpack_tallies(data: bytes) -> list[Tally]:
    """What `pack_tallies` wrote; anything else is refused."""
    (count,), body = FRAME.read(data)
    found = []
    for _ in range(count):
        epoch, size, width = body.record(_PART)
        found.append((epoch, body.array(f"<u{8 if width == 8 else 4}", size).astype(np.int64)))
    body.finish()
    return found
