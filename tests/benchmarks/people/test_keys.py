"""What it costs when keys stay: the loop seals as a collector would, and the page has what it printed."""

import pytest

from benchmarks.people import keys
from hgldp import Task, Tracker
from hgldp.simulation.people.year import CROWD, ITEMS
from hgldp.stores.frontier import Frontier
from tests.documents import prose


def test_an_epoch_must_be_as_full_as_in_a_collector() -> None:
    task = Task("pfr", epsilon=2.0, domain=range(ITEMS), k=20, keys="week")
    assert Tracker(task, seed=1).family.least_share == keys.LEAST_SHARE


@pytest.mark.parametrize(("life", "days"), [("day", 1), ("week", 7), ("month", 30)])
def test_keys_stay_for_their_time_and_then_change(life: str, days: int, monkeypatch: pytest.MonkeyPatch) -> None:
    sizes, seal = [], Frontier.seal

    def counted(store: Frontier) -> None:
        sizes.append(store.in_epoch)
        seal(store)

    monkeypatch.setattr(keys, "LOOKS", (60,))
    monkeypatch.setattr(Frontier, "seal", counted)
    (right,) = keys.found_by(keys.Piece(life, seed=3))
    assert 0.3 <= right <= 1
    assert min(sizes) == CROWD * days
    assert len(sizes) > 1


def test_the_page_has_the_table_for_each_life_and_look() -> None:
    page = prose("docs/people.md")
    assert all(f"| {life} |" in page for life in keys.STAYS)
    assert " | ".join(["| keys", *(f"day {day}" for day in keys.LOOKS)]) in page
