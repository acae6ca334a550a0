"""What an audit needs of a client, whatever is behind it."""

from collections.abc import Callable, Hashable
from typing import Protocol

from hgldp.audit.pairs import Events
from hgldp.audit.views import Views
from hgldp.errors import HgldpError
from hgldp.model.randomness import Words

Sent = tuple[tuple[Hashable, ...], ...]
"""The symbols of each upload of a device, without the random ids."""
Advance = Callable[[int, int], None]
"""Told now and then how much of the work is done, and how much there is."""
ALWAYS_THE_SAME = "nearly all draws of a block gave the same report, whatever the input: each draw must be a new device"
SENT_NOTHING = "the client sent nothing in any draw, so there is nothing to compare"


class Subject(Protocol):
    """Something that can be asked what fresh devices send after they heard some events."""

    block: int
    """How many draws to ask for at once."""

    def draw(self, events: Events, count: int) -> Views:
        """So many devices, each with the same events: one row of each view a device."""


class Steerable(Protocol):
    """A client that draws from words that the audit gives it."""

    def steer(self, events: Events, words: Words) -> Sent:
        """What one fresh device sends: the symbols of each upload. Their random ids are not looked at."""


class ClientFailed(HgldpError):
    """The client under audit ended, hung or answered what is not in the protocol. No item is in the message."""
