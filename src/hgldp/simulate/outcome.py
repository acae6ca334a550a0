"""What one simulated stream gave, and what it cost."""

from dataclasses import dataclass
from typing import Literal

from hgldp.model.estimate import Estimate


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
