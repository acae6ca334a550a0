"""What a report says, before it is HTML or Markdown."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from hgldp.experiments.measurement import Measurement
from hgldp.experiments.plotting.look import as_svg
from hgldp.experiments.plotting.pieces import Pieces, cut
from hgldp.experiments.report.found import Run, what_was_found
from hgldp.experiments.report.headlines import VIEWS, Said
from hgldp.experiments.report.settings import settings
from hgldp.experiments.results import Results
from hgldp.experiments.scale import Scale
from hgldp.experiments.studies.registry import CLAIMS, FINDINGS, PICTURES, SWEEPS, TABLES, TOPICS
from hgldp.experiments.studies.study import Picture, Topic

WHO = {variant: who for who, variant in VIEWS.items()}
MOST_FAILURES = 50
NO_PIECES = Pieces(1, (), ())
Verdicts = tuple[tuple[str, bool | None, str, str, str], ...]


@dataclass(frozen=True)
class DrawnFigure:
    """A figure as drawn, whole and in pieces; `failure` says why there is none."""

    picture: Picture
    svg: str
    pieces: Pieces = NO_PIECES
    failure: str = ""


@dataclass(frozen=True)
class JudgedClaim:
    """A claim, with one verdict for each implementation: (who, holds, word, number, why)."""

    id: str
    section: str
    topic: Topic
    text: str
    verdicts: Verdicts


@dataclass(frozen=True)
class FilledTable:
    """A table of texts."""

    name: str
    title: str
    caption: str
    headings: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class Group:
    """The claims about one topic."""

    topic: Topic
    claims: tuple[JudgedClaim, ...]

    def counts(self, who: str) -> tuple[int, int, int]:
        """How many verdicts on an implementation are: holds, does not hold, cannot be judged."""
        return counts(self.claims, who)


@dataclass(frozen=True)
class Content:
    """Everything, in the order of the report."""

    scale: str
    found: tuple[str, ...]
    figures: tuple[DrawnFigure, ...]
    claims: tuple[JudgedClaim, ...]
    findings: tuple[tuple[str, str, str], ...]
    tables: tuple[FilledTable, ...]
    failures: tuple[str, ...]
    settings: tuple[tuple[str, str], ...]

    def count(self, who: str, holds: bool | None) -> int:
        """How many verdicts on an implementation are like this."""
        return counts(self.claims, who)[(True, False, None).index(holds)]

    @property
    def groups(self) -> tuple[Group, ...]:
        """The claims by topic; the others have none."""
        found = (Group(topic, tuple(claim for claim in self.claims if claim.topic is topic)) for topic in Topic)
        return tuple(group for group in found if group.claims)


def counts(claims: Iterable[JudgedClaim], who: str) -> tuple[int, int, int]:
    """How many verdicts on an implementation are: holds, does not hold, cannot be judged."""
    found = [verdict[1] for claim in claims for verdict in claim.verdicts if verdict[0] == who]
    return found.count(True), found.count(False), found.count(None)


def gather(results: Results, pictures: Sequence[Picture], scale: Scale, seconds: float) -> Content:
    """Draw, judge and describe."""
    wanted = {name: SWEEPS[name].measurements(scale) for picture in pictures for name in picture.sweeps}
    paper = results.among(one for sweep in SWEEPS.values() if sweep.judged for one in sweep.measurements(scale))
    claims = tuple(_judge(paper))
    verdicts = {claim.id: {who: Said(holds, number) for who, holds, _, number, _ in claim.verdicts} for claim in claims}
    run = Run(results, scale, left_out=len(PICTURES) - len(pictures))
    return Content(
        scale=scale.name,
        found=tuple(what_was_found(verdicts, paper, run)),
        figures=tuple(_figure(picture, results, wanted) for picture in pictures),
        claims=claims,
        findings=tuple((finding.title, finding.text, finding.number(paper, CLAIMS)) for finding in FINDINGS),
        tables=tuple(_fill(paper)),
        failures=tuple(f"{_name(row.measurement)}: {row.failure}" for row in results.failed[:MOST_FAILURES]),
        settings=tuple(settings(results, scale, seconds)),
    )


def _figure(picture: Picture, results: Results, wanted: dict[str, list[Measurement]]) -> DrawnFigure:
    mine = results.among(one for name in picture.sweeps for one in wanted[name])
    if not len(mine):
        return DrawnFigure(picture, "", failure="nothing to draw: no measurement of this figure has a result")
    broken = f"{len(mine.failed)} of its measurements failed and are missing from it" if mine.failed else ""
    figure = picture.draw(mine)
    svg = as_svg(figure)
    return DrawnFigure(picture, svg, cut(figure, svg), broken)


def _judge(results: Results) -> list[JudgedClaim]:
    return [
        JudgedClaim(
            claim.id,
            claim.section,
            TOPICS[claim.id],
            claim.text,
            tuple(
                (WHO[who], verdict.holds, verdict.word, verdict.number, verdict.why)
                for who, verdict in claim.verdicts(results).items()
            ),
        )
        for claim in CLAIMS
    ]


def _fill(results: Results) -> list[FilledTable]:
    made = ((table, table.make(results)) for table in TABLES)
    return [FilledTable(table.name, table.title, table.note, grid.headings, grid.rows) for table, grid in made]


def _name(one: Measurement) -> str:
    settings = "".join(f", {name} {value}" for name, value in one.settings)
    return f"{one.scheme} on {one.stream}, ε = {one.epsilon:g}, seed {one.seed}, warm-up {one.warmup}{settings}"


def summary(content: Content) -> list[str]:
    """How many claims hold, for each implementation."""
    return [
        f"Of the paper's claims, at the scale {content.scale}, {content.count(who, True)} hold, "
        f"{content.count(who, False)} do not, and "
        f"{content.count(who, None)} could not be judged from what was run, for {name}."
        for who, name in (("ours", "our implementation"), ("authors' code", "the authors' code as published"))
    ]
