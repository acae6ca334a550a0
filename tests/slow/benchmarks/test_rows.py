from dataclasses import replace

import numpy as np
import pytest

from benchmarks.field.bars import Bar
from benchmarks.field.contest import Answer, Contest, Showing
from benchmarks.field.entrants.registry import Entrant
from benchmarks.field.launch import Failure
from benchmarks.field.rows import judge
from benchmarks.field.tables import bar_cells, cells, headings, ordered

SOMEONE = Entrant("planted", "someone", "nowhere:nothing", ("sketches",))
NOTHING: dict[str, str] = {}


def showing(*answers: Answer, n: int, sizes: tuple[int | None, ...] = (100, 5_000)) -> Showing:
    return Showing(n, 1, 4e8, 1e8, 1e6, None, None, answers, sizes, "serialised", None, "1.0")


def truth(stream: np.ndarray) -> Answer:
    counts = np.bincount(stream)
    return [(int(item), float(counts[item])) for item in np.argsort(-counts, kind="stable")[:5]]


def test_the_truth_scores_fully_and_the_wrong_items_nothing(sketches: Contest, stream: np.ndarray) -> None:
    wrong = [(item, 9.0) for item in range(40, 45)]
    row = judge(SOMEONE, sketches, stream, showing(truth(stream), wrong, n=stream.size), NOTHING)
    assert [one.precision for one in row.quality] == [1.0, 0.0]
    assert [one.ndcg for one in row.quality] == [1.0, 0.0]
    assert row.quality[0].aae == 0.0
    assert row.quality[1].aae == pytest.approx(np.mean([count for _, count in truth(stream)]))


def test_an_answer_is_held_to_the_items_that_were_seen(private: Contest, stream: np.ndarray) -> None:
    """Counts of the first tenth are right for who saw a tenth, and wrong for who claims to have seen it all."""
    part = stream[: stream.size // 10]
    honest = judge(SOMEONE, private, stream, showing(truth(part), n=part.size, sizes=(8,)), NOTHING)
    boasting = judge(SOMEONE, private, stream, showing(truth(part), n=stream.size, sizes=(8,)), NOTHING)
    assert honest.quality[0].aae == 0.0
    assert (boasting.quality[0].aae or 0) > 100


def test_too_many_bytes_are_marked(sketches: Contest, stream: np.ndarray) -> None:
    row = judge(SOMEONE, sketches, stream, showing(truth(stream), truth(stream), n=stream.size), NOTHING)
    assert [one.over_budget for one in row.quality] == [False, True]
    assert cells(row, sketches)[-2] == "5.0 kB!"


def test_an_answer_without_counts_has_no_error_of_counts(sketches: Contest, stream: np.ndarray) -> None:
    names = [(item, float("nan")) for item, _ in truth(stream)]
    row = judge(SOMEONE, sketches, stream, showing(names, names, n=stream.size), NOTHING)
    assert row.quality[0].precision == 1.0
    assert row.quality[0].aae is None


def test_an_item_outside_the_domain_is_an_error_not_a_crash(sketches: Contest, stream: np.ndarray) -> None:
    row = judge(SOMEONE, sketches, stream, showing([(50, 1.0)], [(-1, 1.0)], n=stream.size), NOTHING)
    assert row.error == "answered with an item outside the domain"


def test_a_failure_is_shown_with_its_error_or_the_installers(sketches: Contest, stream: np.ndarray) -> None:
    ran = judge(SOMEONE, sketches, stream, Failure("it broke"), NOTHING)
    absent = judge(SOMEONE, sketches, stream, Failure("No module"), {"someone": "no wheel"})
    assert cells(ran, sketches)[-1] == "it broke"
    assert cells(absent, sketches)[-1] == "not installed: no wheel"
    assert len(cells(ran, sketches)) == len(headings(sketches))
    assert ran.times_bincount is None


def test_the_ratio_is_that_of_the_best_call(sketches: Contest, stream: np.ndarray) -> None:
    shown = showing(truth(stream), truth(stream), n=stream.size)
    row = judge(SOMEONE, sketches, stream, shown, NOTHING)
    alone = judge(SOMEONE, sketches, stream, replace(shown, batch_rate=None), NOTHING)
    assert (row.times_bincount, alone.times_bincount) == (4.0, 400.0)
    assert ordered([judge(SOMEONE, sketches, stream, Failure("x"), NOTHING), row])[0] is row


def test_a_bar_that_is_missed_says_so() -> None:
    assert bar_cells(Bar("seal", 5.1, 5, "ms"))[-1] == "does not hold"
    assert bar_cells(Bar("seal", 5.0, 5, "ms"))[-1] == "holds"
