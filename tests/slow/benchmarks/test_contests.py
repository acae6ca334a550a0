import numpy as np
import pytest

from benchmarks.field.contest import Contest, Showing
from benchmarks.field.private_contest import run_private
from benchmarks.field.sketch_contest import run_sketch
from benchmarks.field.timing import rounds
from tests.slow.benchmarks.planted import Exact, OneByOne, Slow, Traceable, Truthful


def test_a_sketch_is_fed_the_whole_stream_at_every_budget(sketches: Contest, stream: np.ndarray) -> None:
    """The planted bug would be a sketch that carries on from the round before: its counts would double."""
    found = run_sketch(Exact, sketches, stream.astype(np.int64), "1")
    assert len(found.answers) == len(sketches.budgets)
    truth = np.bincount(stream)
    for answer in found.answers:
        assert [count for _, count in answer] == sorted(truth.tolist(), reverse=True)[:5]
    assert found.batch_rate is not None
    assert found.single_rate is not None
    assert found.state_bytes == (48 * 8, 48 * 8)


def test_a_sketch_without_a_batch_call_shows_none(sketches: Contest, stream: np.ndarray) -> None:
    found = run_sketch(OneByOne, sketches, stream.astype(np.int64), "1")
    assert found.batch_rate is None
    assert found.answers[0][0] == (0, 500.0)


def test_traced_bytes_are_those_of_the_objects(sketches: Contest, stream: np.ndarray) -> None:
    found = run_sketch(Traceable, sketches, stream.astype(np.int64), "1")
    for size in found.state_bytes:
        assert size is not None
        assert 50 * 8 < size < 50_000


def test_a_quick_library_reports_everything_and_a_slow_one_what_fits(private: Contest, stream: np.ndarray) -> None:
    quick, slow = (run_private(kind, private, stream.astype(np.int64), "1") for kind in (Truthful, Slow))
    assert quick.n == stream.size
    assert 800 <= slow.n < stream.size
    assert slow.single_rate is not None
    assert slow.single_rate < 2_000
    assert sum(count for _, count in slow.answers[0]) <= slow.n


def test_rounds_end_when_another_would_not_fit() -> None:
    assert len(list(rounds(1e9))) == 5
    assert list(rounds(0.0)) == [0]


@pytest.mark.parametrize("terms", [{"epsilon": 1.0}, {"budgets": (1,), "epsilon": 1.0}, {}])
def test_a_contest_is_for_bytes_or_for_privacy(terms: dict[str, object]) -> None:
    with pytest.raises(ValueError, match="budgets"):
        Contest("c", "sketch", "s", "p", 10, 1, 1.0, **terms)  # type: ignore[arg-type]


def test_what_is_handed_over_comes_back() -> None:
    showing = Showing(5, 2, 1e8, None, 2.0, 3.0, 4.0, ([(1, 2.5)],), (7, None), "traced", 2.0, "1.0")
    assert Showing.from_json(showing.to_json()) == showing
