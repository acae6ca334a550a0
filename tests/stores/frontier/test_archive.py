"""What is kept of dropped epochs: weighted means and their errors, back from bytes, and nothing made up."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from hgldp.errors import MalformedState
from hgldp.schemes.pfr import PFR
from hgldp.simulation.frontier import follow
from hgldp.stores.frontier import Frontier
from hgldp.stores.frontier.archive import LEAF_BYTES, Archive
from hgldp.stores.frontier.reading.decoding import Decoded
from hgldp.stores.state_frame import StateBody
from tests.stores.frontier.made import followed, zipf

ITEMS = np.array([40, 7, 3])
parts = st.lists(st.floats(0.05, 0.95), min_size=1, max_size=6)
shares = arrays.arrays(np.float64, 3, elements=st.floats(-0.1, 1.0))


@given(st.lists(st.tuples(st.integers(1, 10_000), shares, st.floats(1e-8, 1e-2)), min_size=1, max_size=8))
def test_epochs_add_up_to_the_mean_over_their_reports(epochs: list[tuple[int, np.ndarray, float]]) -> None:
    archive, reports = Archive.nothing(ITEMS), 0
    for n, held, variance in epochs:
        reports += n
        archive = archive.with_epoch(n / reports, held, np.full(3, variance))
    mean = sum(n * held for n, held, _ in epochs) / reports
    error = sum(n**2 * variance for n, _, variance in epochs) / reports**2
    np.testing.assert_allclose(archive.shares, mean, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(archive.variances, error, rtol=1e-9)
    np.testing.assert_allclose(archive.known, 1.0)
    assert archive.seen(np.ones(3), np.ones(3))[0] == pytest.approx(archive.shares)


@given(parts, shares)
def test_what_was_measured_late_is_known_for_its_part_alone(sizes: list[float], held: np.ndarray) -> None:
    archive = Archive.nothing(ITEMS)
    for part in sizes:
        archive = archive.with_epoch(part, held, np.full(3, 1e-4))
    known = 1 - np.prod([1 - part for part in sizes])
    np.testing.assert_allclose(archive.known, known)
    np.testing.assert_allclose(archive.shares, held, atol=1e-12)
    since, always = np.full(3, 0.4), np.full(3, 0.1)
    share, variance = archive.seen(since, always)
    np.testing.assert_allclose(share, known * held + (1 - known) * 0.05, atol=1e-12)
    np.testing.assert_allclose(variance, known**2 * archive.variances + ((1 - known) * 0.2) ** 2)


@given(parts, shares)
def test_bytes_come_back_as_they_were_rounded(sizes: list[float], held: np.ndarray) -> None:
    archive = Archive.nothing(ITEMS)
    for part in sizes:
        archive = archive.with_epoch(part, held, np.full(3, 1e-4))
    data = archive.serialize()
    assert len(data) == LEAF_BYTES * ITEMS.size
    rounded = archive.rounded()
    assert rounded.serialize() == data
    np.testing.assert_allclose(rounded.shares, archive.shares, rtol=1e-4, atol=1e-12)
    np.testing.assert_allclose(rounded.known, archive.known, atol=1 / 255)


def test_other_items_are_unknown() -> None:
    archive = Archive.nothing(ITEMS).with_epoch(1.0, np.array([0.4, 0.2, 0.1]), np.full(3, 1e-4))
    found = archive.of(np.array([3, 5, 40]))
    assert (found.shares.tolist(), found.known.tolist()) == ([0.1, 0.0, 0.4], [1.0, 0.0, 1.0])


def test_shares_that_are_no_numbers_are_refused() -> None:
    data = Archive(ITEMS, np.array([np.nan, 0, 0]), np.zeros(3), np.ones(3)).serialize()
    with pytest.raises(MalformedState, match="finite"):
        Archive.read(StateBody("frontier", memoryview(data)), ITEMS)


def error_of_the_archive(half_life: int = 0, warm: int = 0) -> float:
    """The largest error of a share in the forgotten reports, in standard errors; their first items never come again."""
    stream = np.concatenate([zipf(1_500, 50, 1.2, 1), 99 - zipf(58_500, 50, 1.2, 2)])
    raw = (99 - zipf(warm, 50, 1.2, 3)).astype(np.int64)
    scheme = PFR(100, 256, 4.0)
    store = Frontier(scheme, memory=4_096, seed=1, half_life=half_life, warmup=raw)
    follow(scheme, store, stream, 1)
    forgotten = store.reports - sum(epoch.reports for epoch in store.epochs)
    weights = np.exp2(np.arange(-forgotten, 0) / half_life) if half_life else np.ones(forgotten)
    truth = np.bincount(stream[:forgotten], weights, minlength=100) / weights.sum()
    archive = store.archive
    known = archive.known > 0.99
    assert forgotten > 1_500
    assert known.any()
    return float((abs(archive.shares - truth[archive.items]) / np.sqrt(archive.variances))[known].max())


def test_the_archive_knows_what_the_forgotten_reports_were(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each share is within five errors: 3e-7 each. Planted: the archive takes the epoch after the dropped one."""
    assert error_of_the_archive() < 5
    assert error_of_the_archive(warm=600) < 5
    honest = Frontier._forget

    def one_too_late(store: Frontier, decoded: Decoded, leaves: np.ndarray) -> None:
        shifted = {name: np.roll(getattr(decoded.found, name), -1, axis=0) for name in ("value", "noise")}
        honest(store, replace(decoded, found=decoded.found._replace(**shifted)), leaves)

    monkeypatch.setattr(Frontier, "_forget", one_too_late)
    assert error_of_the_archive(warm=600) > 5


def test_older_reports_fade_in_the_archive_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """Within five errors, as above. Planted: every forgotten report counts the same."""
    assert error_of_the_archive(half_life=1_000) < 5
    monkeypatch.setattr(
        Frontier, "_forgotten", lambda store: float(store.reports - sum(e.reports for e in store.epochs))
    )
    assert error_of_the_archive(half_life=1_000) > 5


def test_a_half_life_without_end_fades_nothing() -> None:
    """Once, the weight of an old epoch vanished in rounding, and the seal that dropped it failed."""
    stream = zipf(30_000, 100, 1.1, 3)
    endless, plain = (followed(PFR(100, 256, 4.0), stream, 1, memory=4_096, half_life=life) for life in (2**63 - 1, 0))
    assert [line.item for line in endless.estimates(5)] == [line.item for line in plain.estimates(5)]
    np.testing.assert_allclose(endless.archive.shares, plain.archive.shares, rtol=1e-3)


def test_an_epoch_too_small_to_matter_tells_nothing() -> None:
    archive = Archive.nothing(ITEMS).with_epoch(0.0, np.ones(3), np.ones(3))
    assert (archive.shares.tolist(), archive.known.tolist()) == ([0.0] * 3, [0.0] * 3)


def test_a_store_goes_on_from_its_bytes_as_if_it_had_never_stopped() -> None:
    scheme, stream = PFR(100, 256, 4.0), zipf(30_000, 100, 1.1, 3)
    store = followed(scheme, stream, 1, memory=4_096)
    again = Frontier.deserialize(store.serialize(), scheme)
    for one in (store, again):
        one.insert(np.arange(200))
        one.seal()
    assert store.serialize() == again.serialize()
    assert store.archive.known.any()
