"""What a report says, before it is HTML or Markdown."""

from collections.abc import Sequence
from dataclasses import dataclass

from hgldp.experiments.claims import CLAIMS, FINDINGS
from hgldp.experiments.figures.picture import Picture
from hgldp.experiments.figures.svg import as_svg
from hgldp.experiments.measurement import Measurement
from hgldp.experiments.report.machine import describe_machine
from hgldp.experiments.results import Results
from hgldp.experiments.sweeps.lineup import FRONTIER, HOT_LISTS, PUBLISHED
from hgldp.experiments.sweeps.registry import SWEEPS
from hgldp.experiments.sweeps.scale import DOMAINS, Scale
from hgldp.experiments.tables import TABLES
from hgldp.simulation.run import Plan

WHO = {"default": "ours", "as-published": "authors' code"}
MOST_FAILURES = 50


@dataclass(frozen=True)
class Plate:
    """A figure as drawn; `failure` says why there is none."""

    picture: Picture
    svg: str
    failure: str = ""


@dataclass(frozen=True)
class Judged:
    """A claim, with one verdict for each implementation: (who, holds, word, number, why)."""

    id: str
    section: str
    text: str
    verdicts: tuple[tuple[str, bool | None, str, str, str], ...]


@dataclass(frozen=True)
class Ruled:
    """A table of texts."""

    name: str
    title: str
    caption: str
    headings: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class Content:
    """Everything, in the order of the report."""

    scale: str
    settings: tuple[tuple[str, str], ...]
    plates: tuple[Plate, ...]
    claims: tuple[Judged, ...]
    findings: tuple[tuple[str, str, str], ...]
    tables: tuple[Ruled, ...]
    failures: tuple[str, ...]

    def count(self, who: str, holds: bool | None) -> int:
        """How many verdicts of an implementation are so."""
        return sum(verdict[:2] == (who, holds) for claim in self.claims for verdict in claim.verdicts)


def gather(results: Results, pictures: Sequence[Picture], scale: Scale, seconds: float) -> Content:
    """Draw, judge and describe."""
    wanted = {name: SWEEPS[name].measurements(scale) for picture in pictures for name in picture.sweeps}
    paper = results.among(one for sweep in SWEEPS.values() if sweep.judged for one in sweep.measurements(scale))
    return Content(
        scale=scale.name,
        settings=tuple(_settings(results, scale, seconds)),
        plates=tuple(_plate(picture, results, wanted) for picture in pictures),
        claims=tuple(_judge(paper)),
        findings=tuple((finding.title, finding.text, finding.number(paper)) for finding in FINDINGS),
        tables=tuple(_rule(paper)),
        failures=tuple(f"{_name(row.measurement)}: {row.failure}" for row in results.failed[:MOST_FAILURES]),
    )


def _plate(picture: Picture, results: Results, wanted: dict[str, list[Measurement]]) -> Plate:
    mine = results.among(one for name in picture.sweeps for one in wanted[name])
    if not len(mine):
        return Plate(picture, "", "nothing to draw: no measurement of this figure has a result")
    broken = f"{len(mine.failed)} of its measurements failed and are missing from it" if mine.failed else ""
    return Plate(picture, as_svg(picture.draw(mine)), broken)


def _judge(results: Results) -> list[Judged]:
    return [
        Judged(
            claim.id,
            claim.section,
            claim.text,
            tuple(
                (WHO[who], verdict.holds, verdict.word, verdict.number, verdict.why)
                for who, verdict in claim.verdicts(results).items()
            ),
        )
        for claim in CLAIMS
    ]


def _rule(results: Results) -> list[Ruled]:
    made = ((table, table.make(results)) for table in TABLES)
    return [Ruled(table.name, table.title, table.note, grid.headings, grid.rows) for table, grid in made]


def _settings(results: Results, scale: Scale, seconds: float) -> list[tuple[str, str]]:
    data = ", ".join(scale.data) or "none"
    return [
        ("scale", f"{scale.name}: {len(results):,} measurements, {len(results.failed)} failed"),
        ("seeds", f"1 … {scale.repeats}; the largest stream 1 … {len(scale.webdocs_seeds)}"),
        ("ε", ", ".join(f"{epsilon:g}" for epsilon in scale.epsilons)),
        ("synthetic streams", ", ".join(scale.synthetics)),
        ("data sets", f"{data}; for webdocs: {scale.webdocs}"),
        ("not found", ", ".join(scale.missing) or "nothing"),
        ("answers", _answers(scale)),
        ("time of this run", f"{seconds:,.0f} s, what was known from before left out"),
        ("processor time", f"{results.values('seconds').sum():,.0f} s in the simulations themselves"),
        *describe_machine(),
    ]


def _answers(scale: Scale) -> str:
    """How many items are asked for, and how many each kind of server tracks, as the accuracy sweep has it."""
    first = SWEEPS["accuracy"].measurements(scale)[0]
    cells = [Plan(scheme, 1.0, first.k).cells_for(min(DOMAINS)) for scheme in (HOT_LISTS[0], FRONTIER)]
    return (
        f"k = {first.k}; cells: our hot lists {cells[0]}, PFR {cells[1]}, the authors' code {dict(PUBLISHED)['cells']}"
    )


def _name(one: Measurement) -> str:
    settings = "".join(f", {name} {value}" for name, value in one.settings)
    return f"{one.scheme} on {one.stream}, ε = {one.epsilon:g}, seed {one.seed}, warm-up {one.warmup}{settings}"
