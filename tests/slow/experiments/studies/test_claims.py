"""Every claim is judged by the numbers: it holds where they say so, and one thing spoiled flips it."""

from dataclasses import replace
from functools import cache

import pytest

from hgldp.errors import InvalidField
from hgldp.experiments.judging import Claim, Section, Verdict, View
from hgldp.experiments.measurement import OURS, PUBLISHED
from hgldp.experiments.results import Results, Row
from hgldp.experiments.studies.registry import CLAIMS, FINDINGS
from tests.slow.experiments.made_results import made
from tests.slow.experiments.spoiled import ALSO_SPOILED, SPOILED, put, setting, started, when

UNMEASURABLE = {"smaller-decay-base", "bobhash-is-faster"}
BROKEN_ORACLES = "oracles-cannot-run-on-webdocs"
CASES = [(claim, variant) for claim in CLAIMS for variant in claim.variants if claim.id not in UNMEASURABLE]
NAMES = [f"{claim.id}, {variant}" for claim, variant in CASES]


@cache
def as_claimed() -> Results:
    return made()


@pytest.mark.parametrize(("claim", "variant"), CASES, ids=NAMES)
def test_a_claim_holds_where_the_numbers_are_as_claimed(claim, variant):
    verdict = claim.verdicts(as_claimed())[variant]
    assert verdict.holds is True, verdict
    assert any(sign.isdigit() for sign in verdict.number)
    assert verdict.why


@pytest.mark.parametrize(
    "claim", [c for c in CLAIMS if c.id not in {*UNMEASURABLE, BROKEN_ORACLES}], ids=lambda c: c.id
)
def test_one_thing_spoiled_flips_the_verdict_of_every_variant(claim):
    verdicts = claim.verdicts(made(SPOILED[claim.id]))
    assert [verdict.holds for verdict in verdicts.values()] == [False] * len(claim.variants), verdicts


@pytest.mark.parametrize(("name", "change"), ALSO_SPOILED, ids=[name for name, _ in ALSO_SPOILED])
def test_a_claim_of_two_parts_falls_with_either(name, change):
    claim = next(claim for claim in CLAIMS if claim.id == name)
    assert {verdict.holds for verdict in claim.verdicts(made(change)).values()} == {False}


def test_what_was_told_a_share_without_a_warm_up_is_no_part_of_the_figure():
    claim = next(claim for claim in CLAIMS if claim.id == "exact-gamma-is-not-best")
    cold = made(put(when(setting("hot_share"), started("0")), aae=1e6))
    assert claim.verdicts(cold) == claim.verdicts(as_claimed())


def test_oracles_that_run_on_the_largest_stream_refute_that_they_cannot():
    claim = next(claim for claim in CLAIMS if claim.id == BROKEN_ORACLES)
    whole = as_claimed()
    healed = Results(
        whole.rows
        + tuple(
            Row(row.measurement, {"domain_size": 5.26e6, "resident_bytes": 4.2e7, "seconds": 3.0})
            for row in whole.failed
        )
    )
    verdict = claim.judge(healed)
    assert verdict.holds is False
    assert "42 MB" in verdict.number


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.id)
def test_without_results_no_claim_is_judged_and_the_reason_is_given(claim):
    for verdict in claim.verdicts(Results(())).values():
        assert verdict.holds is None
        assert verdict.why.startswith("not measured")
        assert verdict.word == "cannot be judged"


def test_the_sweeps_of_the_project_feed_every_claim():
    unjudged = {c.id for c in CLAIMS if any(v.holds is None for v in c.verdicts(as_claimed()).values())}
    assert unjudged == UNMEASURABLE


def test_ids_are_unique_and_every_section_of_the_paper_is_covered():
    assert len({claim.id for claim in CLAIMS}) == len(CLAIMS) >= 60
    assert {claim.section for claim in CLAIMS} == set(Section)
    assert set(SPOILED) == {claim.id for claim in CLAIMS} - {*UNMEASURABLE, BROKEN_ORACLES}


def test_the_verdict_of_one_implementation_does_not_rest_on_the_other():
    claim = next(claim for claim in CLAIMS if claim.id == "bdr-beyond-dsr")
    spoil = SPOILED[claim.id]
    half = made(lambda one, found: spoil(one, found) if one.get("variant") == PUBLISHED else found)
    verdicts = claim.verdicts(half)
    assert (verdicts[OURS].holds, verdicts[PUBLISHED].holds) == (True, False)
    assert claim.judge(half) == verdicts[OURS]


def test_our_accuracy_rows_have_no_setting_and_the_published_none_but_their_cells():
    for variant, settings in ((OURS, {()}), (PUBLISHED, {(("cells", 20), ("variant", PUBLISHED))})):
        rows = View(as_claimed(), variant).accuracy("cnr")
        assert {row.measurement.settings for row in rows} == settings
        assert {row.measurement.warmup for row in rows} == {"1%"}


@pytest.mark.parametrize("finding", FINDINGS, ids=lambda finding: finding.id)
def test_a_finding_has_numbers_and_says_so_where_it_has_none(finding):
    healed = as_claimed()
    healed = Results(healed.rows + tuple(Row(row.measurement, made_up(row)) for row in healed.failed))
    assert any(sign.isdigit() for sign in finding.number(healed, CLAIMS))
    assert "not measured" not in finding.number(healed, CLAIMS)
    assert finding.number(Results(()), CLAIMS).startswith("not measured")
    assert len(finding.text) > 100


def test_a_finding_is_borne_out_only_by_the_verdicts_that_it_speaks_of():
    finding = next(finding for finding in FINDINGS if finding.id == "below-the-warm-up")
    assert finding.number(as_claimed(), CLAIMS).endswith("(this run does not bear it out)")
    assert finding.number(made(SPOILED["satisfactory-tradeoff"]), CLAIMS).endswith("(this run bears it out)")
    assert finding.holds(Results(()), CLAIMS) is None


def made_up(row):
    return {
        "domain_size": 5.26e6,
        "resident_bytes": 4.2e7,
        "state_bytes": 2.1e7,
        "seconds": 3.0,
        "ndcg": 0.1,
        "aae": 9000.0,
    }


def test_the_ids_of_findings_are_unique():
    assert len({finding.id for finding in FINDINGS}) == len(FINDINGS)


def test_a_claim_needs_a_text_and_a_known_implementation():
    rule = lambda view: Verdict(None, "", "")  # noqa: E731
    with pytest.raises(InvalidField, match="claim"):
        Claim("an-id", Section.ABSTRACT, "", rule)
    with pytest.raises(InvalidField, match="variants"):
        Claim("an-id", Section.ABSTRACT, "text", rule, ("mine",))


@pytest.mark.parametrize("name", ["encodings-defeat-bounded-memory", "memory-advantage-on-large-domains"])
def test_where_only_the_stand_in_was_run_nobody_reads_of_real_streams(name):
    claim = next(claim for claim in CLAIMS if claim.id == name)
    stand_in = "zipf:n=1000000,d=50000,s=1.1"
    rows = tuple(
        Row(replace(row.measurement, stream=stand_in), row.values)
        for row in as_claimed()
        if row.measurement.stream.startswith("kosarak")
    )
    verdict = claim.judge(Results(rows))
    assert f"on {stand_in};" in verdict.why
    assert "real" not in verdict.why
    assert " to " not in verdict.number
