"""The search of the domain misses nobody, one crowded cell makes no candidate, and the crowd is everybody else."""

import numpy as np
import pytest

from hgldp.model.bulletins import FrontierBulletin, search_cell
from hgldp.schemes.pfr import PFR
from hgldp.stores.frontier import Frontier
from hgldp.stores.frontier import epoch as epochs
from hgldp.stores.frontier.epoch import SealedEpoch
from hgldp.stores.frontier.reading import candidates
from hgldp.stores.frontier.reading.candidates import DomainSearch
from hgldp.stores.noise import reading_over
from tests.stores.frontier.made import followed, zipf

SCHEME, SIZE = PFR(300, 64, 2.0), 300


def searched(seed: int) -> Frontier:
    return followed(SCHEME, zipf(6_000, SIZE, 1.0, seed), seed, memory=4_096)


def sums(store: Frontier, reach: int) -> np.ndarray:
    """Each item's evidence in the newest epochs, added up by hand."""
    found = np.zeros(SIZE)
    for epoch in store.epochs[-reach:]:
        for item in range(SIZE):
            held = epoch.cell_shares[search_cell(epoch.key, item, epoch.cells.steps.size)]
            found[item] += min(held, 4 * epoch.spread**0.5) / epoch.spread
    return found


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("block", [1 << 16, 37])
def test_it_names_the_best_of_every_age_whichever_block_they_are_in(
    seed: int, block: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(candidates, "BLOCK", block)
    store = searched(seed)
    everything, wanted = len(store.epochs), 10
    found, looks = DomainSearch(store.epochs, SIZE).best([1, 4, everything], wanted)
    for reach, most in ((1, wanted), (4, wanted), (everything, 2 * wanted)):
        evidence = sums(store, reach)
        best = np.sort(evidence)[-most]
        assert set(np.flatnonzero(evidence > best + 1e-9)) <= set(found.tolist())
    assert found.size <= 4 * wanted
    assert looks.sum() == SIZE


def in_blocks(store: Frontier, block: int, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    monkeypatch.setattr(candidates, "BLOCK", block)
    found: list[int] = DomainSearch(store.epochs, SIZE).best([1, 4, len(store.epochs)], 10)[0].tolist()
    return found


def test_of_equal_items_the_first_are_candidates(monkeypatch: pytest.MonkeyPatch) -> None:
    """So the same ones on every processor, and whatever a block is. Planted: the last ones."""
    stores = [searched(seed) for seed in range(4)]
    assert candidates._highest(np.array([1.0, 2.0, 1.0, 3.0, 1.0, 1.0]), 4).tolist() == [1, 3, 0, 2]
    assert all(in_blocks(store, 37, monkeypatch) == in_blocks(store, SIZE, monkeypatch) for store in stores)
    monkeypatch.setattr(candidates, "_highest", lambda total, most: np.argsort(total, kind="stable")[-most:])
    assert not all(in_blocks(store, 37, monkeypatch) == in_blocks(store, SIZE, monkeypatch) for store in stores)


def test_the_crowd_is_everybody_who_is_no_candidate() -> None:
    store = searched(1)
    search, reach = DomainSearch(store.epochs, SIZE), len(store.epochs)
    found, looks = search.best([reach], 10)
    crowd = search.crowd(looks, found)
    assert crowd.items.sum() == SIZE - found.size
    precision = sum(1 / epoch.spread for epoch in store.epochs)
    others = np.delete(sums(store, reach), found) / precision
    assert crowd.deviation == pytest.approx(precision**-0.5)
    assert crowd.items @ crowd.shares / crowd.items.sum() == pytest.approx(others.mean(), abs=0.05 * crowd.deviation)


def heavy_once() -> list[SealedEpoch]:
    """Item 100 is 2.5 standard deviations high in six epochs; in one of them, another cell is 60 high."""
    draw, noise = np.random.default_rng(3), reading_over(SCHEME, 64).noise
    found = []
    for key in range(6):
        held = draw.normal(size=64)
        held[search_cell(key, 100, 64)] += 2.5
        if key == 2:
            held[(search_cell(key, 100, 64) + 1) % 64] += 60
        bulletin = FrontierBulletin(bytes(32), key, SIZE, 64, key, ())
        found.append(SealedEpoch.of(bulletin, 1_000, 1_000 * (key + 1), held * noise.deviation(1_000), noise))
    return found


def test_one_crowded_cell_makes_no_candidate(monkeypatch: pytest.MonkeyPatch) -> None:
    """Planted: a cell counts as much as it holds."""
    assert 100 in DomainSearch(heavy_once(), SIZE).best([6], 1)[0]
    monkeypatch.setattr(epochs, "MOST_SPREADS", 1e9)
    assert 100 not in DomainSearch(heavy_once(), SIZE).best([6], 1)[0]
