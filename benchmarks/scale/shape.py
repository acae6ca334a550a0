"""How many databases and collectors so many uploads a second need: every collector follows all of its database."""

from dataclasses import dataclass
from itertools import count

from benchmarks.scale.ids import page_images
from benchmarks.scale.measuring import LOADED, Cost, Share

BUSY, PEAK, DAY = 0.5, 3.0, 86_400
DATABASE_CORES, MOST_WAL = 32, 200e6
CHECKPOINT_SECONDS, DAYS_OF_IDS = 1_800, 2


@dataclass(frozen=True)
class Shape:
    """`collectors` are those on each database; `collecting` and `storing` are cores at work, all in all.

    `sealing` is the share of what one half-busy sealer can do, `logged` the bytes of write-ahead log for an upload.
    """

    databases: int
    collectors: float
    sealing: float
    collecting: float
    storing: float
    logged: float


def shape(cost: Cost, uploads: float) -> Shape:
    """The fewest databases with which no process and no disk does more than it should."""
    return next(found for databases in count(1) if (found := _shared(cost, uploads, databases)))


def _shared(cost: Cost, uploads: float, databases: int) -> Shape | None:
    """None if that is too much for the sealer, the disk or the cores, or for a collector, which also has to follow."""
    each = uploads / databases
    following = cost.following.cores(each, cost.rate)
    if following > BUSY / 2:
        return None
    team = max(LOADED, _own(cost.collector, cost.following, each) / (BUSY - following))
    sealing, logged = each * cost.pace.sealing / 1e6 / BUSY, _logged(cost, each)
    collecting, storing = _cores(cost, each, team)
    if sealing > 1 or each * logged > MOST_WAL or storing > BUSY * DATABASE_CORES:
        return None
    return Shape(databases, team, sealing, databases * collecting, databases * storing, logged)


def work(cost: Cost, uploads: float, found: Shape) -> float:
    """Cores of collectors and databases that are at work in this shape when so many uploads a second come."""
    return found.databases * sum(_cores(cost, uploads / found.databases, found.collectors))


def _cores(cost: Cost, uploads: float, team: float) -> tuple[float, float]:
    """Of all collectors of a database, and of the database."""
    following, reading = cost.following.cores(uploads, cost.rate), cost.reading.cores(uploads, cost.rate)
    collecting, storing = _own(cost.collector, cost.following, uploads), _own(cost.database, cost.reading, uploads)
    return collecting + team * following, storing + team * reading


def _logged(cost: Cost, uploads: float) -> float:
    """What was measured with few ids, and the pages of the index that a day's ids touch between two checkpoints."""
    there = DAYS_OF_IDS * DAY * uploads / PEAK
    return cost.wal + page_images(there, CHECKPOINT_SECONDS * uploads, cost.ids.index)


def _own(spent: float, share: Share, uploads: float) -> float:
    """Cores for the uploads themselves, without the following of the collectors that were measured."""
    return max(0.0, spent - LOADED * share.live) * uploads / 1e6
