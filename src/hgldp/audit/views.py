"""From the uploads of many draws to numbers that can be compared: what a collector or a listener could see of each.

A view is one thing to look at. It has one column of codes or several: ways to write what is seen as a number.
"""

from collections.abc import Iterable, Mapping, Sequence
from math import log2

import numpy as np
from numpy.typing import NDArray

from hgldp.errors import MalformedBytes
from hgldp.wire.upload import ID_BYTES, Upload

Codes = NDArray[np.int64]
Views = Mapping[str, Codes]
REPORT, ABSENCE, UPLOADS, LENGTH, UPLOAD_ID, TIME = "report", "absence", "uploads", "length", "upload id", "time"
SIDE_VIEWS = (ABSENCE, UPLOADS, LENGTH, UPLOAD_ID, TIME)
"""What stands around the reports. It must not depend on the events at all."""
WHAT_DIFFERS = {
    REPORT: "the reports say in which order the events came",
    ABSENCE: "one of them sends nothing more often",
    UPLOADS: "the number of uploads or reports differs",
    LENGTH: "the length of what is sent differs",
    UPLOAD_ID: "the random id of the upload differs",
    TIME: "the time of sending differs",
}
"""What is wrong if the inputs of a pair differ in a view."""
SPENDS = "spends"
"""The name of a comparison that is about ε, whichever views it takes into account."""
NONE = -1
FIRST_SYMBOLS = 2
BINS_IN_A_DOUBLING = 4
SHORTEST = 1e-6


def views_of(
    draws: Iterable[Sequence[bytes]], limit: int, bulletin: bytes, delays: Sequence[float | None] | None = None
) -> dict[str, Codes]:
    """The views of draws of which each sent some uploads, in the order in which they came.

    `limit` is the first symbol that no client may send, `bulletin` the version that the uploads must answer. `delays`
    says after how many seconds the first upload of a draw came. Of each draw only a few numbers are kept.
    """
    firsts, sizes, ids = list[list[int]](), list[tuple[int, int, int]](), list[bytes | None]()
    for draw in draws:
        known = [decoded(upload, bulletin) for upload in draw]
        symbols = [symbol for upload in known for symbol in upload.symbols(limit)]
        firsts.append(symbols[:FIRST_SYMBOLS])
        sizes.append((len(draw), len(symbols), sum(map(len, draw))))
        ids.append(known[0].id if known else None)
    counted = np.array(sizes, np.int64).reshape(-1, 3)
    found = {
        REPORT: _symbol_columns(firsts, limit),
        ABSENCE: (counted[:, 0] == 0).astype(np.int64),
        UPLOADS: counted[:, :2],
        LENGTH: counted[:, 2],
        UPLOAD_ID: _id_columns(ids),
    }
    if delays is not None:
        found[TIME] = np.fromiter(map(_bin_of, delays), np.int64, len(delays))
    return found


def decoded(upload: bytes, bulletin: bytes) -> Upload:
    """An upload that answers this bulletin."""
    found = Upload.decode(upload)
    if found.bulletin != bulletin:
        raise MalformedBytes("every upload must answer the bulletin that was shown to the client")
    return found


def _symbol_columns(symbols: Sequence[Sequence[int]], limit: int) -> Codes:
    """The first symbol, the second, both together, and which is the larger one.

    All four are there even if no draw has a second symbol: what is seen of a draw must not depend on other draws.
    """
    places = np.full((len(symbols), FIRST_SYMBOLS), NONE, np.int64)
    for place in range(FIRST_SYMBOLS):
        places[:, place] = [some[place] if len(some) > place else NONE for some in symbols]
    first, second = places.T
    return np.column_stack((first, second, (first + 1) * (limit + 1) + second + 1, np.sign(first - second)))


def _id_columns(ids: Sequence[bytes | None]) -> Codes:
    """Each bit of the id of the first upload, and its first half as a whole, which shows ids that come again."""
    blank = b"\xff" * ID_BYTES
    whole = np.frombuffer(b"".join(each or blank for each in ids), np.uint8).reshape(-1, ID_BYTES)
    half = np.ascontiguousarray(whole[:, : ID_BYTES // 2]).view(np.int64)
    return np.column_stack((np.unpackbits(whole, axis=1).astype(np.int64), half))


def _bin_of(delay: float | None) -> int:
    """Four bins in every doubling of the time; none for a draw without an upload."""
    return NONE if delay is None else int(BINS_IN_A_DOUBLING * log2(max(delay, SHORTEST) / SHORTEST))
