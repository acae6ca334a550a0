"""Time of a client and of the server, each beside a yardstick of the same minute; measured for ours alone."""

from itertools import pairwise

import numpy as np

from hgldp.experiments.judging.claim import Claim, Section, Verdict
from hgldp.experiments.judging.gaps import CLEARLY
from hgldp.experiments.judging.view import KOSARAK, WEBDOCS, Family, NotMeasured, View, on
from hgldp.experiments.measurement import HOT_LISTS, ORACLES, OURS, Measurement
from hgldp.experiments.measuring.client_time import ONE_BY_ONE
from hgldp.experiments.plotting.look import stream_title
from hgldp.experiments.results import Results
from hgldp.experiments.scale import Scale
from hgldp.experiments.studies.costs.lines import LINES, by_stream
from hgldp.experiments.studies.study import ABSENT, Grid, Study, Table, Topic
from hgldp.model.task import FRONTIER

LEVEL, MORE = 1.2, 1.2
BESIDE_WEBDOCS = Family("all streams but webdocs", lambda stream: not WEBDOCS.holds(stream))
LIKE_WEBDOCS = "zipf:n=1000000,d=5260000,s=1.1"
TIMED = 5


def for_claims(scale: Scale) -> list[Measurement]:
    """Clients and servers timed one report at a time, on few repeats."""
    streams = (scale.synthetic("normal", 1000), *scale.data, LIKE_WEBDOCS)
    return [
        Measurement(stream, scheme, 1.0, seed, settings=(ONE_BY_ONE,))
        for stream in streams
        for seed in scale.seeds[:TIMED]
        for scheme in (*HOT_LISTS, FRONTIER, *ORACLES)
    ]


def timed(view: View, scheme: str, value: str, yardstick: str) -> dict[tuple[str, int], float]:
    """A scheme's time on each stream and repeat, in units of the yardstick taken in the same minute."""
    found = {
        (row.measurement.stream, row.measurement.seed): row.values[value] / row.values[yardstick]
        for row in view.results.where(scheme=scheme)
        if value in row.values
    }
    if not found:
        raise NotMeasured(f"{value} of {scheme}")
    return found


def typical(view: View, value: str, yardstick: str) -> dict[str, float]:
    """The mean over streams and repeats."""
    return {scheme: float(np.mean(list(timed(view, scheme, value, yardstick).values()))) for scheme in HOT_LISTS}


def slower(view: View, before: str, after: str, value: str, yardstick: str) -> bool:
    """Whether the second takes longer, beyond two standard errors of the paired differences."""
    one, other = (timed(view, scheme, value, yardstick) for scheme in (before, after))
    gaps = np.array([other[place] - one[place] for place in sorted(one.keys() & other.keys())])
    error = float(gaps.std(ddof=1) / gaps.size**0.5) if gaps.size > 1 else 0.0
    return bool(gaps.mean() > CLEARLY * error)


def rising(view: View, value: str, yardstick: str) -> bool:
    """Whether every scheme takes longer than the one before."""
    return all(slower(view, before, after, value, yardstick) for before, after in pairwise(HOT_LISTS))


def shown(times: dict[str, float], unit: str) -> str:
    """The times as text."""
    return ", ".join(f"{scheme} {value:.2f}" for scheme, value in times.items()) + f" {unit}"


def within(view: View, family: Family) -> View:
    """What was measured on some streams alone."""
    return View(view.need(on(view.results, family), f"times on {family.name}"), view.variant)


def client_in_turn(view: View) -> Verdict:
    """BGR < DSR < BDR < CNR on the client."""
    view = within(view, KOSARAK)
    times = typical(view, "client_us", "word_us")
    why = "plain-Python client, one report, kosarak; each must take clearly longer than the one before"
    return Verdict(rising(view, "client_us", "word_us"), shown(times, "words of entropy"), why)


def server_of_cnr(view: View) -> Verdict:
    """CNR against the other three on the server."""
    view = within(view, KOSARAK)
    times = typical(view, "server_ns", "exact_ns")
    others = [times[scheme] for scheme in HOT_LISTS[:3]]
    holds = times["cnr"] > MORE * max(others) and max(others) <= LEVEL * min(others)
    why = f"per report of a full epoch, kosarak; CNR above {MORE} times the others (printed: 1.4), those within {LEVEL}"
    return Verdict(holds, shown(times, "exact counts"), why)


def slowest_on_webdocs(view: View) -> Verdict:
    """DSR against the others over a domain of that size."""
    view = within(view, WEBDOCS)
    times = typical(view, "client_us", "word_us")
    slowest = all(slower(view, other, "dsr", "client_us", "word_us") for other in ("bgr", "bdr", "cnr"))
    low, high = sorted((times["bdr"], times["cnr"]))
    why = f"plain-Python client, one report over 5.26 million items; DSR above all, BDR and CNR within {LEVEL}"
    return Verdict(slowest and high <= LEVEL * low, shown(times, "words of entropy"), why)


def computation_in_turn(view: View) -> Verdict:
    """Client and server together, in the order of the table."""
    view = within(view, BESIDE_WEBDOCS)
    client, server = typical(view, "client_us", "word_us"), typical(view, "server_ns", "exact_ns")
    holds = rising(view, "client_us", "word_us") and rising(view, "server_ns", "exact_ns")
    number = f"client: {shown(client, 'words')}; server: {shown(server, 'exact counts')}"
    return Verdict(holds, number, "both must rise from BGR to CNR")


def accuracy_costs(view: View) -> Verdict:
    """Whether each step costs client time or server memory."""
    view = within(view, BESIDE_WEBDOCS)
    client = typical(view, "client_us", "word_us")
    state = {scheme: view.accuracy(scheme).mean("state_bytes") for scheme in HOT_LISTS}
    steps = [slower(view, a, b, "client_us", "word_us") or state[b] > state[a] for a, b in pairwise(HOT_LISTS)]
    number = f"client: {shown(client, 'words')}; state: " + ", ".join(f"{s} {n:,.0f} B" for s, n in state.items())
    return Verdict(all(steps), number, "each scheme must cost more client time or more memory than the one before")


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

CLAIMS = (
    Claim(
        "client-time-in-turn",
        Section.SUPPLEMENT,
        "The client's time grows from BGR over DSR and BDR to CNR (Kosarak).",
        client_in_turn,
        (OURS,),
    ),
    Claim(
        "cnr-server-is-slowest",
        Section.SUPPLEMENT,
        "The server's time is about the same for BGR, DSR and BDR, and clearly more for CNR (Kosarak).",
        server_of_cnr,
        (OURS,),
    ),
    Claim(
        "dsr-client-is-slowest-on-webdocs",
        Section.SUPPLEMENT,
        "On Webdocs DSR's clients take longest, and BDR's and CNR's the same.",
        slowest_on_webdocs,
        (OURS,),
    ),
    Claim(
        "computation-in-turn",
        Section.DISCUSSION,
        "Scheme-selection table, computation: BGR first, then DSR, BDR and CNR.",
        computation_in_turn,
        (OURS,),
    ),
    Claim(
        "accuracy-costs-time-or-memory",
        Section.DISCUSSION,
        "Each more accurate scheme costs more computation on the client or more memory on the server.",
        accuracy_costs,
        (OURS,),
    ),
)

STUDY = Study("times", Topic.COSTS, tables=(CLIENT, SERVER, TOGETHER), claims=CLAIMS, for_claims=for_claims)
