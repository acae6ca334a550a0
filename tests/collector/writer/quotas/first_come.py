"""The quotas of 0.1.0, which knew no addresses: kept so that the checks are seen to refuse them."""

from hgldp.collector.writer.quotas import Account, DailyCap, DayShares, SharedRate
from hgldp.wire.upload import MOST_REPORTS
from tests.collector.fakes import FakeClock


class FirstComeRate(SharedRate):
    """One bucket for all. It holds a full upload at least, and a restart fills it."""

    def __init__(self, per_second: float, clock: FakeClock, *, full: bool = True) -> None:
        super().__init__(per_second, clock, full=full)
        self._most = self._left = max(per_second, MOST_REPORTS)

    def take(self, amount: float, account: Account | None) -> float:
        return super().take(amount, None)


class FirstComeDay(DayShares):
    """Whoever comes first gets all of the day."""

    def __init__(self, per_day: int, clock: FakeClock, counted_today: int) -> None:
        super().__init__(per_day, clock, counted_today)
        self._whole = DailyCap(per_day, clock, counted_today)

    def take(self, reports: int, account: Account | None) -> float:
        if self._whole.room() < reports:
            return 60.0
        self._whole.count(reports)
        return 0.0
