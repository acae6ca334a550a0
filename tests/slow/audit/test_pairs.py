"""The pairs are of the kinds that they say, for every kind of bulletin."""

import pytest

from hgldp.audit import made_bulletins, pairs_of
from hgldp.errors import OutsideDomain
from hgldp.model.bulletins import Bulletin, Cell, FrontierBulletin, OpenBulletin
from hgldp.model.domain import Vocabulary
from hgldp.model.task import Task
from hgldp.schemes.registry import scheme_of


def kinds(task: Task, bulletin: object, **options: bool) -> dict[str, tuple[tuple[object, ...], tuple[object, ...]]]:
    return {pair.kind: (pair.one, pair.other) for pair in pairs_of(task, bulletin, **options)}


def test_a_hot_list_has_hot_and_cold_items() -> None:
    task = Task("dsr", epsilon=1.0, domain=range(10, 20), k=1, cells=3)
    found = kinds(task, Bulletin(task.id, 0, 10, (4, 1, 7)), several=True)
    assert found == {
        "hot/hot": ((14,), (17,)),
        "hot/cold": ((14,), (10,)),
        "cold/cold": ((10,), (12,)),
        "inside/outside": ((14,), (20,)),
        "inside/over-long": ((14,), ("x" * 1_000,)),
        "repeated": ((14, 14), (14, 17)),
        "order": ((14, 17), (17, 14)),
    }


def test_a_frontier_has_leaves_and_items_of_two_search_cells() -> None:
    task = Task("pfr", epsilon=1.0, domain=range(1000), k=2)
    bulletin = FrontierBulletin(task.id, 0, 1000, 64, 9, (5, 900))
    found = kinds(task, bulletin, outside=False)
    assert list(found) == ["leaf/leaf", "leaf/search", "search/search"]
    assert found["leaf/leaf"] == ((5,), (900,))
    (one,), (other,) = found["search/search"]
    assert bulletin.symbol(one) != bulletin.symbol(other)
    assert {one, other}.isdisjoint(bulletin.leaves)


def test_strings_are_made_from_the_bulletin() -> None:
    task = Task("pfr", epsilon=1.0, domain=16, k=5)
    cells = (Cell(b"", 97, 109), Cell(b"", 110, 122), Cell(b"mate", 0, 0), Cell(b"tea", 0, 0))
    bulletin = OpenBulletin(task.id, 0, scheme_of(task).symbols, cells)
    found = kinds(task, bulletin)
    assert found["leaf/leaf"] == (("mate",), ("tea",))
    symbols = [bulletin.symbol(task.domain.encode(text)) for (text,) in found["search/search"]]
    assert symbols[0] != symbols[1]
    assert [len(other[0]) for kind, (_, other) in found.items() if kind == "inside/over-long"] == [17]


def test_an_outsider_is_outside_even_of_a_vocabulary_that_holds_our_first_guess() -> None:
    task = Task("bgr", epsilon=1.0, domain=["not listed 0", "tea", "mate"], k=1, cells=2)
    ((_, (word,)),) = (
        value for kind, value in kinds(task, made_bulletins(task)[0]).items() if kind == "inside/outside"
    )
    assert word == "not listed 1"
    with pytest.raises(OutsideDomain):
        Vocabulary(("not listed 0", "tea", "mate")).index(word)


@pytest.mark.parametrize("scheme", ["bgr", "dsr", "bdr", "cnr", "pfr"])
@pytest.mark.parametrize("domain", [range(40), ["a", "b", "c", "d", "e"], 32])
def test_every_task_gets_bulletins_that_its_scheme_answers(scheme: str, domain: object) -> None:
    if domain == 32 and scheme != "pfr":
        return
    task = Task(scheme, epsilon=1.0, domain=domain, k=2)
    for bulletin in made_bulletins(task):
        scheme_of(task).check_bulletin(bulletin)
        assert len(pairs_of(task, bulletin)) >= 4


@pytest.mark.parametrize(("scheme", "moods"), [("bgr", [True]), ("cnr", [True]), ("dsr", [False, True])])
def test_both_moods_of_a_hot_list_are_audited_if_there_are_two(scheme: str, moods: list[bool]) -> None:
    task = Task(scheme, epsilon=1.0, domain=range(40), k=2)
    assert [each.nominating for each in made_bulletins(task)] == moods
