"""The check of plans: its thirty settings stay what they are, and a plan that misses is seen."""

from dataclasses import replace

from benchmarks.planning.__main__ import as_markdown, cells, count
from benchmarks.planning.launches import Row
from benchmarks.planning.settings import Setting, settings
from hgldp.planning.forecast import MeanShare

ONE = Setting(1, "listed", 100, 1.1, 10, 2.0, 5_000)


def row(planned: float, measured: float) -> Row:
    return Row(ONE, *(MeanShare(mean, 0.01, mean, mean, 8) for mean in (planned, measured)))


def test_the_settings_are_those_that_were_drawn_once() -> None:
    drawn = settings()
    assert [each.is_open for each in drawn] == [False] * 20 + [True] * 10
    assert drawn[0] == Setting(1, "listed", 1_000, 0.7, 10, 1.0, 100_000)
    assert drawn[20] == Setting(21, "urls", 20_000, 1.3, 10, 2.0, 600_000)


def test_a_plan_that_is_too_far_off_is_counted_and_marked() -> None:
    rows = [row(0.50, 0.56), row(0.50, 0.58), row(0.97, 0.95)]
    assert [each.held for each in rows] == [True, False, True]
    assert cells(rows[1])[-1] == "-0.080 !"
    assert count(rows).startswith("2 of 3 plans are within 0.07")
    assert as_markdown(rows).count("\n|") == 4


def test_strings_are_compared_by_f1_and_items_by_precision() -> None:
    assert (ONE.metric, replace(ONE, look="urls").metric) == ("precision", "f1")
