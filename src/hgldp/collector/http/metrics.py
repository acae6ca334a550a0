"""Numbers for Prometheus, in its text format: written by hand, because its client library keeps global state."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Mapping
from itertools import accumulate

from hgldp import __version__
from hgldp.collector.views import TaskView

MEDIA_TYPE = "text/plain; version=0.0.4; charset=utf-8"
BUCKETS = (0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1.0, 5.0)
OF_THE_SERVICE = (
    ("start_time_seconds", "gauge", "When the server started."),
    ("disk_free_bytes", "gauge", "Room for the store."),
    ("ready", "gauge", "1 if uploads can be written."),
    ("uploads_waiting", "gauge", "Uploads that wait for the writer."),
    ("commits", "counter", "Groups of uploads made durable."),
)
OF_A_TASK = (
    ("reports", "counter", "Reports counted.", lambda view: view.reports),
    ("uploads_accepted", "counter", "Uploads made durable and counted.", lambda view: view.accepted),
    ("uploads_duplicate", "counter", "Uploads that had been counted before.", lambda view: view.duplicate),
    ("uploads_refused", "counter", "Uploads refused.", lambda view: view.refused),
    ("epoch", "gauge", "Number of the open epoch.", lambda view: view.epoch),
    ("epoch_reports", "gauge", "Reports in the open epoch.", lambda view: view.in_epoch),
    ("epoch_length", "gauge", "Reports that end the open epoch.", lambda view: view.epoch_length),
    ("state_bytes", "gauge", "Bytes of the state between two reports.", lambda view: view.state_bytes),
    ("closed", "gauge", "1 if the task takes no more reports.", lambda view: int(view.closed is not None)),
)
SUMMED = ("reports", "uploads_accepted", "uploads_duplicate", "uploads_refused", "state_bytes")
PRIVATE = "private"


class RequestCounts:
    """How many requests each route answered, with which status, and how long that took, since the start.

    >>> counts = RequestCounts()
    >>> counts.note("/health", 200, 0.002)
    >>> counts.answers["/health", 200], counts.buckets["/health"]
    (1, [0, 1, 0, 0, 0, 0, 0, 0, 0])
    """

    def __init__(self) -> None:
        self.answers: Counter[tuple[str, int]] = Counter()
        self.seconds: dict[str, float] = {}
        self.buckets: dict[str, list[int]] = {}

    def note(self, route: str, status: int, seconds: float) -> None:
        """Count one request."""
        self.answers[route, status] += 1
        self.seconds[route] = self.seconds.get(route, 0.0) + seconds
        self.buckets.setdefault(route, [0] * (len(BUCKETS) + 1))[bisect_left(BUCKETS, seconds)] += 1


def sample(name: str, value: float, **labels: object) -> str:
    """One line.

    >>> sample("x", 2, task='a"b')
    'x{task="a\\\\"b"} 2'
    """
    inner = ",".join(f'{key}="{_escaped(str(text))}"' for key, text in labels.items())
    return f"{name}{{{inner}}} {value}" if inner else f"{name} {value}"


def _escaped(text: str) -> str:
    return text.replace("\\", r"\\").replace('"', r"\"").replace("\n", r"\n")


def family(name: str, kind: str, meaning: str, samples: Iterable[tuple[Mapping[str, object], float]]) -> list[str]:
    """Help, type and samples of one metric; a counter's name ends in _total."""
    full = f"hgldp_{name}_total" if kind == "counter" else f"hgldp_{name}"
    lines = [sample(full, value, **labels) for labels, value in samples]
    return [f"# HELP {full} {meaning}", f"# TYPE {full} {kind}", *lines]


def write_metrics(
    views: Iterable[TaskView], counts: RequestCounts, service: Mapping[str, float], *, all_named: bool
) -> str:
    """Everything on one page. Tasks are named by their ids, never by the names that operators gave them.

    Unless all may be named, those whose results are not public appear only as a sum, under the label "private".
    """
    tasks = list(views)
    named = [view for view in tasks if all_named or view.terms.results == "public"]
    private = [view for view in tasks if not (all_named or view.terms.results == "public")]
    lines = family("build_info", "gauge", "The version that runs.", [({"version": __version__}, 1)])
    for name, kind, meaning in OF_THE_SERVICE:
        lines += family(name, kind, meaning, [({}, service[name])])
    lines += family("tasks", "gauge", "How many tasks there are.", [({}, len(tasks))])
    for name, kind, meaning, value in OF_A_TASK:
        samples: list[tuple[dict[str, object], float]] = [({"task": view.id.hex()}, value(view)) for view in named]
        if private and name in SUMMED:
            samples.append(({"task": PRIVATE}, sum(value(view) for view in private)))
        lines += family(name, kind, meaning, samples)
    answers = [
        ({"route": route, "status": status}, number) for (route, status), number in sorted(counts.answers.items())
    ]
    lines += family("http_requests", "counter", "Requests answered, uploads not among them.", answers)
    return "\n".join([*lines, *_durations(counts), ""])


def _durations(counts: RequestCounts) -> Iterable[str]:
    name = "hgldp_http_request_seconds"
    yield f"# HELP {name} Seconds until a request was answered, uploads not among them."
    yield f"# TYPE {name} histogram"
    for route, buckets in sorted(counts.buckets.items()):
        for limit, number in zip((*BUCKETS, "+Inf"), accumulate(buckets), strict=True):
            yield sample(f"{name}_bucket", number, route=route, le=limit)
        yield sample(f"{name}_sum", round(counts.seconds[route], 6), route=route)
        yield sample(f"{name}_count", sum(buckets), route=route)
