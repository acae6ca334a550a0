from dataclasses import replace

from hgldp.collector.dashboard.live.rates import Meter, Rates
from tests.collector.fake_collector import numbers_task, view
from tests.collector.fakes import FakeClock

TASK = view(numbers_task(), reports=500)


def test_the_rate_is_that_of_the_last_ten_seconds() -> None:
    meter = Meter()
    for second in range(30):
        meter.note(float(second), 1000 if second < 15 else 1000 + 7 * (second - 15))
    assert meter.rate == 7.0


def test_the_rate_falls_to_nothing_when_nothing_comes() -> None:
    meter = Meter()
    meter.note(0.0, 0)
    assert meter.rate is None
    for second in range(1, 12):
        meter.note(float(second), 500)
    assert meter.rate == 0


def test_the_last_report_is_as_old_as_it_is_whoever_watches() -> None:
    """It came when nobody watched: 79 seconds later it is 79 seconds old."""
    clock = FakeClock()
    rates = Rates(clock)
    rates.know([TASK])
    assert rates.last_report(TASK.id) is None
    came, later = clock.now(), replace(TASK, reports=501)
    rates.note(later)
    clock.advance(77)
    for _ in range(3):
        rates.sample([later])
        rates.note(replace(later, refused=1))
        clock.advance(1)
    assert rates.last_report(TASK.id) == came


def test_ten_seconds_without_a_report_are_a_rate_of_0_whoever_watches() -> None:
    clock = FakeClock()
    rates = Rates(clock)
    assert rates.rate(TASK.id) is None
    rates.know([TASK])
    clock.advance(9)
    assert rates.rate(TASK.id) is None, "some may have come before anyone listened"
    clock.advance(1)
    assert rates.rate(TASK.id) == 0
    rates.note(replace(TASK, reports=501))
    assert rates.rate(TASK.id) is None, "one came, and nobody measured"
    for reports in (501, 511):
        rates.sample([replace(TASK, reports=reports)])
        clock.advance(5)
    assert rates.rate(TASK.id) == 0, "what was measured is over"


def test_a_task_that_is_gone_is_forgotten() -> None:
    rates = Rates(FakeClock())
    rates.note(TASK)
    rates.sample([TASK])
    rates.sample([])
    assert (rates.last_report(TASK.id), rates.rate(TASK.id), rates.moving) == (None, None, False)
