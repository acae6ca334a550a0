"""What an audit needs of a client, whatever is behind it."""

from collections.abc import Hashable
from typing import Protocol

from hgldp.audit.pairs import Events
from hgldp.audit.tally import Views
from hgldp.errors import HgldpError

Sent = tuple[tuple[Hashable, ...], ...]
"""The symbols of each upload of a device, without the random ids."""


class Subject(Protocol):
    """Something that can be asked what fresh devices send after they heard some events."""

    block: int
    """How many draws to ask for at once."""

    def draw(self, events: Events, count: int) -> Views:
        """So many devices, each with the same events: one row of each view a device."""


class ClientFailed(HgldpError):
    """The client under audit ended, hung or answered what is not in the protocol. No item is in the message."""
