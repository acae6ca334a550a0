"""The lines that the cost tables share: every scheme, ours and as published, and the oracles beside them."""

from collections.abc import Callable
from dataclasses import dataclass

from hgldp.experiments.judging.view import FIGURES, QUOTED, Family, NotMeasured, View, on
from hgldp.experiments.measurement import HOT_LISTS, OURS, PUBLISHED
from hgldp.experiments.plotting.look import stream_title
from hgldp.experiments.results import Results
from hgldp.experiments.studies.study import ABSENT, Grid
from hgldp.model.task import FRONTIER
from hgldp.simulation.run import HEAVY_GUARDIAN


@dataclass(frozen=True)
class Line:
    """One scheme in one implementation."""

    label: str
    scheme: str
    variant: str = OURS


LINES = (
    Line("HeavyGuardian (not private)", HEAVY_GUARDIAN),
    Line("GRR", "grr"),
    Line("HR", "hr"),
    Line("OLH", "olh"),
    *(Line(scheme.upper(), scheme) for scheme in (*HOT_LISTS, FRONTIER)),
    *(Line(f"{scheme.upper()}, as published", scheme, PUBLISHED) for scheme in HOT_LISTS),
)
MEASURED = Family("measured streams", lambda stream: FIGURES.holds(stream) or QUOTED.holds(stream))
Cell = Callable[[Results], str]


def streams_of(results: Results) -> list[str]:
    """Every stream of the figures, by domain."""
    rows = on(results.where(clock=None), MEASURED)
    sizes = {row.measurement.stream: row.values.get("domain_size", 0.0) for row in rows}
    return sorted(sizes, key=lambda stream: (sizes[stream], stream))


def by_stream(results: Results, cell: Cell) -> Grid:
    """A row for every line, a column for every stream."""
    streams = streams_of(results)
    rows = tuple((line.label, *(_cell(results, line, stream, cell) for stream in streams)) for line in LINES)
    kept = tuple(row for row in rows if any(text != ABSENT for text in row[1:]))
    return Grid(("", *(stream_title(stream) for stream in streams)), kept)


def _cell(results: Results, line: Line, stream: str, cell: Cell) -> str:
    only = Family(stream, lambda name: name == stream)
    try:
        return cell(View(results, line.variant).accuracy(line.scheme, only))
    except NotMeasured:
        return ABSENT
