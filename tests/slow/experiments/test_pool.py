"""All that is wanted is made, nothing twice, and what fails is shown as such."""

from multiprocessing import active_children
from pathlib import Path

import pytest

from hgldp.experiments.cache import Cache
from hgldp.experiments.measurement import Measurement
from hgldp.experiments.measuring.measure import measure
from hgldp.experiments.measuring.streams import Library
from hgldp.experiments.pool import DIED, Workload, cores, work

STREAM, SMALL = "normal:n=4000,d=100,sigma=5", "exponential:n=2000,d=100,scale=10"
GOOD = [Measurement(stream, scheme, 2.0, 1) for stream in (SMALL, STREAM) for scheme in ("bgr", "dsr", "grr")]
NO_SUCH_STREAM = Measurement("nowhere", "dsr", 2.0, 1)
NO_SUCH_SETTING = Measurement(STREAM, "dsr", 2.0, 1, settings=(("magic", 1),))
LIBRARY = Library()


def without_time(values: dict[str, float]) -> dict[str, float]:
    return {name: value for name, value in values.items() if name != "seconds"}


def test_everything_is_made_once_and_failures_stand_apart(tmp_path: Path) -> None:
    wanted, heard = [*GOOD, *GOOD, NO_SUCH_STREAM, NO_SUCH_SETTING], []
    with Cache(tmp_path / "results.jsonl") as cache:
        load = Workload.of(wanted, cache, LIBRARY)
        results = work(load, cache, LIBRARY, lambda done, total: heard.append((done, total)))
    assert load.left == len(GOOD) + 2
    assert [row.measurement for row in results] == GOOD
    for row in results:
        expected = measure(row.measurement, LIBRARY.draw(row.measurement.stream, row.measurement.seed))
        assert without_time(row.values) == without_time(expected)
    assert {row.measurement for row in results.failed} == {NO_SUCH_STREAM, NO_SUCH_SETTING}
    assert all(row.failure.startswith(("InvalidField", "TypeError")) for row in results.failed)
    assert len(heard) == load.left
    assert heard[-1][0] == pytest.approx(load.seconds)
    assert (tmp_path / "results.jsonl").read_text().count("\n") == len(GOOD)

    with Cache(tmp_path / "results.jsonl") as cache:
        again = Workload.of(GOOD, cache, LIBRARY)
        assert again.left == 0
        same = work(again, cache, LIBRARY, lambda _done, _total: pytest.fail("nothing is left"))
    assert same == type(same)(results.rows)


def test_work_goes_by_stream_and_seed_the_costliest_first(tmp_path: Path) -> None:
    with Cache(tmp_path / "results.jsonl") as cache:
        groups = Workload.of(GOOD, cache, LIBRARY).groups
    assert [{one.stream for one in group} for group in groups] == [{STREAM}, {SMALL}]


def test_a_worker_that_dies_takes_only_its_own_group_with_it(tmp_path: Path) -> None:
    """It is killed after the first result, while every group still has many to go."""
    schemes = ("bgr", "dsr", "bdr", "cnr", "grr", "hr")
    wanted = [
        Measurement(stream, scheme, epsilon, 1)
        for stream in (STREAM, SMALL)
        for scheme in schemes
        for epsilon in (1.0, 2.0, 3.0, 4.0)
    ]
    heard: list[float] = []

    def kill_one(done: float, _: float) -> None:
        if not heard:
            active_children()[0].kill()
        heard.append(done)

    with Cache(tmp_path / "results.jsonl") as cache:
        results = work(Workload.of(wanted, cache, LIBRARY), cache, LIBRARY, kill_one)
        left = Workload.of(wanted, cache, LIBRARY).left
    assert len(results) + len(results.failed) == len(heard) == len(wanted)
    assert {row.failure for row in results.failed} == {DIED}
    assert left == len(results.failed)
    if cores() > 1:
        assert len({row.measurement.stream for row in results.failed}) == 1
        assert len(results) >= len(wanted) / 2
