"""What the sweeps ask for, counted."""

from dataclasses import replace
from pathlib import Path

import pytest

from hgldp.errors import InvalidField
from hgldp.experiments.measurement import WARMUP
from hgldp.experiments.measuring.measure import plan_of
from hgldp.experiments.measuring.streams import Library, start
from hgldp.experiments.pool import cores, cost
from hgldp.experiments.scale import FULL, QUICK, Scale
from hgldp.experiments.studies.registry import SWEEPS
from tests.slow.experiments.made import TINY

SCALES = (FULL, QUICK, TINY)
MINUTES = 45


def test_the_whole_has_what_the_paper_has() -> None:
    assert (FULL.repeats, FULL.items, len(FULL.epsilons)) == (20, 100_000, 10)
    assert (min(FULL.epsilons), max(FULL.epsilons)) == (0.5, 5.0)
    accuracy = SWEEPS["accuracy"].measurements(FULL)
    assert {one.stream for one in accuracy} == set(FULL.synthetics)
    assert len(FULL.synthetics) == 6
    private = {(one.scheme, one.get("variant"), one.warmup) for one in accuracy if one.epsilon}
    ours = {(scheme, "default", "1%") for scheme in ("bgr", "dsr", "bdr", "cnr", "pfr", "grr", "hr", "olh")}
    theirs = {(scheme, "as-published", "1%") for scheme in ("bgr", "dsr", "bdr", "cnr")}
    assert private == ours | theirs | {("pfr", "default", "0")}
    assert {one.scheme for one in accuracy if not one.epsilon} == {WARMUP, "heavyguardian"}
    assert len(set(accuracy)) == len(accuracy) == 6 * 20 * (10 * 13 + 3)


def test_the_split_goes_from_two_to_one_to_one_to_nineteen() -> None:
    shares = {one.get("judge_share") for one in SWEEPS["allocation"].measurements(FULL)}
    assert shares == {None, "2/3", "1/2", "1/3", "1/5", "1/10", "1/20"}


def test_epochs_go_from_one_report_to_one_percent() -> None:
    lengths = {one.get("epoch") for one in SWEEPS["epochs"].measurements(FULL)}
    assert (min(lengths), max(lengths)) == (1, 1000)


@pytest.mark.parametrize("name", SWEEPS)
@pytest.mark.parametrize("scale", SCALES, ids=lambda scale: scale.name)
def test_every_measurement_is_wanted_once(name: str, scale: Scale) -> None:
    wanted = SWEEPS[name].measurements(scale)
    assert wanted
    assert len(set(wanted)) == len(wanted)
    assert SWEEPS[name].name == name


def test_every_setting_makes_a_plan() -> None:
    drawn = Library().draw(TINY.synthetics[0], 1)
    for sweep in SWEEPS.values():
        for one in sweep.measurements(TINY):
            if one.scheme != WARMUP and one.get("clock") is None and one.get("steps") is None:
                plan, _ = plan_of(one, start(drawn, one.warmup, 1))
                assert (plan.scheme, plan.k) == (one.scheme, one.k)


def test_real_streams_are_taken_where_they_are_and_stand_ins_where_they_are_not(tmp_path: Path) -> None:
    none = FULL.with_data(Library(tmp_path))
    assert (none.data, none.missing) == ((), ("retail", "kosarak", "webdocs"))
    for name in ("retail.dat.gz", "kosarak-first100k.dat.gz", "webdocs.dat"):
        (tmp_path / name).touch()
    part = FULL.with_data(Library(tmp_path))
    assert (part.data, part.webdocs, part.missing) == (("retail", "kosarak-first100k"), "webdocs", ("kosarak",))
    (tmp_path / "kosarak.dat").touch()
    assert FULL.with_data(Library(tmp_path)).data == ("retail", "kosarak")
    assert {"retail", "kosarak-first100k"} < {one.stream for one in SWEEPS["accuracy"].measurements(part)}


def test_the_whole_is_thought_to_end_in_time_on_two_cores() -> None:
    wanted = {one for sweep in SWEEPS.values() for one in sweep.measurements(FULL)}
    assert sum(cost(one, Library()) for one in wanted) / 2 < 60 * MINUTES
    assert cores() >= 1


def test_a_scale_of_nothing_is_refused() -> None:
    for change in ({"repeats": 0}, {"items": 10}, {"epsilons": ()}):
        with pytest.raises(InvalidField):
            replace(QUICK, **change)
