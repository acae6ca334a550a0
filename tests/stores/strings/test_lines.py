"""Published lines of strings, by hand: what was measured counts, what was not is bounded, bursts do not stand out."""

from collections.abc import Iterator
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hgldp.model.bulletins import Cell
from hgldp.model.domain import StringDomain
from hgldp.model.estimate import Z95, Estimate
from hgldp.model.forgery import STRING_REACH
from hgldp.schemes.open_pfr import OpenPFR
from hgldp.stores.noise import Noise
from hgldp.stores.strings import OpenFrontier
from hgldp.stores.strings import lines as published
from hgldp.stores.strings.lines import Whole, best_lines
from hgldp.stores.strings.luck import as_measured
from hgldp.stores.strings.measured import Measured

NOISE, N = Noise(0.6, 0.1, 0.36), 1_000_000
PARTS = st.floats(0.001, 1.0)


def whole(half_life: int = 0, unfound: float = 0.0) -> Whole:
    return Whole(N, half_life, NOISE, looked_at=600, unfound=unfound)


def measured(share: float, since: int, weight: float | None = None) -> Measured:
    weight = float(since) if weight is None else weight
    return Measured(share * weight, weight * NOISE.at(share), weight, since)


def plain(found: Measured, half_life: int = 0) -> Estimate:
    return whole(half_life).line(found, as_measured(found))


def too_much(line: Estimate) -> bool:
    """Whether a count says more than was measured can bear."""
    return line.count > STRING_REACH * line.tracked_count * (1 + 1e-9)


def test_a_count_is_at_most_eight_times_what_was_measured() -> None:
    young, older = plain(measured(0.05, 1_000)), plain(measured(0.05, N // 4))
    assert (young.count, older.count) == pytest.approx((8 * 50, 0.05 * N))
    assert not too_much(young)


def test_a_rate_times_all_reports_would_be_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The planted bug is how it was: 50 in the last thousand reports made 50,000 of a million."""
    monkeypatch.setattr(published, "STRING_REACH", 1e9)
    line = plain(measured(0.05, 1_000))
    assert line.count == pytest.approx(50_000)
    assert too_much(line)


@given(PARTS, st.floats(-0.1, 1.0))
def test_the_interval_admits_that_it_was_always_so_and_that_it_was_not_there(part: float, share: float) -> None:
    found = measured(share, max(1, int(part * N)))
    line = plain(found)
    low, high = line.interval
    assert low <= line.count <= high
    if share > 0:
        assert low <= found.since * share <= N * share <= high


@given(PARTS, st.floats(-0.5, 1.5), st.sampled_from([0, 100_000]))
def test_no_count_and_no_end_of_an_interval_is_below_none_or_above_all(
    part: float, share: float, half_life: int
) -> None:
    line = plain(measured(share, max(1, int(part * N))), half_life)
    assert 0 <= line.interval[0] <= line.count <= line.interval[1] <= N
    assert 0 <= line.tracked_interval[0] <= line.tracked_count <= line.tracked_interval[1] <= line.since


@pytest.mark.parametrize("weak", [0.0005, 0.001, 0.0015, 0.002, 0.0025, 0.003, 0.006])
def test_the_two_intervals_of_a_line_do_not_contradict_each_other(weak: float) -> None:
    """These were tracked from the first report on, so both intervals are about the same number."""
    few = dict(zip(cells(), [*(measured(share, N) for share in (0.3, 0.2, 0.1)), measured(weak, N)], strict=False))
    for _, line in frontier(few).estimates(4):
        (low, high), (since_low, since_high) = line.interval, line.tracked_interval
        assert since_low - 1e-6 <= low <= high <= since_high + 1e-6
        assert line.count == pytest.approx(line.tracked_count)


def test_what_noise_puts_below_zero_may_have_come_all_the_same() -> None:
    """An interval from 0 to 0 would be sure of something that nobody knows."""
    line = plain(measured(-0.01, N))
    assert line.interval == pytest.approx((0, Z95 * N * measured(-0.01, N).deviation))


@given(st.floats(0.01, 0.99))
def test_what_was_measured_all_along_has_the_interval_of_its_noise(share: float) -> None:
    found = measured(share, N)
    line = plain(found)
    assert line.interval == pytest.approx((N * as_measured(found).low, N * as_measured(found).high))
    assert (line.count, line.standard_error) == pytest.approx((N * share, N * found.deviation))


def test_with_a_half_life_a_count_is_as_if_it_had_always_been_so() -> None:
    """The weight of all reports is half_life / ln 2 here; an eighth of it measures enough for a whole count."""
    always, young = measured(0.05, N, weight=144_269.5), measured(0.05, 2_000, weight=2_000.0)
    assert plain(always, 100_000).count == pytest.approx(0.05 * N, rel=1e-3)
    assert plain(young, 100_000).count == pytest.approx(0.05 * N * 8 * 2_000 / 144_269.5, rel=1e-2)


def test_a_burst_does_not_stand_out_and_the_same_rate_all_along_does() -> None:
    burst, lasting = measured(0.1, 10_000), measured(0.005, 900_000)
    assert burst.share > 15 * burst.deviation
    assert [whole().stands_out(each) for each in (burst, lasting)] == [False, True]
    assert not whole(unfound=0.0048).stands_out(lasting)


def frontier(hot: dict[Cell, Measured], tips: int = 20) -> OpenFrontier:
    store = OpenFrontier(OpenPFR(64, 4.0).mechanism, symbols=64, k=4, domain=StringDomain(8), epoch=500)
    store.hot, store.reports, store.sealed = hot, N, 10
    store.tips = {Cell(b"", byte, byte): Measured() for byte in range(97, 97 + tips)}
    return store


def cells() -> Iterator[Cell]:
    yield from (Cell(bytes([97 + number]), 0, 0) for number in range(8))


def test_an_unfound_string_can_have_what_a_cell_holds_or_the_weakest_of_a_full_list() -> None:
    few = dict(zip(cells(), [measured(0.1, N)] * 3, strict=False))
    assert frontier(few).whole.unfound == pytest.approx(0.7 / 21)
    full = dict(zip(cells(), [*[measured(0.1, N)] * 7, measured(0.04, N)], strict=True))
    assert frontier(full).whole.unfound == pytest.approx(0.04)
    noisy = dict(zip(cells(), [*[measured(0.1, N)] * 7, measured(0.0001, N)], strict=True))
    assert frontier(noisy).whole.unfound == pytest.approx(0.2999 / 21)


def test_equally_frequent_strings_are_no_top_however_precisely_they_are_known() -> None:
    level = dict(zip(cells(), [measured(0.01 + 1e-5 * number, N) for number in range(8)], strict=True))
    assert all(line.may_be_noise and line.ranks is None for _, line in frontier(level).estimates(8))


def test_numbers_fall_and_every_rank_lies_in_its_range() -> None:
    """A young string has a larger share than others and a smaller count: the count decides."""
    found = [measured(0.2, N), measured(0.1, N // 2), measured(0.3, N // 100), measured(0.099, N), measured(0.0, N)]
    answer = frontier(dict(zip(cells(), found, strict=False))).estimates(5)
    assert [text for text, _ in answer] == ["a", "b", "d", "c", "e"]
    counts = [line.count for _, line in answer]
    assert counts == sorted(counts, reverse=True)
    assert [line.ranks for _, line in answer[:1]] == [(1, 2)]
    for rank, (_, line) in enumerate(answer, start=1):
        assert line.item == rank - 1
        assert line.ranks is None or line.ranks[0] <= rank <= line.ranks[1]
    assert answer[-1][1].may_be_noise


@pytest.mark.parametrize("shares", [(0.15, 0.125, 0.1, 0.075, 0.05), (0.3, 0.2, 0.1, 0.06), (0.1, 0.09, 0.08)])
def test_ranks_agree_with_each_other_and_with_the_intervals(shares: tuple[float, ...]) -> None:
    """A string that was not found may be above the first: then the second may be the third, too."""
    hot = dict(zip(cells(), [measured(share, N) for share in shares], strict=False))
    told = [(*line.ranks, *line.interval) for _, line in frontier(hot).estimates(5) if line.ranks]
    assert len(told) == len(shares)
    for (best, worst, low, _), (other_best, other_worst, _, other_high) in product(told, repeat=2):
        assert low <= other_high or (best < other_best and worst < other_worst)


def test_no_string_no_line() -> None:
    assert best_lines({}, whole(), sealed=3, k=4) == []
