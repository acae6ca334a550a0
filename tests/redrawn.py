"""Write a report of the reproduction again from its own numbers, without measuring: `python -m tests.redrawn [FOLDER]`.

For when a figure, a claim or the page has changed and what computes has not. The settings of the run stay as they were
written. `tests/slow/experiments/report/test_redrawn.py` reads what is committed in docs/reproduction in the same way.
"""

import csv
import re
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from hgldp.experiments.measurement import Measurement
from hgldp.experiments.report import Content, gather
from hgldp.experiments.reproduce import MARKDOWN, write
from hgldp.experiments.results import FIELDS, Results, Row
from hgldp.experiments.scale import FULL, PREFERRED, TIMESTAMPED, Scale
from hgldp.experiments.studies.registry import PICTURES, SWEEPS
from hgldp.experiments.studies.study import Picture

COMMITTED = Path(__file__).resolve().parent.parent / "docs" / "reproduction"
SETTINGS = re.compile(r"^## Settings.*?\n\n(.*?)(?:\n\n|\Z)", re.DOTALL | re.MULTILINE)


def scale_of(folder: Path) -> Scale:
    """The full scale with the data sets that the numbers are from; webdocs had none."""
    with (folder / "data" / "accuracy.csv").open(encoding="utf-8") as lines:
        streams = {row["stream"] for row in csv.DictReader(lines)}
    data = tuple(name for names in PREFERRED for name in names if name in streams)
    return replace(FULL, data=data, timestamped=TIMESTAMPED)


def read(folder: Path, scale: Scale) -> Results:
    """Every run in the folder's spreadsheets, found by what was measured."""
    rows: dict[Measurement, Row] = {}
    for name, sweep in SWEEPS.items():
        wanted = sweep.measurements(scale)
        settings = sorted({setting for one in wanted for setting, _ in one.settings})
        known = {tuple(_text(one, field) for field in (*FIELDS, *settings)): one for one in wanted}
        with (folder / "data" / f"{name}.csv").open(encoding="utf-8") as lines:
            for line in csv.DictReader(lines):
                one = known[tuple(line[field] for field in (*FIELDS, *settings))]
                values = {
                    field.removesuffix("_used"): float(text)
                    for field, text in line.items()
                    if text and field not in FIELDS and field not in settings
                }
                rows[one] = Row(one, values)
    return Results.of(rows.values())


def _text(one: Measurement, name: str) -> str:
    value = one.get(name) if name in FIELDS else dict(one.settings).get(name)
    return "" if value is None else str(value)


def settings_in(markdown: str) -> tuple[tuple[str, str], ...]:
    """The table of settings that a report has."""
    found = SETTINGS.search(markdown)
    lines = found[1].splitlines()[2:] if found else []
    cells = (line.strip("| ").split(" | ", 1) for line in lines)
    return tuple((name.strip(), value.strip()) for name, value in cells)


def redrawn(folder: Path, pictures: Sequence[Picture]) -> tuple[Content, Results, Scale]:
    """What the report would say today, with some of its figures."""
    scale = scale_of(folder)
    results = read(folder, scale)
    content = gather(results, pictures, scale, seconds=0.0)
    kept = settings_in((folder / MARKDOWN).read_text(encoding="utf-8"))
    return replace(content, settings=kept), results, scale


def main(words: Sequence[str]) -> int:
    """Redraw the committed report, or the one in a folder."""
    folder = Path(words[0]) if words else COMMITTED
    content, results, scale = redrawn(folder, tuple(PICTURES.values()))
    write(content, results, {name: sweep.measurements(scale) for name, sweep in SWEEPS.items()}, folder)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
