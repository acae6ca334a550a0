"""How many databases and collectors so many uploads a second need: every collector follows all of its database."""

from dataclasses import dataclass
from itertools import count

from benchmarks.scale.measuring import LOADED, Cost, Share

BUSY = 0.5
DATABASE_CORES, MOST_WAL = 32, 200e6


@dataclass(frozen=True)
class Shape:
    """`collectors` are those on each database; `collecting` and `storing` are cores at work, all in all.

    `sealing` is the share of what one half-busy sealer can do.
    """

    databases: int
    collectors: float
    sealing: float
    collecting: float
    storing: float


def shape(cost: Cost, uploads: float) -> Shape:
    """The fewest databases with which no process and no disk does more than it should."""
    return next(found for databases in count(1) if (found := _shared(cost, uploads, databases)))


def _shared(cost: Cost, uploads: float, databases: int) -> Shape | None:
    """None if that is too much for the sealer, the disk or the cores, or for a collector, which also has to follow."""
    each = uploads / databases
    following, reading = cost.following.cores(each, cost.rate), cost.reading.cores(each, cost.rate)
    collecting, storing = _own(cost.collector, cost.following, each), _own(cost.database, cost.reading, each)
    if following > BUSY / 2:
        return None
    team = max(LOADED, collecting / (BUSY - following))
    sealing = each * cost.pace.sealing / 1e6 / BUSY
    collecting, storing = collecting + team * following, storing + team * reading
    if sealing > 1 or each * cost.wal > MOST_WAL or storing > BUSY * DATABASE_CORES:
        return None
    return Shape(databases, team, sealing, databases * collecting, databases * storing)


def _own(spent: float, share: Share, uploads: float) -> float:
    """Cores for the uploads themselves, without the following of the collectors that were measured."""
    return max(0.0, spent - LOADED * share.live) * uploads / 1e6
