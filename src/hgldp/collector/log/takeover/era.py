"""The era: which rules lead from a log to bulletins, results and states.

A folder says in which era it is written. A version of another era keeps what was published as it is, notes for each
task where it takes over, and goes on from there; `hgldp replay` begins at that place.
"""

from pathlib import Path

ERA = 3
"""Raise it in the first release whose stores, estimators or schemes lead from the same log to something else.

Era 1 was that of 0.1.0; in era 2 the search among strings followed other rules. `tests/recorded` fails if what follows
from a log changes.
"""


def other_era(folder: Path) -> str:
    """Why a folder of another era cannot be replayed."""
    return (
        f"{folder} was last written by another version of hgldp, which derives other numbers from the same reports. "
        "Start the collector of this version on it once: what was published stays, and everything after that start "
        "can be replayed. To check what is there now, run hgldp replay of the version that wrote it"
    )
