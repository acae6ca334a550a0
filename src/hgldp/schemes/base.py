"""What every scheme can do, ours and yours: the client's half, and what the server must know of it.

A scheme of your own extends `HotListScheme` (`hgldp.schemes.hot_list`), which brings the server's half along, or
fulfils this protocol and names its own family. `hgldp.register` makes it known.
"""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any, ClassVar, Protocol, Self, TypeVar

from hgldp.errors import InvalidField
from hgldp.model.bulletins import AnyBulletin
from hgldp.model.randomness import Words
from hgldp.model.rules import Rules
from hgldp.model.task import Task
from hgldp.model.weights import Epsilon

Row = dict[int, Fraction]
RETAINED = 8
B = TypeVar("B")


class Scheme(Protocol):
    """A channel that answers bulletins, and the facts that the server around it needs."""

    name: ClassVar[str]
    rules: ClassVar[type[Rules]]
    """What can be set in a task of this scheme."""
    family: ClassVar[str]
    """The server's half, as `module:class`, so that a client need not load it."""
    starts_cold: ClassVar[bool]
    """Whether the list begins with items that nobody chose, which makes the estimates of survivors too high."""
    has_windows: ClassVar[bool]
    """Whether the server can answer for the last reports alone."""
    spells_out: ClassVar[bool]
    """Whether items are found letter by letter, over several epochs."""
    useful_epochs: ClassVar[int]
    """For how many epochs after its own a bulletin is worth answering."""
    reads_domain: ClassVar[bool]
    """Whether the end of an epoch reads through all items of the domain."""

    @property
    def epsilon(self) -> Epsilon:
        """What one report spends."""

    @classmethod
    def of(cls, task: Task) -> Self:
        """The scheme of a task, with the budget of one report."""

    def check_bulletin(self, bulletin: AnyBulletin) -> None:
        """Refuse a bulletin that would be answered with another ε."""

    def symbol_limit(self, bulletin: AnyBulletin) -> int:
        """The first symbol that no client may send in answer to a bulletin."""

    def randomize(self, code: Any, bulletin: AnyBulletin, words: Words) -> int:
        """One symbol for one event, given as its domain encodes it: the client's whole part."""

    def rows(self, codes: Sequence[Any], bulletin: AnyBulletin) -> list[Row]:
        """Pr[symbol | item] as exact fractions for some items: what a certificate of privacy is made of."""

    def leverage(self, bulletin: AnyBulletin) -> float:
        """What one forged answer to a bulletin is worth, in honest ones."""

    def worth_of_forgery(self, bulletin: AnyBulletin) -> float:
        """What it adds at most to a published count, which may be extrapolated, in honest ones."""


def of_kind(bulletin: AnyBulletin, kind: type[B], name: str) -> B:
    """The bulletin itself, if it is of the kind that a scheme answers."""
    if not isinstance(bulletin, kind):
        raise InvalidField("bulletin", f"must be {name}", type(bulletin).__name__)
    return bulletin
