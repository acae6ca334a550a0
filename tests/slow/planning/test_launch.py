"""A launch has the same law as one report by report, and nothing but what was asked."""

from dataclasses import replace

import numpy as np
import pytest

from hgldp.errors import InvalidField
from hgldp.model.domain import StringDomain
from hgldp.model.hints import Hints
from hgldp.model.task import Task
from hgldp.planning.invented import invented
from hgldp.planning.launch import launch
from hgldp.planning.shapes import Shape, listed_shapes, open_shape_like, open_shapes, weights
from hgldp.schemes.registry import scheme_of
from hgldp.simulation import run as simulation
from hgldp.simulation.metrics import score
from hgldp.simulation.strings import simulate_open
from hgldp.simulation.truth import whole_counts
from hgldp.tracker.family import family_for

SIZE, K, SEEDS = 300, 10, 24
WORDS = invented(SIZE, "text", 64, 5)
LISTS = [None, Hints.of([*WORDS[::3], *(f"nobody-{number}" for number in range(100))])]


def one_by_one(shape: Shape, scheme: str, reports: int, seed: int) -> float:
    """The precision of a stream, report by report."""
    generator = np.random.default_rng(1000 + seed)
    stream = generator.choice(SIZE, reports, p=shape.shares)
    stream = generator.permutation(SIZE)[stream].astype(np.int32)
    outcome = simulation.run(simulation.Plan(scheme, 1.0, K), stream, SIZE, 0, seed)
    return score(outcome.estimates, whole_counts(stream, SIZE), K).precision


def strings_one_by_one(shape: Shape, task: Task, reports: int, seed: int) -> float:
    """The F1 of a stream of strings, report by report."""
    stream = np.random.default_rng(1000 + seed).choice(SIZE, reports, p=shape.shares).astype(np.int32)
    codes = [StringDomain().encode(word) for word in WORDS]
    store = family_for(task).start(task, seed, ()).store
    outcome = simulate_open(scheme_of(task), store, codes, stream, K, seed)  # type: ignore[arg-type]
    truth = np.concatenate([whole_counts(stream, SIZE), np.zeros(len(outcome.unsaid), np.int64)])
    return score(outcome.estimates, truth, K).f1


def apart(planned: list[float], real: list[float]) -> tuple[float, float]:
    """By how much the means differ, and the standard error of that."""
    return np.mean(planned) - np.mean(real), float(np.sqrt((np.var(planned) + np.var(real)) / len(real)))


def gap(shape: Shape, scheme: str, reports: int) -> tuple[float, float]:
    """How much a launch finds more than report by report, in the mean of 24 seeds, and its standard error."""
    task = Task(scheme, epsilon=1.0, domain=range(SIZE), k=K)
    planned = [next(launch(task, shape, [reports], seed)).precision for seed in range(SEEDS)]
    return apart(planned, [one_by_one(shape, scheme, reports, seed) for seed in range(SEEDS)])


def gap_of_strings(hints: Hints | None) -> tuple[float, float]:
    """The same of F1 among strings."""
    task = Task("pfr", epsilon=4.0, domain=StringDomain(hints=hints), k=K, cells=256)
    shape = open_shape_like("mine", np.round(1e6 * weights(SIZE, 1.0)), WORDS)
    planned = [next(launch(task, shape, [6_000], seed)).f1 for seed in range(SEEDS)]
    real = [strings_one_by_one(shape, task, 6_000, seed) for seed in range(SEEDS)]
    assert 0.2 < np.mean(real) < 0.9, "neither nothing nor everything is found"
    return apart(planned, real)


@pytest.mark.parametrize(("scheme", "reports"), [("pfr", 30_000), ("dsr", 300_000)])
def test_a_launch_finds_what_clients_one_by_one_would_let_find(scheme: str, reports: int) -> None:
    """Five standard errors of the difference: false alarm below 10^−6, with the fixed seeds none."""
    difference, error = gap(listed_shapes(SIZE, 1.0)[0], scheme, reports)
    assert abs(difference) < 5 * error + 1e-9


@pytest.mark.parametrize("hints", LISTS, ids=["no list", "a list"])
def test_the_same_among_strings_whether_a_list_has_some_of_them_or_not(hints: Hints | None) -> None:
    difference, error = gap_of_strings(hints)
    assert abs(difference) < 5 * error + 1e-9


def honest(histogram: np.ndarray, mechanism: object, holders: np.ndarray, _: object) -> None:
    """A planted bug: every client sends its own symbol as it is."""
    histogram[: holders.size] += holders


def test_a_launch_that_draws_its_counts_wrongly_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hgldp.planning.launch.add_crowd", honest)
    difference, error = gap(listed_shapes(SIZE, 1.0)[0], "pfr", 30_000)
    assert abs(difference) > 5 * error + 1e-9


@pytest.mark.parametrize("hints", LISTS, ids=["no list", "a list"])
def test_it_is_noticed_among_strings_too(hints: Hints | None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hgldp.planning.launch.add_crowd", honest)
    difference, error = gap_of_strings(hints)
    assert abs(difference) > 5 * error + 1e-9


def test_the_same_seed_gives_the_same_launch_and_stops_do_not_change_what_is_found() -> None:
    task, shape = Task("pfr", epsilon=2.0, domain=range(SIZE), k=K), listed_shapes(SIZE, 1.1)[0]
    first = list(launch(task, shape, [5_000, 40_000], seed=3))
    assert first == list(launch(task, shape, [5_000, 40_000], seed=3))
    assert [stop.reports for stop in first] == [5_000, 40_000]


def test_more_items_than_have_shares_of_their_own_are_planned_as_fewer() -> None:
    (shape,) = listed_shapes(3_000_000, 1.0)
    assert shape.size == 200_000
    task = Task("pfr", epsilon=4.0, domain=range(3_000_000), k=3)
    assert next(launch(task, shape, [20_000], seed=1)).precision == 1.0


def test_strings_are_found_letter_for_letter() -> None:
    (shape,) = open_shapes(200, 1.5)
    task = Task("pfr", epsilon=4.0, domain=64, k=3)
    (stop,) = launch(task, shape, [60_000], seed=1)
    assert stop.precision == 1.0


def test_strings_that_are_too_long_are_in_the_truth_and_cannot_be_found() -> None:
    shape = open_shape_like("mine", [3, 2, 1], ["x" * 99, "tea", "milk"])
    task = Task("pfr", epsilon=4.0, domain=16, k=2)
    (stop,) = launch(task, shape, [60_000], seed=1)
    assert stop.precision == 0.5


def test_a_hot_list_is_followed_up_to_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hgldp.planning.launch.MOST_ONE_BY_ONE", 3_000)
    task, shape = Task("bgr", epsilon=4.0, domain=range(50), k=3), listed_shapes(50, 1.5)[0]
    assert [stop.reports for stop in launch(task, shape, [2_000, 9_000], seed=1)] == [2_000, 3_000]


def test_a_warm_up_helps_a_hot_list() -> None:
    task, shape = Task("dsr", epsilon=1.0, domain=range(5_000), k=K), listed_shapes(5_000, 1.0)[0]
    cold, warm = (next(launch(task, shape, [20_000], seed=1, warmup=each)).precision for each in (0, 5_000))
    assert cold < 0.2
    assert warm > 0.5


def test_what_a_plan_cannot_launch_is_refused() -> None:
    listed, task = listed_shapes(50, 1.0)[0], Task("pfr", epsilon=1.0, domain=range(50), k=3)
    with pytest.raises(InvalidField, match="must have strings for a task over strings"):
        launch(replace(task, domain=StringDomain()), listed, [100], seed=1)
