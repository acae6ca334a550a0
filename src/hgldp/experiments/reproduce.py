"""From a request to a folder: measure what is missing, draw, judge, write."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from hgldp.errors import InvalidField
from hgldp.experiments.cache import Cache
from hgldp.experiments.measurement import Measurement
from hgldp.experiments.measuring.streams import Library
from hgldp.experiments.pool import Advance, Workload, work
from hgldp.experiments.report import Content, as_html, as_markdown, gather
from hgldp.experiments.results import Results
from hgldp.experiments.scale import Scale
from hgldp.experiments.studies.registry import PICTURES, SWEEPS
from hgldp.experiments.studies.study import Picture

CACHE = Path(".cache") / "results.jsonl"
HTML = "report.html"
MARKDOWN = "report.md"


@dataclass(frozen=True)
class Request:
    """What to reproduce, at which scale, from which data, into which folder."""

    pictures: tuple[Picture, ...]
    scale: Scale
    library: Library
    out: Path

    @classmethod
    def of(cls, names: Sequence[str], scale: Scale, library: Library, out: Path) -> "Request":
        """All figures, or some by their names."""
        for name in names:
            if name not in PICTURES:
                raise InvalidField("only", f"must be a figure, one of {', '.join(PICTURES)}", name)
        pictures = tuple(PICTURES[name] for name in names or PICTURES)
        return cls(pictures, scale.with_data(library), library, out)

    @property
    def sweeps(self) -> dict[str, list[Measurement]]:
        """The measurements of each sweep that the figures need; of every sweep if all figures are asked for."""
        names = dict.fromkeys(name for picture in self.pictures for name in picture.sweeps)
        if len(self.pictures) == len(PICTURES):
            names = dict.fromkeys(SWEEPS)
        return {name: SWEEPS[name].measurements(self.scale) for name in names}


def reproduce(request: Request, announce: Callable[[Workload], Advance]) -> Content:
    """Measure, judge, draw, write. `announce` is told what there is to do, and returns what is told of progress."""
    begin = time.monotonic()
    sweeps = request.sweeps
    with Cache(request.out / CACHE) as cache:
        load = Workload.of([one for some in sweeps.values() for one in some], cache, request.library)
        results = work(load, cache, request.library, announce(load))
    content = gather(results, request.pictures, request.scale, time.monotonic() - begin)
    try:
        write(content, results, sweeps, request.out)
    except OSError as failure:
        rule = "must be a folder that can be written to"
        raise InvalidField("out", rule, f"{request.out} ({failure.strerror or 'unwritable'})") from None
    return content


def write(content: Content, results: Results, sweeps: dict[str, list[Measurement]], out: Path) -> None:
    """The two reports, a file for each figure and one for the numbers of each sweep."""
    for folder in ("figures", "data"):
        (out / folder).mkdir(exist_ok=True)
    for figure in content.figures:
        if figure.svg:
            (out / "figures" / f"{figure.picture.name}.svg").write_text(figure.svg, encoding="utf-8")
    for name, measurements in sweeps.items():
        (out / "data" / f"{name}.csv").write_text(results.among(measurements).csv, encoding="utf-8")
    (out / HTML).write_text(as_html(content), encoding="utf-8")
    (out / MARKDOWN).write_text(as_markdown(content), encoding="utf-8")
