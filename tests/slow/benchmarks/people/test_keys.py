"""What it costs when keys stay: the loop seals as a collector would, and the page has what it printed."""

from itertools import product
from math import isnan, nan
from statistics import mean

import numpy as np
import pytest

from benchmarks.people import keys
from benchmarks.people.keys import Look, Piece
from benchmarks.people.streams import Setting, drifting
from hgldp import Task, Tracker
from hgldp.model.estimate import Estimate
from hgldp.simulation.people.year import CROWD, ITEMS
from hgldp.stores.frontier import Frontier
from tests.documents import prose


def test_an_epoch_must_be_as_full_as_in_a_collector() -> None:
    task = Task("pfr", epsilon=2.0, domain=range(ITEMS), k=20, keys="week")
    assert Tracker(task, seed=1).family.least_reports(1_000, looks=3) == keys.LEAST_SHARE * 1_000


@pytest.mark.parametrize(("life", "days"), [("day", 1), ("week", 7), ("month", 30)])
def test_keys_stay_for_their_time_and_then_change(life: str, days: int, monkeypatch: pytest.MonkeyPatch) -> None:
    sizes, seal = [], Frontier.seal

    def counted(store: Frontier) -> None:
        sizes.append(store.in_epoch)
        seal(store)

    monkeypatch.setattr(keys, "LOOKS", (60,))
    monkeypatch.setattr(Frontier, "seal", counted)
    (look,) = keys.looks_at(Piece("steady", life, seed=3))
    assert 0.3 <= look.precision <= 1
    assert look.held >= 0.7
    assert min(sizes) == CROWD * days
    assert len(sizes) > 1


def test_the_order_of_the_items_turns_evenly_into_the_next() -> None:
    """The seed, and with it the orders, are fixed. A share of 100,000 events has a standard error of .0011 at most.

    What is compared has one of .0016, and may be off by seven of them: bad luck in less than one case of a million.
    """
    stream = drifting(Setting(crowd=50_000, turnover=20), days=40, rng=np.random.default_rng(5))
    counts = [np.bincount(part, minlength=ITEMS) / part.size for part in np.split(stream, 20)]
    first, second, third = (int(np.argmax(counts[at])) for at in (0, 10, 19))
    assert len({first, second, third}) == 3
    top = counts[0][first] / 0.95
    through = (np.arange(10) + 0.5) / 10
    for old, new, turn in ((first, second, counts[:10]), (second, third, counts[10:])):
        assert [part[old] for part in turn] == pytest.approx(top * (1 - through), abs=0.012)
        assert [part[new] for part in turn] == pytest.approx(top * through, abs=0.012)


def test_intervals_are_too_narrow_where_ranks_change_within_a_key(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ten fixed seeds: 95 and 71 % hold, with a standard error of 4 for the difference.

    So a difference below 5 would be bad luck in less than one case of a million.
    """
    monkeypatch.setattr(keys, "LOOKS", (60,))
    setting = Setting(epsilon=4.0)
    week, month = (
        mean(keys.looks_at(Piece("drifting", life, seed, setting))[0].held for seed in range(1, keys.SEEDS + 1))
        for life in ("week", "month")
    )
    assert week - month >= 0.05


def line(item: int, count: float, error: float, *, maybe: bool = False) -> Estimate:
    return Estimate(item=item, count=count, standard_error=error, may_be_noise=maybe)


def test_a_look_counts_the_intervals_that_hold_the_truth_of_all_reports() -> None:
    heard = np.repeat(np.array([0, 1, 2, 3], np.int32), [400, 300, 200, 100])
    top = (line(0, 410, 10), line(1, 340, 10), line(2, 200, 10), line(7, 50, 10, maybe=True))
    look = Look.at(top, heard, half_life=0)
    assert (look.precision, look.held, look.certain) == (0.75, 0.5, pytest.approx(2 / 3))
    assert isnan(Look.at(top[3:], heard, half_life=0).certain)


def test_with_a_half_life_the_truth_fades() -> None:
    heard = np.repeat(np.array([0, 1], np.int32), [500, 500])
    whole, faded = (line(1, 500, 5),), (line(1, 1000, 5),)
    assert [Look.at(top, heard, half_life=0).held for top in (whole, faded)] == [1, 0]
    assert [Look.at(top, heard, half_life=50).held for top in (whole, faded)] == [0, 1]


def test_a_table_has_the_mean_over_seeds_of_what_it_names() -> None:
    found = {
        Piece(stream, life, seed): [Look(0.1 * seed, 0.9 if life == "week" else 0.8, nan)] * len(keys.LOOKS)
        for stream, life, seed in product(keys.STREAMS, keys.STAYS, (1, 3))
    }
    (right, headings, precisions), (hold, _, held), (_, _, certain) = keys.tables(found)
    assert right.startswith("Precision of the top 20")
    assert hold.startswith("95 % intervals of the top 20 that hold")
    assert headings[:3] == ["stream", "keys", "day 30"]
    assert {cell for row in precisions for cell in row[2:]} == {"0.20 ± 0.10"}
    assert ["drifting", "week", *["0.90 ± 0.00"] * 4] in held
    assert ["steady", "month", *["0.80 ± 0.00"] * 4] in held
    assert {cell for row in certain for cell in row[2:]} == {"–"}


def test_the_page_has_two_tables_for_each_stream_life_and_look() -> None:
    page = prose("docs/people.md")
    assert all(page.count(f"| {stream} | {life} |") == 2 for stream in keys.STREAMS for life in keys.STAYS)
    assert page.count(" | ".join(["| keys", *(f"day {day}" for day in keys.LOOKS)])) == 2
