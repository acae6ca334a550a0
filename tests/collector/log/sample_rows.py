"""One row of each kind, for tests of stores."""

from hgldp.collector.donation import Donation
from hgldp.collector.log.entry import RUN, Entry, start_of_chain
from hgldp.collector.log.storage import BulletinRow, KeptEpoch, Milestone, ResultRow, Snapshot, Takeover, TaskRow
from hgldp.collector.views import PublishedEpoch, RankedItem, TaskTerms
from tests.collector.fakes import HOT

TERMS = TaskTerms("a name", "public", ("https://example.org",), 5, 7)
TASK = TaskRow(1, HOT.id, HOT.canonical, 2**64 - 1, TERMS, 1.5, b"w" * 32, b"r" * 32)
ENTRY = Entry(1, 1, 2.5, 1, RUN, b"b" * 32, 3, b"", b"i" * 32, b"c" * 8, b"s" * 6).chained(start_of_chain(HOT.id))
LINES = (
    RankedItem("é\n=\0", 1.1, 0.1, -1e300, 1e-300, 2.5, 0.3, 9, None),
    RankedItem(-7, 1.0, 0.1, 0.0, 2.0, 2.5, 0.3, 9, -2),
)
BULLETIN = BulletinRow("ab" * 32, 1, 0, 1, 2.5, b"bulletin")
RESULT = ResultRow(1, 1, PublishedEpoch(0, 2.5, 3, "ab" * 32, LINES))
KEPT = KeptEpoch(1, 0, 1, 2, 2.5, b"c" * 32, b"tally" * 9, b"d" * 32)
MILESTONE = Milestone(1, 1, 1, 2, 2.5, b"k" * 32, b"s" * 32, b"state" * 9)
SNAPSHOT = Snapshot(1, 1, 2, b"state", 1, b"c" * 32, b"open", None)
TAKEOVER = Takeover(1, 1, 1, 2, 2.5, b"k" * 32, b"s" * 32, b"state", 1, b"c" * 32, None, 3.5)
GIVEN = Donation(((3, 2), (7, 1)))
