"""One CSV a sweep: a row for each run, its settings first, then its values."""

import csv
from io import StringIO

from hgldp.experiments.results import Results

FIELDS = ("stream", "scheme", "epsilon", "seed", "k", "warmup")


def as_csv(results: Results) -> str:
    """Numbers with seven significant digits; what a row does not have is empty."""
    settings = sorted({name for row in results for name, _ in row.measurement.settings})
    values = list(dict.fromkeys(name for row in results for name in row.values))
    out = StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([*FIELDS, *settings, *(_value_heading(name, settings) for name in values)])
    for row in results:
        told = [row.measurement.get(name) for name in FIELDS]
        chosen = dict(row.measurement.settings)
        measured = [f"{row.values[name]:.7g}" if name in row.values else "" for name in values]
        writer.writerow([*told, *(chosen.get(name, "") for name in settings), *measured])
    return out.getvalue()


def _value_heading(name: str, settings: list[str]) -> str:
    return f"{name}_used" if name in settings else name
