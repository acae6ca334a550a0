"""How many reports a task takes per second and per day."""

from math import ceil, inf

from hgldp.collector.problems import Problem, Refused
from hgldp.system.clock import DAY_SECONDS, Clock, day_of
from hgldp.wire.upload import MOST_REPORTS


class Rate:
    """A bucket that refills at a number of reports per second; 0 means no limit. What is not counted is given back.

    It holds the reports of one second, or one full upload if that is more.
    """

    def __init__(self, per_second: int, clock: Clock) -> None:
        self._per_second, self._clock = per_second, clock
        self._most = float(max(per_second, MOST_REPORTS))
        self._left, self._filled = self._most, clock.monotonic()

    def take(self, reports: int) -> None:
        """Spend them, or refuse and say how long to wait."""
        if not self._per_second:
            return
        now = self._clock.monotonic()
        self._left = min(self._most, self._left + (now - self._filled) * self._per_second)
        self._filled = now
        if self._left < reports:
            wait = ceil((reports - self._left) / self._per_second)
            raise Refused(Problem.TOO_MANY_REPORTS, retry_after=max(1, wait))
        self._left -= reports

    def give_back(self, reports: int) -> None:
        """They were refused, or counted before."""
        self._left = min(self._most, self._left + reports)


class DailyCap:
    """How many reports a task takes in a day (UTC); 0 means no limit. A clock set back does not restart the day."""

    def __init__(self, per_day: int, clock: Clock, counted_today: int) -> None:
        self._cap, self._clock = per_day, clock
        self._day, self._today = day_of(clock.now()), counted_today

    def room(self) -> float:
        """How many reports can still be counted today."""
        if not self._cap:
            return inf
        today = day_of(self._clock.now())
        if today > self._day:
            self._day, self._today = today, 0
        return self._cap - self._today

    def refusal(self) -> Refused:
        """That the day is full, and how long it lasts."""
        wait = ceil((self._day + 1) * DAY_SECONDS - self._clock.now())
        return Refused(Problem.DAILY_CAP_REACHED, retry_after=min(max(1, wait), DAY_SECONDS))

    def count(self, reports: int) -> None:
        """They are durable."""
        self._today += reports
