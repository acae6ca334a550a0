"""Who holds how many connections and how many bytes, and who gives one up when there is no more room.

Shares are fair from the largest down: when all places are taken, the address with the most connections loses one that
keeps us waiting, about the longest. So one address may use all the room that nobody else wants, and a newcomer still
gets in. Bytes are shared alike. The table has one entry for each address with an open connection, so it has an end too.

A request costs no more than two marks on its connection. Who has waited longest is found out only when there is no
room: connections are looked at in turn, as by the hand of a clock, and those that were used since the last look stay.
"""

from collections.abc import Iterator
from itertools import islice
from typing import Protocol

from hgldp.collector.http.connections.client_address import Networks, grouped, is_trusted

MOST_ADDRESSES, MOST_SEATS = 8, 256
IDLE, SLOW, BUSY = range(3)


class Seat(Protocol):
    """A connection. Its turn is `IDLE` between two requests, `SLOW` within one, `BUSY` while the client waits for us.

    A busy one is never given up. `used` is set whenever something comes from the client.
    """

    account: "Account | None"
    held: int
    turn: int
    used: bool

    def cut(self) -> None:
        """End it now."""

    def let_go(self) -> None:
        """Hold no more bytes."""


class Account:
    """One address: its connections, in the order in which the hand comes to them, and the bytes that they hold."""

    __slots__ = ("address", "held", "proxy", "seats")

    def __init__(self, address: str, proxy: bool) -> None:
        self.address, self.proxy, self.held = address, proxy, 0
        self.seats: dict[Seat, None] = {}

    def victim(self) -> Seat | None:
        """One that keeps us waiting and was not used for a while; if all were, any that keeps us waiting."""
        waiting = None
        for _ in range(min(len(self.seats), MOST_SEATS)):
            seat = next(iter(self.seats))
            if seat.turn != BUSY:
                if not seat.used:
                    return seat
                waiting = waiting or seat
            seat.used = False
            del self.seats[seat]
            self.seats[seat] = None
        return waiting


class Places:
    """`most` connections and `most_bytes` bytes of unfinished requests and unread answers.

    All that come through a trusted proxy share its address, so a proxy is never the one that has too many; it gives up
    idle connections only when nobody else has any.
    """

    def __init__(self, most: int, most_bytes: int, trusted: Networks = ()) -> None:
        self.most, self.most_bytes, self._trusted = most, most_bytes, trusted
        self.taken = self.held = self.cut = self.refused = 0
        self._accounts: dict[str, Account] = {}
        self._proxies: dict[Account, None] = {}
        self._by_seats: dict[int, dict[Account, None]] = {}

    def enter(self, seat: Seat, peer: str) -> bool:
        """A place for a newcomer; False if all are taken and nobody can give one up."""
        proxy = bool(self._trusted) and is_trusted(peer, self._trusted)
        address = peer if proxy else grouped(peer)
        account = self._accounts.get(address) or Account(address, proxy)
        if self.taken >= self.most and not self._make_room(account):
            self.refused += 1
            return False
        self._accounts[address] = account  # to make room may have removed it
        self._resize(account, 1)
        account.seats[seat] = None
        seat.account, seat.held, seat.turn, seat.used = account, 0, IDLE, True
        self.taken += 1
        return True

    def leave(self, seat: Seat) -> None:
        """The connection is gone, or as good as gone."""
        account = seat.account
        if account is None:
            return
        self.hold(seat, 0)
        seat.account = None
        self._resize(account, -1)
        del account.seats[seat]
        self.taken -= 1
        if not account.seats:
            del self._accounts[account.address]

    def hold(self, seat: Seat, size: int) -> None:
        """How many bytes a connection holds now. Beyond the limit the address that holds the most loses those of one.

        If that is its own address it loses these: to forget those of an older one would only make it send more.
        """
        account, more = seat.account, size - seat.held
        if account is None or not more:
            return
        seat.held = size
        account.held += more
        self.held += more
        while more > 0 and self.held > self.most_bytes and seat.held:
            most = max(self._accounts.values(), key=lambda each: each.held)
            self._empty(seat if most is account else next((each for each in most.seats if each.held), seat))

    def _make_room(self, newcomer: Account) -> bool:
        for account in islice(self._from_the_largest(newcomer), MOST_ADDRESSES):
            victim = account.victim()
            if victim is not None:
                self._cut(victim)
                return True
        return False

    def _from_the_largest(self, newcomer: Account) -> Iterator[Account]:
        """The newcomer's own address comes first among those with as many."""
        for seats in sorted(self._by_seats, reverse=True):
            if newcomer in self._by_seats[seats]:
                yield newcomer
            yield from islice(self._by_seats[seats], MOST_ADDRESSES)
        yield from self._proxies

    def _empty(self, victim: Seat) -> None:
        self.cut += 1
        self.hold(victim, 0)
        victim.let_go()

    def _cut(self, victim: Seat) -> None:
        self.cut += 1
        self.leave(victim)
        victim.cut()

    def _resize(self, account: Account, step: int) -> None:
        before, now = len(account.seats), len(account.seats) + step
        if account.proxy:
            self._proxies[account] = None
            if not now:
                del self._proxies[account]
            return
        if before:
            peers = self._by_seats[before]
            del peers[account]
            if not peers:
                del self._by_seats[before]
        if now:
            self._by_seats.setdefault(now, {})[account] = None
