"""Bytes that the server keeps."""

from hgldp.experiments.results import Results
from hgldp.experiments.tables.lines import by_stream
from hgldp.experiments.tables.table import Grid, Table


def _make(results: Results) -> Grid:
    return by_stream(results, lambda rows: f"{rows.mean('state_bytes'):,.0f}")


MEMORY = Table(
    "memory",
    "Memory of the server (bytes of serialised state)",
    "HeavyGuardian and our hot lists have 2k = 40 cells, PFR 256, the published schemes k = 20; GRR, HR and OLH keep a "
    "counter for every possible item. HR's counters are a power of two, so it grows in steps.",
    _make,
)
