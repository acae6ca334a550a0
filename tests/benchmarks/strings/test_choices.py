"""Ours is the store itself, and each other choice begins a child with what it says."""

import numpy as np
import pytest
from benchmarks.strings.births import all_or_none, capped, family, model_part
from benchmarks.strings.choices import CHOICES, Choice, found, lies_in, part_of
from benchmarks.strings.made_up import recall, words

from hgldp.model.bulletins import Cell
from hgldp.stores.strings import store as open_frontier
from hgldp.stores.strings.model import halves
from hgldp.stores.strings.search import Measured


@pytest.fixture
def parent() -> Measured:
    measured = Measured()
    measured.add(0.1, 4.0, 10_000)
    return measured


def test_the_model_s_part_is_an_observation_of_the_stated_variance(parent: Measured) -> None:
    (child,) = model_part(parent, [0.25], doubt=9.0)
    assert child.share == pytest.approx(0.025)
    assert child.deviation**2 == pytest.approx(4e-4 + 9 * 0.025**2)
    (child,) = all_or_none(parent, [0.25])
    assert child.share == pytest.approx(0.025)
    assert child.deviation**2 == pytest.approx(4e-4 + 0.25 * 0.75 * 0.01)


def test_a_capped_child_has_no_more_than_its_parent_can_have(parent: Measured) -> None:
    lucky, usual = capped(parent, [0.5, 0.5], deviations=2.0)
    lucky.add(0.3, 4.0, 10_000)
    usual.add(0.12, 4.0, 10_000)
    assert (lucky.share, usual.share) == pytest.approx((0.14, 0.12))


def test_a_family_is_the_least_squares_answer(parent: Measured) -> None:
    children, shares, reports = family(parent, [0.5, 0.3, 0.2]), np.array([0.05, 0.02, 0.01]), (10_000, 20_000, 40_000)
    for child, share, n in zip(children, shares.tolist(), reports, strict=True):
        child.add(share, 4.0, n)
    precision = np.diag(np.array(reports) / 4.0) + np.full((3, 3), 1 / 4e-4)
    best = np.linalg.solve(precision, shares * np.array(reports) / 4.0 + 0.1 / 4e-4)
    assert [child.share for child in children] == pytest.approx(best)
    assert [child.deviation**2 for child in children] == pytest.approx(np.diag(np.linalg.inv(precision)))


def test_the_parts_of_a_parent_are_those_it_is_cut_into() -> None:
    parent = Cell(b"te", 97, 97)
    for child, part in halves(parent) or ():
        assert lies_in(child, parent)
        assert part_of(child, parent) == pytest.approx(part)
        assert not lies_in(parent, child)
    assert not lies_in(Cell(b"tb", 0, 255), parent)


def test_the_children_of_a_cut_cell_are_born_of_it_and_no_others(parent: Measured) -> None:
    seen: list[float] = []

    def birth(known: Measured, parts: list[float]) -> list[Measured]:
        assert known is parent
        seen.extend(parts)
        return all_or_none(known, parts)

    cut = Cell(b"", 97, 122)
    held = {cell: Measured(100.0, 40_000.0, 10_000.0, 10_000) for cell in (Cell(b"", 48, 57), Cell(b"tea", 0, 0))}
    following = Choice("", birth).renew({}, {cut: parent, **held}, 2, 60, 20)
    assert all(following.pop(cell) is found for cell, found in held.items())
    assert sum(seen) == pytest.approx(1.0)
    assert all((found.since > 0) == lies_in(cell, cut) for cell, found in following.items())


def test_ours_is_the_store_itself_and_a_choice_leaves_no_trace() -> None:
    strings, shares, before = words(500, np.random.default_rng(1)), 1.0 / np.arange(1, 501), open_frontier.renew
    ours = recall(strings, shares, 20_000, 4.0, 1)
    for choice in CHOICES[1:]:
        assert 0 <= found(choice, strings, shares, 5_000, 4.0, 1) <= 20
    assert open_frontier.renew is before
    assert CHOICES[0] == Choice("nothing")
    assert found(CHOICES[0], strings, shares, 20_000, 4.0, 1) == ours > 0
