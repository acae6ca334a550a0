"""Any string, by hand: its own line, its own cell, or the narrowest cell that any report has measured."""

from dataclasses import replace

import pytest

from hgldp.model.bulletins import Cell
from hgldp.model.domain import StringDomain
from hgldp.model.estimate import Z95, Estimate
from hgldp.schemes.open_pfr import OpenPFR
from hgldp.stores.strings import OpenFrontier
from hgldp.stores.strings.ask import ask
from hgldp.stores.strings.luck import as_measured
from hgldp.stores.strings.search import Cells, Measured


def measured(share: float, deviation: float, since: int, weight: float | None = None) -> Measured:
    weight = since if weight is None else weight
    return Measured(share * weight, (deviation * weight) ** 2, weight, since)


def store_with(hot: Cells, tips: Cells, half_life: int | None = None) -> OpenFrontier:
    scheme = OpenPFR(64, 4.0)
    store = OpenFrontier(scheme.mechanism, symbols=64, k=4, domain=StringDomain(8), epoch=500, half_life=half_life)
    store.hot, store.tips, store.reports = hot, tips, 1_000
    return store


def lines(store: OpenFrontier, *texts: str) -> tuple[Estimate, ...]:
    return ask(store, [text.encode() + b"\0" for text in texts])


def test_a_string_that_was_found_has_its_line_of_the_top(monkeypatch: pytest.MonkeyPatch) -> None:
    store = store_with({Cell(b"tea", 0, 0): measured(0.5, 0.01, 400)}, {})
    ((_, line),) = store.estimates(1)
    told = replace(line, ranks=(1, 1), bounds=(480.0, 530.0))
    monkeypatch.setattr(store, "estimates", lambda _: [("tea", told)])
    assert lines(store, "mate", "tea")[1] == replace(told, item=1)


def test_a_whole_string_under_search_is_counted_by_its_cell() -> None:
    """It is told like a string of the top, but as it was measured: nobody picked it for its luck."""
    tips = {Cell(b"tea", 0, 0): measured(0.2, 0.001, 400), Cell(b"mat", 101, 101): Measured()}
    store = store_with({}, tips)
    (line,) = lines(store, "tea")
    assert line == store.whole.line(tips[Cell(b"tea", 0, 0)], as_measured(tips[Cell(b"tea", 0, 0)]))
    assert (line.count, line.tracked_count, line.since) == pytest.approx((200, 80, 400))
    low, high = line.interval
    assert (low < 81, high > 199) == (True, True)
    young = {Cell(b"tea", 0, 0): measured(0.2, 0.01, 10)}
    (line,) = lines(store_with({}, young), "tea")
    assert (line.count, line.may_be_noise) == (pytest.approx(8 * 2), True)


def test_reports_before_the_narrowest_measured_cell_may_have_been_anything() -> None:
    """`te…` was measured for 400 of 1,000 reports; `tea…` was cut just now, and `t…` holds only what `te…` does not."""
    tips = {
        Cell(b"t", 0, 255): measured(0.9, 0.01, 900),
        Cell(b"te", 97, 122): measured(0.1, 0.01, 400),
        Cell(b"tea", 1, 255): Measured(),
    }
    teak, ten, te, mate = lines(store_with({}, tips), "teak", "ten", "te", "mate")
    lately = 400 * (0.1 + Z95 * 0.01)
    assert replace(teak, item=1) == ten
    assert teak.bounds == pytest.approx((0.0, 600 + lately))
    assert teak.tracked_interval == pytest.approx((0.0, lately))
    assert (teak.count, teak.tracked_count, teak.since, teak.may_be_noise) == (0.0, 0.0, 400, True)
    assert te.bounds == pytest.approx((0.0, 100 + 900 * (0.9 + Z95 * 0.01)))
    assert (mate.bounds, mate.since) == ((0.0, 1_000.0), 0)


def test_a_share_below_zero_counts_like_none_and_one_above_all_like_all() -> None:
    tips = {Cell(b"a", 0, 255): measured(-0.5, 0.01, 1_000), Cell(b"b", 0, 255): measured(1.2, 0.5, 1_000)}
    low, high = lines(store_with({}, tips), "ab", "ba")
    assert (low.bounds, high.bounds) == (pytest.approx((0.0, 1_000 * Z95 * 0.01)), (0.0, 1_000.0))


def test_with_a_half_life_what_has_faded_does_not_widen_the_interval() -> None:
    """A cell that has been there for ten half-lives has measured nearly all that still counts."""
    whole = store_with({}, {Cell(b"t", 0, 255): measured(0.1, 0.0, 990, weight=144.0)}, half_life=100)
    young = store_with({}, {Cell(b"t", 0, 255): measured(0.1, 0.0, 72, weight=72.0)}, half_life=100)
    assert lines(whole, "tea")[0].bounds == pytest.approx((0.0, 101.0), abs=1.5)
    assert lines(young, "tea")[0].bounds == pytest.approx((0.0, 550.0), abs=2)


def test_of_two_cells_with_one_prefix_the_narrower_counts() -> None:
    tips = {Cell(b"te", 1, 255): measured(0.9, 0.0, 1_000), Cell(b"te", 97, 99): measured(0.2, 0.0, 1_000)}
    assert lines(store_with({}, tips), "tea")[0].bounds == pytest.approx((0.0, 200.0))
