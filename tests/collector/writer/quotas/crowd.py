"""A thousand honest addresses and some that take all they can get: how much of what the honest send is counted.

`python -m tests.collector.writer.quotas.crowd` prints the table of docs/collector.md.
"""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from hgldp.collector.writer.quotas import Accounts, DayShares, SharedRate
from hgldp.system.clock import DAY_SECONDS
from tests.collector.fakes import FakeClock
from tests.collector.writer.quotas.first_come import FirstComeDay, FirstComeRate

HONEST = 1_000
CAP, HONEST_SHARE = 100_000, 0.6
PER_SECOND, RATE_SECONDS = 100, 60
PATIENCE = 10
UPLOADS = (1, 64, 4_096)
MIDNIGHT = 1_800_057_600.0


@dataclass
class Crowd:
    """What the honest and the attackers got, of what the honest had to send."""

    wanted: int = 0
    honest: int = 0
    attackers: int = 0

    @property
    def share(self) -> float:
        return self.honest / self.wanted


def play(
    take: Callable[[int, str], float], step: Callable[[], None], arrivals: Sequence[Sequence[int]], attackers: int
) -> Crowd:
    """In each step the attackers come first and try all sizes until they are refused; then the honest come.

    An honest report is tried again in each of the next ten steps, and is then lost: its bulletin is too old.
    """
    found = Crowd()
    waiting: list[tuple[int, int]] = []
    for now, arriving in enumerate(arrivals):
        step()
        for number in range(attackers):
            for size in reversed(UPLOADS):
                while not take(size, f"attacker {number}"):
                    found.attackers += size
        found.wanted += len(arriving)
        waiting = [(since, one) for since, one in waiting if now - since <= PATIENCE] + [(now, one) for one in arriving]
        refused = [(since, one) for since, one in waiting if take(1, f"honest {one}")]
        found.honest += len(waiting) - len(refused)
        waiting = refused
    return found


def arrivals(steps: int, total: int, first: float = 0.0, last: float = 1.0, seed: int = 1) -> list[list[int]]:
    """Which honest address has a report in which step, at random between two moments."""
    draw = random.Random(seed)
    found: list[list[int]] = [[] for _ in range(steps)]
    for _ in range(total):
        found[int(steps * draw.uniform(first, last - 1e-9))].append(draw.randrange(HONEST))
    return found


def day(attackers: int, *, fair: bool, first: float = 0.0, last: float = 1.0) -> Crowd:
    """A day in minutes. The honest want 60 % of the cap."""
    clock, accounts = FakeClock(), Accounts(65_536)
    clock.wall = MIDNIGHT
    shares = (DayShares if fair else FirstComeDay)(CAP, clock, 0)
    minutes = DAY_SECONDS // 60

    def take(size: int, name: str) -> float:
        wait = shares.take(size, accounts.of(name))
        if not wait and shares._used > CAP:
            shares.give_back(size, accounts.of(name))
            return 60.0
        return wait

    return play(take, lambda: clock.advance(60), arrivals(minutes, int(CAP * HONEST_SHARE), first, last), attackers)


def rate(attackers: int, *, fair: bool) -> Crowd:
    """A minute in tenths of a second. The honest want 60 % of the rate."""
    clock, accounts = FakeClock(), Accounts(65_536)
    shared = (SharedRate if fair else FirstComeRate)(PER_SECOND, clock, full=False)
    coming = arrivals(RATE_SECONDS * 10, int(PER_SECOND * RATE_SECONDS * HONEST_SHARE))
    return play(lambda size, name: shared.take(size, accounts.of(name)), lambda: clock.advance(0.1), coming, attackers)


def main() -> None:
    print("| attackers' addresses | rate | day | office hours only |")
    print("|---:|---:|---:|---:|")
    for attackers in (0, 1, 10, 100):
        office = day(attackers, fair=True, first=1 / 3, last=2 / 3)
        shares = rate(attackers, fair=True), day(attackers, fair=True), office
        row = [f"{each.share:.1%}" for each in shares]
        print(f"| {attackers:,} | {' | '.join(row)} |", flush=True)


if __name__ == "__main__":
    main()
