"""The benchmark of distributions: its streams, its rows, and whether it would notice a wrong answer."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from benchmarks.distribution import runs
from benchmarks.distribution.__main__ import PART
from benchmarks.distribution.picture import draw
from benchmarks.distribution.runs import Piece, Told, beside_truth, run_piece
from benchmarks.distribution.streams import CHANGING, FLAT_HEAD, HEADS, ZIPF, Population, populations
from benchmarks.distribution.tables import Row, as_markdown, gather, in_all
from hgldp.model.distribution import Decade, Distribution
from hgldp.stores.distribution import MeasuredShares

RUNS, FEWEST, N, EPSILON = 12, 3, 30_000, 6.0


def check(fewest: int = FEWEST) -> None:
    """In how many runs all intervals of items hold, and all of shares."""
    found = [run_piece(Piece(Population(FLAT_HEAD), EPSILON, N, seed)) for seed in range(RUNS)]
    assert {told.name for told in found[0]} >= {"1 % – 10 %", "0.1 % – 1 %"}
    assert sum(all(told.held for told in run) for run in found) >= fewest
    assert sum(all(told.share_held for told in run) for run in found) >= fewest


def test_the_intervals_of_real_runs_hold() -> None:
    """12 independent runs, each with four intervals of items and four of shares.

    If all four hold in 85 % of the runs, they do so in fewer than 3 of 12 with a chance of three in ten million.
    """
    check()


def _counted(measured: MeasuredShares, reports: int, size: int) -> Distribution:
    """The planted bug: items are counted as they were measured, with all the luck in them, and Poisson's interval."""
    decades = []
    for low in (0.1, 0.01, 0.001):
        there = (measured.shares >= low) & (measured.shares < 10 * low)
        number, share = int(there.sum()), float(measured.shares[there].sum())
        reach = round(2 * number**0.5)
        ends = max(0, number - reach), number + reach
        decades.append(Decade(low, float(number), ends, share, (share - 0.02, share + 0.02)))
    return Distribution(tuple(decades), reports, size, 0.4, (0.0, 1.0))


def test_a_count_of_estimates_would_be_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runs, "tell", _counted)
    with pytest.raises(AssertionError):
        check()


def test_made_streams_take_the_place_of_missing_files(tmp_path: Path) -> None:
    titles = [each.title for each in populations(tmp_path)]
    assert titles == [ZIPF, FLAT_HEAD, "Zipf 1.05", "Zipf 1", CHANGING]
    assert titles == [each.title for each in populations(None)]
    (tmp_path / "names-2023.csv.gz").write_text("name,births\nAda,7\nBo,3\n")
    names = populations(tmp_path)[2]
    items, size = names.stream(1_000, seed=1)
    assert (names.title, size, items.size) == ("first names", 2, 1_000)
    assert 600 < np.count_nonzero(items == 0) < 800


def test_streams_are_as_long_as_asked_and_another_seed_draws_another() -> None:
    for population in populations(None):
        one, size = population.stream(5_000, seed=1)
        other, _ = population.stream(5_000, seed=2)
        assert one.size == other.size == 5_000
        assert (one != other).any()
        assert one.max() < size
    heads = np.bincount(Population(FLAT_HEAD).stream(50_000, 1)[0])[:HEADS] / 50_000
    assert heads.sum() == pytest.approx(0.6, abs=0.02)


def test_the_truth_stands_beside_each_decade() -> None:
    told = Decade(0.1, 2.0, (1, 2), 0.5, (0.45, 0.55)), Decade(0.01, 3.0, (3, 3), 0.3, (0.1, 0.2))
    found = beside_truth(
        Distribution(told, 100, 50, 0.2, (0.1, 0.3)), np.array([0.4, 0.1, 0.05, 0.05, 0.01, *[0.39 / 45] * 45])
    )
    assert [(each.true_items, each.held, each.share_held) for each in found] == [
        (2, True, True),
        (3, True, True),
        (45, True, False),
    ]


def test_rows_the_page_and_the_picture(tmp_path: Path) -> None:
    told = Told("10 % and more", 2.0, (1, 2), 0.5, (0.4, 0.6), 2, 0.5)
    rows: dict[tuple[str, float, str], Row] = {}
    for seed, each in enumerate((told, replace(told, true_items=3, true_share=0.7))):
        gather(Piece(Population(ZIPF), 2.0, 10, seed), [each], rows)
    found = list(rows.values())
    assert found[0].cells[3:7] == ("2.5", "2.0", "1.0 … 2.0", "50 %")
    assert in_all(found) == (0.5, 0.5, 2)
    page = tmp_path / "page.md"
    page.write_text(f"before\n{PART.begin}\nbygone\n{PART.end}\nafter\n")
    PART.paste(page, as_markdown(found))
    text = page.read_text("utf-8")
    assert text.startswith("before\n")
    assert text.endswith("\nafter\n")
    assert "bygone" not in text
    assert "| Zipf 1.1 | 2 | 10 % and more |" in text
    assert len(draw({"one": [told], "two": [told, told]}, 2.0, 100).axes) == 2
