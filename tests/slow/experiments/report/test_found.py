"""What was found, in ten lines: they follow from the verdicts, and other verdicts give other lines."""

from dataclasses import replace

import pytest

from hgldp.experiments.judging import Verdict
from hgldp.experiments.measurement import OURS, PUBLISHED
from hgldp.experiments.report.content import WHO, gather
from hgldp.experiments.report.headlines import HEADLINES, Headline, Said
from hgldp.experiments.results import Results, Row
from hgldp.experiments.studies import registry
from hgldp.experiments.studies.registry import CLAIMS, PICTURES
from tests.slow.experiments.made_results import SCALE, made
from tests.slow.experiments.spoiled import SPOILED

BOTH = ("more-accurate-than-baselines", "accuracy-in-turn", "satisfactory-tradeoff", "memory-2300-times")
by_headline = pytest.mark.parametrize("headline", HEADLINES, ids=lambda headline: headline.claim)


def lines_of(results: Results) -> list[str]:
    return list(gather(results, (), SCALE, seconds=0.0).found)


@pytest.fixture(scope="module")
def as_claimed() -> list[str]:
    return lines_of(made())


def verdicts(ours: bool | None, published: bool | None) -> dict[str, Said]:
    return {"ours": Said(ours, "dsr 90×"), "authors' code": Said(published, "dsr 500×")}


def test_there_are_ten_lines_whatever_was_measured(as_claimed: list[str]) -> None:
    assert len(as_claimed) == len(lines_of(Results(()))) == 10


def test_every_headline_is_about_a_claim() -> None:
    assert {headline.claim for headline in HEADLINES} <= {claim.id for claim in CLAIMS}


@by_headline
def test_a_line_says_of_each_verdict_what_it_is(headline: Headline, as_claimed: list[str]) -> None:
    place = HEADLINES.index(headline) + 1
    assert headline.holds in as_claimed[place]
    assert headline.fails not in as_claimed[place]


@by_headline
def test_with_another_verdict_the_line_differs(headline: Headline, as_claimed: list[str]) -> None:
    claim = next(one for one in CLAIMS if one.id == headline.claim)
    spoiled = made(SPOILED[claim.id]) if claim.id in SPOILED else healed()
    said = {WHO[who]: Said(verdict.holds, verdict.number) for who, verdict in claim.verdicts(spoiled).items()}
    line = headline.line(said, spoiled)
    assert headline.fails in line
    assert line not in as_claimed


def healed() -> Results:
    """As if GRR and HR ran on the largest stream."""
    values = {"domain_size": 5.26e6, "resident_bytes": 4.2e7, "seconds": 3.0}
    return Results(tuple(Row(row.measurement, values) for row in made().failed))


def test_a_planted_verdict_is_what_the_line_says(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is written down beforehand: the same numbers with the opposite rule give the opposite line."""
    planted = [
        replace(claim, rule=lambda _: Verdict(holds=False, number="dsr 7×", why="planted"))
        if claim.id == "memory-2300-times"
        else claim
        for claim in CLAIMS
    ]
    monkeypatch.setattr("hgldp.experiments.report.content.CLAIMS", tuple(planted))
    first, *lines = lines_of(made())
    assert "of 76 for our schemes, 73 hold, 1 do not" in first
    assert next(line for line in lines if "2,300" in line) == (
        "Our schemes and the published ones do not save about 2,300 times the memory of GRR and HR over 41,270 items. "
        "Ours: DSR 7×; authors' code: DSR 7×."
    )


@pytest.mark.parametrize(
    ("ours", "published", "said"),
    [
        (True, True, "Our schemes and the published ones save it. Ours: DSR 90×; authors' code: DSR 500×."),
        (True, False, "Our schemes save it; the published ones do not. Ours: DSR 90×; authors' code: DSR 500×."),
        (False, True, "Our schemes save none; the published ones do. Ours: DSR 90×; authors' code: DSR 500×."),
        (True, None, "Our schemes save it; this run cannot tell whether the published ones save it. Ours: DSR 90×."),
        (None, False, "This run cannot tell whether our schemes save it; the published ones save none. "
                      "Authors' code: DSR 500×."),
        (None, None, "This run cannot tell whether our schemes and the published ones save it."),
    ],
)  # fmt: skip
def test_two_verdicts_make_one_sentence(ours: bool | None, published: bool | None, said: str) -> None:
    headline = Headline("any", "save it", "save none", "do", "do not")
    assert headline.line(verdicts(ours, published), Results(())) == said


@pytest.mark.parametrize("headline", [one for one in HEADLINES if one.claim in BOTH], ids=lambda one: one.claim)
def test_where_two_implementations_differ_both_words_are_there(headline: Headline) -> None:
    assert headline.yes
    assert headline.no


def test_without_results_no_line_claims_anything() -> None:
    first, *lines, last = lines_of(Results(()))
    assert "0 hold, 0 do not" in first
    assert all(line.startswith("This run cannot tell whether ") for line in lines)
    assert "0 measurements" in last
    assert "no real stream" in last


def test_the_last_line_says_what_the_run_lacks() -> None:
    assert "the real streams kosarak and retail. Of" in lines_of(made())[-1]
    without = replace(SCALE, data=())
    rows = [row for row in made().rows if row.measurement.stream not in ("retail", "kosarak")]
    broken = Row(rows[0].measurement, failure="MemoryError")
    content = gather(Results.of([*rows[1:], broken]), (), without, seconds=0.0)
    last = content.found[-1]
    assert "no real stream" in last
    assert "Of the paper's streams it lacks retail, kosarak and webdocs; a Zipf stream stands in for webdocs." in last
    assert f"{len(PICTURES)} figures of the report were not asked for" in last
    assert last.endswith("1 measurement failed.")


def test_a_mean_is_over_what_all_were_run_on() -> None:
    """GRR and HR break on the largest stream, so no line counts the others there."""
    line = next(line for line in lines_of(made()) if "GRR and HR, which count" in line)
    worse = made(lambda one, found: found | {"ndcg": 0.0} if one.stream.startswith("zipf") else found)
    (number,) = [one.split("Mean NDCG, ")[1] for one in lines_of(worse) if "GRR and HR, which count" in one]
    assert line.endswith(number)


def test_the_registry_knows_what_every_claim_is_about() -> None:
    assert set(registry.TOPICS) == {claim.id for claim in CLAIMS}
    assert {OURS, PUBLISHED} >= {variant for claim in CLAIMS for variant in claim.variants}
