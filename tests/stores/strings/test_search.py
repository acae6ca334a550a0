"""The search among strings: evidence is passed on, the heaviest is cut, the lightest gives way, the room is kept."""

from math import exp, log

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from hgldp.model.bulletins import ROOT, Cell
from hgldp.model.domain import StringDomain
from hgldp.stores.strings.measured import Measured
from hgldp.stores.strings.model import model_of
from hgldp.stores.strings.search import Balance, first_cells, promote, renew, score, sought
from hgldp.stores.strings.state import MOST_PRIOR

TEXT = model_of("text")


def seen(share: float, reports: int = 100_000, variance: float = 2.0, prior: float = -3.0) -> Measured:
    return Measured(reports * share, reports * variance, float(reports), reports, prior)


@given(st.text(max_size=6), st.integers(2, 60))
def test_the_first_cells_hold_every_string_at_most_once(text: str, room: int) -> None:
    code = StringDomain(60).code(text)
    if code is not None:
        cells = first_cells(4, room, TEXT, 60)
        assert len(cells) <= room
        assert sum(cell.holds(code) for cell in cells) <= 1


SURE_OF_ALL = st.one_of(st.just(50.0), st.just(-50.0), st.floats(-50, 50))


@settings(deadline=None, max_examples=60)
@example([50.0] * 20, 8)
@given(st.lists(SURE_OF_ALL, min_size=1, max_size=80), st.integers(8, 64))
def test_a_state_that_is_sure_of_everything_keeps_to_the_room_and_to_what_a_state_may_say(
    priors: list[float], room: int
) -> None:
    """A state that another program wrote may have such priors (`check_cells`)."""
    tips = dict(zip(first_cells(4, len(priors), TEXT, 20), map(prior_of, priors), strict=False))
    for _ in range(3):
        tips = renew({}, tips, 0.05, room, TEXT, 20)
        assert 0 < len(tips) <= room
        assert all(abs(found.prior) <= MOST_PRIOR for found in tips.values())


def test_very_many_cells_of_which_all_are_sure() -> None:
    tips = dict.fromkeys(first_cells(4, 3_000, TEXT, 20), prior_of(MOST_PRIOR))
    following = renew({}, tips, 0.05, 3_000, TEXT, 20)
    assert len(following) <= 3_000
    assert max(found.prior for found in following.values()) <= MOST_PRIOR


def prior_of(prior: float) -> Measured:
    return Measured(prior=prior)


@settings(deadline=None, max_examples=60)
@given(st.lists(st.floats(-0.02, 0.3), min_size=1, max_size=20), st.integers(8, 64))
def test_the_next_cells_fit_into_the_room(shares: list[float], room: int) -> None:
    cells = list(first_cells(4, min(len(shares), room), TEXT, 20))
    tips = {cell: seen(share) for cell, share in zip(cells, shares, strict=False)}
    following = renew({}, tips, 0.05, room, TEXT, 20)
    assert 0 < len(following) <= room
    assert all(len(cell.prefix) <= 20 for cell in following)


def test_a_cell_that_holds_what_is_sought_is_cut_and_its_parts_share_its_score() -> None:
    cell = Cell(b"t", 97, 122)
    tips = {cell: seen(0.3), **{Cell(b"x", byte, byte): seen(0.0) for byte in range(97, 122)}}
    following = renew({}, tips, 0.1, 40, TEXT, 20)
    born = [found for each, found in following.items() if each.prefix[:1] == b"t" and not found.since]
    assert cell not in following
    assert sum(exp(found.prior) for found in born) == pytest.approx(exp(score(cell, tips[cell], 0.1)), rel=0.01)


def test_more_evidence_for_a_string_makes_its_cell_heavier_and_more_against_it_lighter() -> None:
    for share, sign in ((0.1, 1), (0.0, -1)):
        few, many = (score(ROOT, seen(share, reports, prior=-4.0), 0.1) for reports in (2_000, 20_000))
        assert sign * (many - few) > 0


def test_nothing_is_sought_that_so_many_reports_cannot_show() -> None:
    assert sought({}, 4, 4.0, 10_000) == pytest.approx(0.12)
    known = {Cell(bytes([97 + each]), 0, 0): seen(0.3, 1_000_000) for each in range(4)}
    assert sought(known, 4, 4.0, 10**12) == pytest.approx(0.7 * 0.3, rel=0.05)


def test_a_stronger_string_takes_the_place_of_the_weakest_which_is_sought_again() -> None:
    weak, strong = Cell(b"weak", 0, 0), Cell(b"strong", 0, 0)
    hot, tips = {weak: seen(0.02)}, {strong: seen(0.2)}
    promote(hot, tips, most_hot=1, size=0.02)
    assert (list(hot), list(tips)) == ([strong], [weak])
    assert tips[weak].prior == pytest.approx(log(0.01))


def test_a_hot_string_that_nobody_sends_any_more_is_under_search_again() -> None:
    gone = Cell(b"gone", 0, 0)
    hot, tips = {gone: seen(-0.001)}, {}
    promote(hot, tips, most_hot=4, size=0.02)
    assert (hot, list(tips)) == ({}, [gone])


def test_the_lightest_give_way_first() -> None:
    scores = {Cell(b"", byte, byte): -float(byte) for byte in range(97, 107)}
    balance = Balance(scores, {}, TEXT, 20)
    balance.drop_down_to(4)
    assert [cell.low for cell in balance.scores] == [97, 98, 99, 100]
    assert balance.lightest == -100.0
