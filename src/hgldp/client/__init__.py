"""The client's half: task + bulletin + event → report, and its way to a collector. The standard library is enough."""

from hgldp.client.pace import Pace
from hgldp.client.randomizer import Randomizer
from hgldp.client.refusals import Outcome
from hgldp.client.reporter import Reporter
from hgldp.client.sent import Sent

__all__ = ["Outcome", "Pace", "Randomizer", "Reporter", "Sent"]
