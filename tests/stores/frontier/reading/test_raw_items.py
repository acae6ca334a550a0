"""Where raw items of a warm-up are counted, order, ranks and noise are judged by the counts that are shown."""

import numpy as np
import pytest

from hgldp.model.estimate import Estimate
from hgldp.schemes.pfr import PFR
from hgldp.simulation.frontier import follow
from hgldp.stores.frontier import Frontier
from hgldp.stores.frontier.reading.lines import Question

SIZE = 9
RAW = np.repeat(np.arange(SIZE), [99, 75, 11, 8, 4, 2, 1, 0, 0])


def after(reports: int, seed: int, raw: np.ndarray = RAW) -> tuple[Estimate, ...]:
    scheme = PFR(SIZE, 64, 2.0)
    store = Frontier(scheme, memory=8_192, seed=seed, warmup=raw)
    follow(scheme, store, np.random.default_rng(seed).choice(RAW, reports).astype(np.int32), seed)
    return store.absorbed().estimates(4)


@pytest.mark.parametrize("reports", [1, 10, 100, 1_000])
def test_lines_come_in_the_order_of_their_counts(reports: int) -> None:
    for seed in range(5):
        lines = after(reports, seed)
        assert [line.count for line in lines] == sorted((line.count for line in lines), reverse=True)
        assert all(line.warmup <= line.interval[0] <= line.count <= line.interval[1] for line in lines)
        assert all(line.interval[1] <= line.warmup + reports for line in lines)


def test_raw_counts_are_no_noise_and_one_report_moves_no_rank() -> None:
    lines = after(1, seed=1)
    assert [line.item for line in lines] == [0, 1, 2, 3]
    assert [line.ranks for line in lines] == [(1, 1), (2, 2), (3, 3), (4, 4)]
    assert [line.may_be_noise for line in lines] == [False] * 4


def test_by_the_reports_alone_they_would_be_out_of_order(monkeypatch: pytest.MonkeyPatch) -> None:
    """Planted: the raw items are added to numbers whose order was settled before."""
    told = [line.item for line in after(10, seed=2)]
    monkeypatch.setattr(Question, "raw", lambda _, decoded: np.zeros(decoded.items.size, np.int64))
    assert [line.item for line in after(10, seed=2)] != told


def test_nothing_is_larger_than_the_number_of_reports() -> None:
    """Over two items at a small ε the noise is larger than the stream."""
    for epsilon, reports in ((0.1, 300), (1.0, 3_000)):
        scheme = PFR(2, 8, epsilon)
        store = Frontier(scheme, memory=8_192, seed=1)
        follow(scheme, store, np.zeros(reports, np.int32), 1)
        for line in store.absorbed().estimates(2):
            assert 0 <= line.interval[0] <= line.count <= line.interval[1] <= reports
