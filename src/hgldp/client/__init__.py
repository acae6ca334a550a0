"""The client's half: what turns an event into a report, and takes it to a collector. It needs only Python itself.

`Reporter` does everything for one person's device, `People` for the signed-in people of a web server; `Randomizer` is
their heart, for those who send reports in their own way. The other names are the parts that `hgldp report` and
`hgldp demo` are built from.

An event goes through `inbox`, `spending` (may it be reported, and was it drawn?), `randomizer` and `sending`. `worker`
takes these steps, `background` is its thread, and `agreement` holds the task and its bulletin.
"""

from hgldp.client.bulletin_cache import BulletinCache
from hgldp.client.environment import Disk, Environment
from hgldp.client.pace import Pace
from hgldp.client.people.people import People
from hgldp.client.people.uploads import SentReport
from hgldp.client.randomizer import Randomizer
from hgldp.client.reporter import Reporter
from hgldp.client.sending.delivery import reason_of
from hgldp.client.sending.outbox import Sent
from hgldp.client.sending.transport import Transport
from hgldp.client.spending.page import LedgerDamaged
from hgldp.client.status import Outcome, Spent, Status
from hgldp.errors import FolderInUse

__all__ = [
    "BulletinCache",
    "Disk",
    "Environment",
    "FolderInUse",
    "LedgerDamaged",
    "Outcome",
    "Pace",
    "People",
    "Randomizer",
    "Reporter",
    "Sent",
    "SentReport",
    "Spent",
    "Status",
    "Transport",
    "reason_of",
]
