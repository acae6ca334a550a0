"""The sweep behind the defaults moves one setting at a time, and its table and figure compare like with like."""

from collections import Counter
from dataclasses import replace

import pytest

from hgldp.experiments.judging.view import NotMeasured
from hgldp.experiments.measurement import Measurement
from hgldp.experiments.measuring.measure import measure
from hgldp.experiments.measuring.streams import Library
from hgldp.experiments.results import Results, Row
from hgldp.experiments.scale import FULL
from hgldp.experiments.studies.parameters.defaults import (
    CELLS,
    DECAY,
    JUDGE,
    KNOBS,
    LIGHT,
    MOST_REPEATS,
    SET,
    SWEEP,
    Knob,
    draw_defaults,
    gap_to_default,
    make_table,
    stratified,
)
from hgldp.experiments.studies.registry import CLAIMS, FINDINGS, TABLES
from hgldp.simulation.run import Plan
from tests.slow.experiments.made import TINY
from tests.slow.experiments.made_results import made

WITH_DATA = replace(FULL, data=("retail", "kosarak-first100k"))
every_knob = pytest.mark.parametrize("knob", KNOBS, ids=lambda knob: knob.field)


def made_rows(**precision_of: float) -> Results:
    """Every measurement of the sweep; precision is 0.5, and more for a scheme where the cells are 60."""

    def values(one: Measurement) -> dict[str, float]:
        gain = precision_of.get(one.scheme, 0.0) if one.get("cells") == 60 else 0.0
        return {"precision": 0.5 + gain, "ndcg": 0.5, "aae": 100.0 * (1 - gain)}

    return Results.of(Row(one, values(one)) for one in SWEEP.measurements(WITH_DATA))


def row(results: Results, label: str) -> list[str]:
    return next(list(line[1:]) for line in make_table(results).rows if line[0] == label)


def test_every_stream_budget_and_start_is_asked_the_same() -> None:
    wanted = SWEEP.measurements(WITH_DATA)
    assert {one.seed for one in wanted} == set(range(1, MOST_REPEATS + 1))
    places = Counter((one.stream.partition(":")[0], one.epsilon, one.warmup) for one in wanted)
    streams = ("normal", "exponential", "retail", "kosarak-first100k")
    assert set(places) == {(s, e, w) for s in streams for e in (1.0, 2.0, 4.0) for w in ("1%", "0")}
    assert len(set(places.values())) == 1


@every_knob
def test_the_default_is_among_the_values_and_is_what_a_plain_plan_takes(knob: Knob) -> None:
    assert knob.default in knob.values
    for scheme in knob.schemes:
        task = Plan(scheme, 1.0, 20).task(1000, Library().draw(TINY.synthetics[0], 1).items[:0])
        assert dict(knob.settings(knob.default)) == {name: getattr(task.rules, name) for name in SET}


@every_knob
def test_one_knob_moves_and_light_cells_follow_the_cells(knob: Knob) -> None:
    usual = dict(knob.settings(knob.default))
    for value in knob.values:
        moved = {name for name, setting in knob.settings(value) if setting != usual[name]}
        followers = {"light_cells"} if knob is CELLS else set()
        assert moved == ({knob.field} | followers if value != knob.default else set())


def test_the_default_said_aloud_is_the_scheme_left_alone() -> None:
    stream = TINY.synthetic("normal", 1000)
    drawn = Library().draw(stream, 1)
    for scheme, knob in (("dsr", DECAY), ("cnr", LIGHT), ("bdr", JUDGE)):
        aloud, alone = (
            measure(Measurement(stream, scheme, 4.0, 1, warmup="0", settings=settings), drawn)
            for settings in (knob.settings(knob.default), ())
        )
        assert aloud | {"seconds": 0.0} == alone | {"seconds": 0.0}


def test_a_gap_is_the_mean_over_schemes_and_starts() -> None:
    """One scheme in the place of both would give 0.1 or 0.2."""
    gap = gap_to_default(made_rows(dsr=0.1, cnr=0.2), CELLS, 60, "precision")
    assert gap.gap == pytest.approx(0.15)
    assert len(gap.points) == 2 * 2 * 4 * 3
    assert gap_to_default(made_rows(dsr=0.1), CELLS, 80, "precision").gap == 0.0


def test_the_table_marks_the_default_and_says_what_moving_it_does() -> None:
    results = made_rows(dsr=0.1, cnr=0.1)
    assert row(results, "cells per k 2 (default)") == ["0.500"] * 2 + ["–"] * 6
    gaps = ["+0.100 ± 0.000"] * 3 + ["+0.000 ± 0.000"] + ["-10.0 ± 0.0 %"] * 2
    assert row(results, "cells per k 3") == ["0.600"] * 2 + gaps
    assert row(results, "split 1:2")[4] == "+0.000 ± 0.000"
    assert sum("(default)" in line[0] for line in make_table(results).rows) == len(KNOBS)


def test_a_start_that_was_not_run_is_a_dash() -> None:
    warm = made_rows().where(warmup="1%")
    same = "+0.000 ± 0.000"
    assert row(warm, "decay base 1.5") == ["0.500", "–", same, "–", same, same, "+0.0 ± 0.0 %", "–"]
    with pytest.raises(NotMeasured, match="cells = 60"):
        gap_to_default(warm.where(cells=40), CELLS, 60, "precision")


def test_every_panel_marks_the_default_and_shows_what_moved() -> None:
    figure = draw_defaults(made_rows(dsr=0.1, cnr=0.2))
    for panel, knob in zip(figure.axes, (*KNOBS, *KNOBS), strict=True):
        (mark,) = (line for line in panel.get_lines() if line.get_label() == "the default")
        assert knob.values[int(mark.get_xdata()[0])] == knob.default
        (line,) = (line for line in panel.get_lines() if line.get_label() == "ε = 2, real streams")
        expected = [0.65 if (knob, value) == (CELLS, 60) else 0.5 for value in knob.values]
        assert list(line.get_ydata()) == pytest.approx(expected)


def test_the_band_knows_the_repeats_and_not_that_streams_differ() -> None:
    def at(stream: str, values: tuple[float, ...]) -> list[Row]:
        return [Row(Measurement(stream, "dsr", 1.0, n), {"precision": value}) for n, value in enumerate(values)]

    assert stratified(Results.of(at("retail", (0.9, 0.9)) + at("kosarak", (0.1, 0.1, 0.1)))) == pytest.approx(
        (0.5, 0.0)
    )
    mean, width = stratified(Results.of(at("retail", (0.8, 1.0)) + at("kosarak", (0.1, 0.1))))
    assert (mean, width) == pytest.approx((0.5, 4.303 * 0.1 / 2))


def test_no_claim_finding_or_other_table_reads_these_rows() -> None:
    """They are plain schemes with settings, and a claim about one setting must not take them for its own sweep."""
    whole = made()
    mine = {one for one in (row.measurement for row in whole) if one.get("decay_base") is not None}
    without = Results(tuple(row for row in whole if row.measurement not in mine), whole.failed)
    assert mine
    for claim in CLAIMS:
        assert claim.verdicts(whole) == claim.verdicts(without), claim.id
    for finding in FINDINGS:
        assert finding.number(whole, CLAIMS) == finding.number(without, CLAIMS), finding.id
    for table in TABLES:
        assert (table.make(whole) == table.make(without)) == (table.name != SWEEP.name)


def test_a_claim_about_the_light_part_is_not_judged_by_these_rows_alone() -> None:
    claim = next(claim for claim in CLAIMS if claim.id == "longer-light-part")
    assert {verdict.holds for verdict in claim.verdicts(made_rows()).values()} == {None}
