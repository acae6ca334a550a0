"""What one simulated stream gave, and what it cost."""

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from hgldp.errors import InvalidField
from hgldp.model.estimate import Estimate
from hgldp.model.validate import check_whole


@dataclass(frozen=True)
class Outcome:
    """The ranked answer with its bytes.

    `state_bytes` is the serialised state of the server, `resident_bytes` what it held in memory while counting;
    `upload_bytes` and `download_bytes` are of all reports together. `drawn` says whether every report was drawn, or
    only the counts that the reports would have added up to.

    >>> Outcome((Estimate(item=3, count=9.5, standard_error=2.0),), 10, 100, 10, 0).estimates[0].item
    3
    """

    estimates: tuple[Estimate, ...]
    reports: int
    state_bytes: int
    upload_bytes: int
    download_bytes: int
    drawn: Literal["reports", "counts"] = "reports"
    resident_bytes: int = 0


MAX_REPORTS = (1 << 31) - 1


def check_stream(stream: NDArray[Any], domain_size: int, warmup: int = 0) -> NDArray[np.int32]:
    """The stream as contiguous indices, if each lies in the domain and something is left after the warm-up.

    >>> check_stream(np.array([3, 9]), domain_size=9)
    Traceback (most recent call last):
    hgldp.errors.InvalidField: stream must hold items in 0 … 8, got one outside (withheld)
    """
    if stream.ndim != 1 or not np.issubdtype(stream.dtype, np.integer):
        raise InvalidField("stream", "must be one row of whole numbers", f"{stream.ndim} dimensions of {stream.dtype}")
    if not 1 <= stream.size <= MAX_REPORTS:
        raise InvalidField("stream", f"must hold 1 … {MAX_REPORTS} items", stream.size)
    if check_whole("warmup", warmup, 0) >= stream.size:
        raise InvalidField("warmup", f"must be smaller than the stream of {stream.size} items", warmup)
    if int(stream.min()) < 0 or int(stream.max()) >= domain_size:
        raise InvalidField("stream", f"must hold items in 0 … {domain_size - 1}", "one outside (withheld)")
    return np.ascontiguousarray(stream, np.int32)
