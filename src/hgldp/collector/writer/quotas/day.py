"""How many reports a task takes in a day, and how the addresses share them. A day is one of UTC."""

from math import ceil, inf

from hgldp.collector.problems import Problem, Refused
from hgldp.collector.writer.quotas.accounts import Account
from hgldp.system.clock import DAY_SECONDS, Clock, day_of

EARLY, NEWCOMERS = 1 / 4, 256
LONGEST_WAIT = 3_600.0


class DailyCap:
    """How many reports a task takes in a day; 0 means no limit. A clock set back does not restart the day.

    `counted` is what it has taken today.
    """

    def __init__(self, per_day: int, clock: Clock, counted_today: int) -> None:
        self._cap, self._clock = per_day, clock
        self._day, self.counted = day_of(clock.now()), counted_today

    def room(self) -> float:
        """How many reports can still be counted today."""
        if not self._cap:
            return inf
        today = day_of(self._clock.now())
        if today > self._day:
            self._day, self.counted = today, 0
        return self._cap - self.counted

    def refusal(self) -> Refused:
        """That the day is full, and how long it lasts."""
        wait = ceil((self._day + 1) * DAY_SECONDS - self._clock.now())
        return Refused(Problem.DAILY_CAP_REACHED, retry_after=min(max(1, wait), DAY_SECONDS))

    def count(self, reports: int) -> None:
        """They are durable."""
        self.counted += reports


class DayShares:
    """Keeps a few addresses from using up the day. The cap itself is kept by `DailyCap`, which the log restores.

    A quarter of the cap is released at midnight and the rest evenly until the next one. An address gets in

    * as long as it has had today at most as much as it leaves of what is released. So one address can have half of
      the cap; what others leave unused is released to it as the day goes on. Of n greedy ones each has about 1/n of
      what is released, and whoever wants less than they have finds room. Its first upload of the day may take all that
      is released, so that a large one gets in where the cap is small.
    * or as long as it has had less than 1/256 of what is left of the whole day. So a crowd gets in, released or not:
      a task whose reports come from more than 256 addresses alike notices nothing of all this until the cap itself.

    A hundred greedy addresses can take half of the cap at midnight, and no more until half of it is released.
    """

    def __init__(self, per_day: int, clock: Clock, counted_today: int) -> None:
        self._cap, self._clock = per_day, clock
        self._day, self._used = day_of(clock.now()), counted_today

    def resize(self, per_day: int) -> None:
        """Share another cap from now on; as much of it counts as used as before."""
        self._used = self._used * per_day // self._cap if self._cap else 0
        self._cap = per_day

    def take(self, reports: int, account: Account | None) -> float:
        """Spend them and return 0; or return the seconds to wait. None has no share and is only counted."""
        now = self._clock.now()
        if day_of(now) > self._day:
            self._day, self._used = day_of(now), 0
        if account is not None:
            if account.day != self._day:
                account.day, account.day_used = self._day, 0
            had, left = account.day_used + reports, self._cap - self._used - reports
            if left >= 0 and had * NEWCOMERS > left:
                leaves = self._released(now) - self._used - reports
                missing = (had if account.day_used else 0) - leaves
                if missing > 0:
                    return min(max(1.0, missing / (self._cap * (1 - EARLY)) * DAY_SECONDS), LONGEST_WAIT)
            account.day_used = had
        self._used += reports
        return 0.0

    def _released(self, now: float) -> float:
        passed = min(max(0.0, now / DAY_SECONDS - self._day), 1.0)
        return self._cap * (EARLY + (1 - EARLY) * passed)

    def give_back(self, reports: int, account: Account | None) -> None:
        """They were not counted after all."""
        self._used = max(0, self._used - reports)
        if account is not None:
            account.day_used = max(0, account.day_used - reports)
