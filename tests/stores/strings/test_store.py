"""The open frontier: bounded, without coins, and its cuts lose nobody."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hgldp.errors import InvalidField
from hgldp.model.bulletins import Cell, OpenBulletin
from hgldp.model.domain import StringDomain
from hgldp.schemes.open_pfr import OpenPFR
from hgldp.stores.strings import OpenFrontier
from hgldp.stores.strings.measured import Measured
from hgldp.stores.strings.search import promote

SCHEME = OpenPFR(64, 4.0)


def fresh() -> OpenFrontier:
    return OpenFrontier(SCHEME.mechanism, symbols=64, k=4, domain=StringDomain(20), epoch=500)


@settings(deadline=None, max_examples=40)
@given(st.lists(st.lists(st.integers(0, SCHEME.mechanism.modulus - 1), min_size=1, max_size=300), max_size=12))
def test_it_stays_within_its_symbols_whatever_arrives(epochs: list[list[int]]) -> None:
    store = fresh()
    for reports in epochs:
        store.insert(reports)
        store.seal()
        assert len(store.bulletin.cells) <= 63
        assert len(store.hot) <= store.most_hot
        assert not set(store.hot) & set(store.tips)
        assert all(len(cell.prefix) <= 20 for cell in store.bulletin.cells)


def test_order_and_batching_do_not_matter() -> None:
    reports = np.random.default_rng(1).integers(SCHEME.mechanism.modulus, size=2_000)
    whole, pieces = fresh(), fresh()
    whole.insert(reports)
    for piece in np.array_split(reports[::-1], 7):
        pieces.insert(piece)
    for store in (whole, pieces):
        store.seal()
    assert whole.bulletin.version == pieces.bulletin.version


def test_an_illegal_report_changes_nothing() -> None:
    store = fresh()
    with pytest.raises(InvalidField, match="must lie in"):
        store.insert([0, SCHEME.mechanism.modulus])
    assert store.in_epoch == 0


def test_a_histogram_of_another_shape_or_below_zero_is_not_merged() -> None:
    store, modulus = fresh(), SCHEME.mechanism.modulus
    for wrong in (np.ones(modulus + 1, np.int64), np.full(modulus, -1)):
        with pytest.raises(InvalidField, match="histogram must be"):
            store.merge(wrong)
    assert store.in_epoch == 0


def test_bytes_that_are_no_text_never_become_hot() -> None:
    """Nobody has such a string, however much its cell seems to hold."""
    sure = Measured(90.0, 100.0, 100.0, 100)
    hot: dict[Cell, Measured] = {}
    promote(
        hot, {Cell(b"te\xc3", 0, 0): sure, Cell(b"tea", 0, 0): sure, Cell(b"te", 0, 97): sure}, most_hot=8, size=0.1
    )
    assert list(hot) == [Cell(b"tea", 0, 0)]


@given(st.lists(st.tuples(st.floats(0, 1), st.floats(0.1, 9), st.integers(1, 10**6)), min_size=1), st.floats(0.1, 1))
def test_a_faded_mean_is_the_weighted_mean_and_has_its_variance(
    epochs: list[tuple[float, float, int]], faded: float
) -> None:
    found = Measured()
    for share, variance, reports in epochs:
        found.fade(faded)
        found.add(share, variance, reports)
    weights = [faded**age * reports for age, (_, _, reports) in enumerate(reversed(epochs))][::-1]
    shares, variances, sizes = (np.array(column) for column in zip(*epochs, strict=True))
    assert found.share == pytest.approx(np.average(shares, weights=weights))
    assert found.deviation == pytest.approx((np.square(weights) @ (variances / sizes)) ** 0.5 / sum(weights))
    assert found.since == sizes.sum()


def test_a_half_life_bounds_the_epochs_and_no_half_life_does_not() -> None:
    steady, fading = (
        OpenFrontier(SCHEME.mechanism, symbols=64, k=4, domain=StringDomain(20), epoch=500, half_life=half_life)
        for half_life in (None, 8_000)
    )
    for store in (steady, fading):
        store.reports = 1_000_000
    assert (steady.epoch_length, fading.epoch_length) == (50_000, 1_000)


def test_the_past_fades_by_late_reports_too() -> None:
    """A measurement from a half-life ago counts half, whichever bulletin the reports since then answer."""
    terms = {"symbols": 64, "k": 4, "domain": StringDomain(20), "epoch": 500}
    store = OpenFrontier(SCHEME.mechanism, half_life=1_000, **terms)  # type: ignore[arg-type]
    earlier, cell = store.bulletin, Cell(b"tea", 0, 0)
    store.insert([0] * 500)
    store.seal()
    store.hot[cell] = Measured(10.0, 4.0, 100.0, 100)
    store.insert([0])
    store.insert_late(earlier, [0] * 999)
    assert store.absorbed().hot[cell].weight == pytest.approx(50.0)


def test_a_copy_as_if_sealed_is_what_a_seal_makes_and_leaves_the_store_as_it_was() -> None:
    store = fresh()
    draws = np.random.default_rng(2).integers(SCHEME.mechanism.modulus, size=(2, 2_000))
    store.insert(draws[0])
    store.seal()
    sealed, cells = store.serialize(), store.bulletin
    store.insert(draws[1])
    now = store.as_if_sealed()
    assert (store.in_epoch, store.bulletin) == (2_000, cells)
    store.histogram[:] = 0
    assert store.serialize() == sealed
    store.insert(draws[1])
    store.seal()
    assert now.serialize() == store.serialize()
    assert now.bulletin == store.bulletin


def test_a_store_goes_on_from_the_cells_that_an_earlier_version_published() -> None:
    store = fresh()
    store.insert(np.random.default_rng(2).integers(SCHEME.mechanism.modulus, size=2_000))
    store.seal()
    kept = [cell for cell in store.tips if not cell.is_leaf][:3]
    before = {cell: store.tips[cell] for cell in kept}
    published = OpenBulletin(bytes(32), store.sealed, 64, (Cell(b"q", 0, 255), *kept, Cell(b"z", 97, 110)))
    store.adopt(published)
    assert store.bulletin == published
    assert {cell: store.tips[cell] for cell in kept} == before
    assert OpenFrontier.deserialize(store.serialize(), SCHEME.mechanism).bulletin == published
    store.insert([1, 2, 3])
    store.seal()
    assert store.sealed == published.epoch + 1


def test_a_bulletin_of_another_epoch_or_domain_is_not_adopted() -> None:
    store = fresh()
    for wrong in (
        OpenBulletin(bytes(32), 1, 64, (Cell(b"q", 0, 255),)),
        OpenBulletin(bytes(32), 0, 64, (Cell(b"q" * 21, 0, 255),)),
    ):
        with pytest.raises(InvalidField, match="bulletin must"):
            store.adopt(wrong)
