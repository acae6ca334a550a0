"""From a wish to a folder: measure what is missing, draw, judge, write."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from hgldp.errors import InvalidField
from hgldp.experiments.cache import Cache
from hgldp.experiments.figures.picture import Picture
from hgldp.experiments.figures.registry import PICTURES
from hgldp.experiments.measurement import Measurement
from hgldp.experiments.report.content import Content, gather
from hgldp.experiments.report.html import as_html
from hgldp.experiments.report.markdown import as_markdown
from hgldp.experiments.report.spreadsheet import as_csv
from hgldp.experiments.results import Results
from hgldp.experiments.streams import Library
from hgldp.experiments.sweeps.registry import SWEEPS
from hgldp.experiments.sweeps.scale import Scale
from hgldp.experiments.work import Advance, Workload, work

CACHE = Path(".cache") / "results.jsonl"
HTML, MARKDOWN = "report.html", "report.md"


@dataclass(frozen=True)
class Wish:
    """What to reproduce, at which scale, from which data, into which folder."""

    pictures: tuple[Picture, ...]
    scale: Scale
    library: Library
    out: Path

    @classmethod
    def of(cls, names: Sequence[str], scale: Scale, library: Library, out: Path) -> "Wish":
        """All figures, or some by their names."""
        for name in names:
            if name not in PICTURES:
                raise InvalidField("only", f"must be a figure, one of {', '.join(PICTURES)}", name)
        pictures = tuple(PICTURES[name] for name in names or PICTURES)
        return cls(pictures, scale.with_data(library), library, out)

    @property
    def sweeps(self) -> dict[str, list[Measurement]]:
        """The measurements of each sweep that is needed; what only claims ask for, with all figures."""
        names = dict.fromkeys(name for picture in self.pictures for name in picture.sweeps)
        if len(self.pictures) == len(PICTURES):
            names = dict.fromkeys(SWEEPS)
        return {name: SWEEPS[name].measurements(self.scale) for name in names}


def reproduce(wish: Wish, announce: Callable[[Workload], Advance]) -> Content:
    """Everything, written. `announce` hears what there is to do, and gives what hears of the progress."""
    begin = time.monotonic()
    sweeps = wish.sweeps
    with Cache(wish.out / CACHE) as cache:
        load = Workload.of([one for some in sweeps.values() for one in some], cache, wish.library)
        results = work(load, cache, wish.library, announce(load))
    content = gather(results, wish.pictures, wish.scale, time.monotonic() - begin)
    try:
        write(content, results, sweeps, wish.out)
    except OSError as failure:
        rule = "must be a folder that can be written to"
        raise InvalidField("out", rule, f"{wish.out} ({failure.strerror or 'unwritable'})") from None
    return content


def write(content: Content, results: Results, sweeps: dict[str, list[Measurement]], out: Path) -> None:
    """The two reports, a file for each figure and one for the numbers of each sweep."""
    for folder in ("figures", "data"):
        (out / folder).mkdir(exist_ok=True)
    for plate in content.plates:
        if plate.svg:
            (out / "figures" / f"{plate.picture.name}.svg").write_text(plate.svg, encoding="utf-8")
    for name, measurements in sweeps.items():
        (out / "data" / f"{name}.csv").write_text(as_csv(results.among(measurements)), encoding="utf-8")
    (out / HTML).write_text(as_html(content), encoding="utf-8")
    (out / MARKDOWN).write_text(as_markdown(content), encoding="utf-8")
