"""What each address has had of late, in memory only: a table with an end."""

from collections import OrderedDict
from collections.abc import Hashable


class Account:
    """One address at one task. `used` is of the rate and fades, as of `seen`; `saved` is paid for and not yet spent.

    `day_used` is what it has had on `day`.
    """

    __slots__ = ("day", "day_used", "saved", "seen", "used")

    def __init__(self) -> None:
        self.used = self.seen = self.saved = 0.0
        self.day = self.day_used = 0


class Accounts:
    """At most `most` of them: the one that was asked for longest ago is forgotten first.

    Someone with more addresses than that makes the table forget everybody. Then it is first come, first served for a
    while, within the same limits; nobody is locked out by it.

    >>> accounts = Accounts(2)
    >>> first = accounts.of("a")
    >>> accounts.of("b") is first, accounts.of("a") is first, accounts.of("c") is first, len(accounts)
    (False, True, False, 2)
    >>> accounts.of("a") is first, accounts.of("b") is first
    (True, False)
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._known: OrderedDict[Hashable, Account] = OrderedDict()

    def __len__(self) -> int:
        return len(self._known)

    def of(self, name: Hashable) -> Account:
        """The account of a name; a new one if it is not known."""
        found = self._known.get(name)
        if found is None:
            found = self._known[name] = Account()
            if len(self._known) > self._most:
                self._known.popitem(last=False)
        else:
            self._known.move_to_end(name)
        return found
