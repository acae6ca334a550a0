"""Bytes of a report, and of the bulletin that it answers."""

from hgldp.experiments.results import Results
from hgldp.experiments.tables.lines import by_stream
from hgldp.experiments.tables.table import Grid, Table


def _per_report(rows: Results, direction: str) -> str:
    return f"{(rows.values(direction) / rows.values('reports')).mean():,.2f}"


def _upload(results: Results) -> Grid:
    return by_stream(results, lambda rows: _per_report(rows, "upload_bytes"))


def _download(results: Results) -> Grid:
    return by_stream(results, lambda rows: _per_report(rows, "download_bytes"))


UPLOAD = Table(
    "upload",
    "Upload (bytes a report)",
    "Whole bytes of the symbol alone, without the bulletin's version or any envelope; mean over all ε and repeats.",
    _upload,
)
DOWNLOAD = Table(
    "download",
    "Download (bytes a report, if the bulletin is fetched for each)",
    "As the paper counts it. A client that keeps the bulletin of the epoch downloads it once an epoch.",
    _download,
)
