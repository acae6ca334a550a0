"""Time of a client and of the server, each beside a yardstick taken in the same minute."""

from hgldp.experiments.figures.streams import stream_title
from hgldp.experiments.results import Results
from hgldp.experiments.tables.lines import LINES, by_stream
from hgldp.experiments.tables.table import ABSENT, Grid, Table


def _timed(results: Results, value: str, yardstick: str, unit: str) -> Grid:
    """A row for every scheme, a column for every stream: time, and how many yardsticks it is."""
    rows = Results(tuple(row for row in results if value in row.values))
    streams = [str(stream) for stream in rows.by("stream")]
    found = []
    for line in LINES:
        own = rows.where(scheme=line.scheme, variant=line.variant)
        if len(own):
            found.append((line.label, *(_cell(own.where(stream=stream), value, yardstick) for stream in streams)))
    return Grid(("", *(f"{stream_title(stream)} ({unit})" for stream in streams)), tuple(found))


def _cell(rows: Results, value: str, yardstick: str) -> str:
    if not len(rows):
        return ABSENT
    ratio = float((rows.values(value) / rows.values(yardstick)).mean())
    return f"{rows.mean(value):,.1f} = {ratio:,.1f}×"


def _together(results: Results) -> Grid:
    drawn = Results(tuple(row for row in results if row.values.get("drawn_one_by_one", 0.0)))
    return by_stream(drawn, lambda rows: f"{1e9 * (rows.values('seconds') / rows.values('reports')).mean():,.1f}")


CLIENT = Table(
    "client-time",
    "Time of a client (one report)",
    "Plain Python, one by one, with the operating system's entropy, in microseconds; × counts words of eight random "
    "bytes from the operating system, timed in the same minute. The schemes' clients check task and bulletin too.",
    lambda results: _timed(results, "client_us", "word_us", "µs"),
)
SERVER = Table(
    "server-time",
    "Time of the server (one report of an epoch of 1,000)",
    "In nanoseconds, the renewal of the bulletin included; × counts items of numpy.bincount over the same stream.",
    lambda results: _timed(results, "server_ns", "exact_ns", "ns"),
)
TOGETHER = Table(
    "kernel-time",
    "Time of client and server together in the compiled kernels (one report)",
    "In nanoseconds of one core, mean over all ε and repeats; only where every report was drawn one by one.",
    _together,
)
