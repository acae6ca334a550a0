"""The client's half: what turns an event into a report, and takes it to a collector. It needs only Python itself.

`Reporter` does everything for one person's device, `People` for the signed-in people of a web server; `Randomizer` is
their heart, for those who send reports in their own way. The other names are the parts that `hgldp report` and
`hgldp demo` are built from.

An event goes through `inbox`, `spending` (may it be reported, and was it drawn?), `randomizer` and `sending`. `worker`
takes these steps, `background` is its thread, and `agreement` holds the task and its bulletin.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from hgldp.client.bulletin_cache import BulletinCache
from hgldp.client.environment import Disk, Environment
from hgldp.client.pace import Pace
from hgldp.client.randomizer import Randomizer
from hgldp.client.reporter import Reporter
from hgldp.client.sending.delivery import reason_of
from hgldp.client.sending.outbox import Sent
from hgldp.client.sending.transport import Transport
from hgldp.client.spending.page import LedgerDamaged
from hgldp.client.status import Outcome, Spent, Status
from hgldp.errors import FolderInUse

if TYPE_CHECKING:
    from hgldp.client.people.people import People
    from hgldp.client.people.uploads import SentReport

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

_FOR_SERVERS = {"People": "people.people", "SentReport": "people.uploads"}


def __getattr__(name: str) -> Any:
    """A device needs no SQLite: what only a server uses is loaded when it is first used."""
    if name not in _FOR_SERVERS:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_FOR_SERVERS[name]}"), name)
