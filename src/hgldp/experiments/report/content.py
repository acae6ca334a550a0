"""What a report says, before it is HTML or Markdown."""

import platform
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from hgldp import __version__
from hgldp.experiments.code_version import code_version
from hgldp.experiments.measurement import AUTHORS_CODE, HOT_LISTS, OURS, PUBLISHED, Measurement
from hgldp.experiments.plotting.look import as_svg
from hgldp.experiments.pool import cores
from hgldp.experiments.results import Results
from hgldp.experiments.scale import DOMAINS, Scale
from hgldp.experiments.studies.registry import CLAIMS, FINDINGS, SWEEPS, TABLES
from hgldp.experiments.studies.study import Picture
from hgldp.model.task import FRONTIER
from hgldp.simulation.run import Plan

WHO = {OURS: "ours", PUBLISHED: "authors' code"}
MOST_FAILURES = 50
PACKAGES = ("numpy", "numba", "matplotlib", "rich")
PROCESSORS = Path("/proc/cpuinfo")
MEMORY = Path("/proc/meminfo")


@dataclass(frozen=True)
class DrawnFigure:
    """A figure as drawn; `failure` says why there is none."""

    picture: Picture
    svg: str
    failure: str = ""


@dataclass(frozen=True)
class JudgedClaim:
    """A claim, with one verdict for each implementation: (who, holds, word, number, why)."""

    id: str
    section: str
    text: str
    verdicts: tuple[tuple[str, bool | None, str, str, str], ...]


@dataclass(frozen=True)
class FilledTable:
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
    figures: tuple[DrawnFigure, ...]
    claims: tuple[JudgedClaim, ...]
    findings: tuple[tuple[str, str, str], ...]
    tables: tuple[FilledTable, ...]
    failures: tuple[str, ...]

    def count(self, who: str, holds: bool | None) -> int:
        """How many verdicts on an implementation are like this."""
        return sum(verdict[:2] == (who, holds) for claim in self.claims for verdict in claim.verdicts)


def gather(results: Results, pictures: Sequence[Picture], scale: Scale, seconds: float) -> Content:
    """Draw, judge and describe."""
    wanted = {name: SWEEPS[name].measurements(scale) for picture in pictures for name in picture.sweeps}
    paper = results.among(one for sweep in SWEEPS.values() if sweep.judged for one in sweep.measurements(scale))
    return Content(
        scale=scale.name,
        settings=tuple(_settings(results, scale, seconds)),
        figures=tuple(_figure(picture, results, wanted) for picture in pictures),
        claims=tuple(_judge(paper)),
        findings=tuple((finding.title, finding.text, finding.number(paper, CLAIMS)) for finding in FINDINGS),
        tables=tuple(_fill(paper)),
        failures=tuple(f"{_name(row.measurement)}: {row.failure}" for row in results.failed[:MOST_FAILURES]),
    )


def _figure(picture: Picture, results: Results, wanted: dict[str, list[Measurement]]) -> DrawnFigure:
    mine = results.among(one for name in picture.sweeps for one in wanted[name])
    if not len(mine):
        return DrawnFigure(picture, "", "nothing to draw: no measurement of this figure has a result")
    broken = f"{len(mine.failed)} of its measurements failed and are missing from it" if mine.failed else ""
    return DrawnFigure(picture, as_svg(picture.draw(mine)), broken)


def _judge(results: Results) -> list[JudgedClaim]:
    return [
        JudgedClaim(
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


def _fill(results: Results) -> list[FilledTable]:
    made = ((table, table.make(results)) for table in TABLES)
    return [FilledTable(table.name, table.title, table.note, grid.headings, grid.rows) for table, grid in made]


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
        *_machine(),
    ]


def _answers(scale: Scale) -> str:
    """How many items are asked for and how many cells each kind of server has, in the accuracy sweep."""
    first = SWEEPS["accuracy"].measurements(scale)[0]
    cells = [Plan(scheme, 1.0, first.k).cells_for(min(DOMAINS)) for scheme in (HOT_LISTS[0], FRONTIER)]
    theirs = dict(AUTHORS_CODE)["cells"]
    return f"k = {first.k}; cells: our hot lists {cells[0]}, PFR {cells[1]}, the authors' code {theirs}"


def _name(one: Measurement) -> str:
    settings = "".join(f", {name} {value}" for name, value in one.settings)
    return f"{one.scheme} on {one.stream}, ε = {one.epsilon:g}, seed {one.seed}, warm-up {one.warmup}{settings}"


def _machine() -> list[tuple[str, str]]:
    """The versions and the machine; what the system does not tell is left out."""
    lines = [
        ("hgldp", f"{__version__}, computing code {code_version()}"),
        ("Python", f"{platform.python_implementation()} {sys.version.split()[0]}"),
        ("packages", ", ".join(f"{name} {_version(name)}" for name in PACKAGES)),
        ("system", f"{platform.system()} {platform.machine()}"),
        ("processor", f"{_processor()}, {cores()} core(s) used"),
        ("memory", _gigabytes(_field(MEMORY, "MemTotal"))),
    ]
    return [(name, value) for name, value in lines if value]


def _processor() -> str:
    """Its name, or its kind where the system has no name for it, as on ARM."""
    return _field(PROCESSORS, "model name") or platform.processor() or platform.machine()


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "unknown"


def _gigabytes(text: str) -> str:
    """From a number of kilobytes as the system writes it.

    >>> _gigabytes("24682740 kB"), _gigabytes("")
    ('24.7 GB', '')
    """
    kilobytes = text.removesuffix("kB").strip()
    return f"{int(kilobytes) / 1e6:.1f} GB" if kilobytes.isdecimal() else ""


def _field(path: Path, name: str) -> str:
    try:
        lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return ""
    return next((line.partition(":")[2].strip() for line in lines if line.startswith(name)), "")


def summary(content: Content) -> list[str]:
    """How many claims hold, for each implementation."""
    return [
        f"Of the paper's claims, at the scale {content.scale}, {content.count(who, True)} hold, "
        f"{content.count(who, False)} do not, and "
        f"{content.count(who, None)} could not be judged from what was run, for {name}."
        for who, name in (("ours", "our implementation"), ("authors' code", "the authors' code as published"))
    ]
