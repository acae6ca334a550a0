"""Numbers for Prometheus, in its text format: written by hand, because its client library keeps global state."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from itertools import accumulate

from hgldp import __version__
from hgldp.collector.http.monitoring.upload_counts import UploadCounts
from hgldp.collector.timings import Histogram, Timings
from hgldp.collector.views import TaskView

MEDIA_TYPE = "text/plain; version=0.0.4; charset=utf-8"
BUCKETS = (0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1.0, 5.0)
OF_THE_SERVICE = (
    ("start_time_seconds", "gauge", "When the server started."),
    ("disk_free_bytes", "gauge", "Room for the store."),
    ("data_bytes", "gauge", "Bytes of all files in the data folder."),
    ("last_backup_timestamp_seconds", "gauge", "When hgldp backup last succeeded."),
    ("ready", "gauge", "1 if uploads can be written."),
    ("uploads_under_way", "gauge", "Uploads that have come in and have no answer yet."),
    ("uploads_waiting", "gauge", "Uploads that wait for the writer."),
    ("waiting_bytes", "gauge", "Bytes of the uploads that wait for the writer."),
    ("waiting_seconds", "gauge", "How long the writer has left uploads waiting, at least."),
    ("sealing", "gauge", "1 if this collector puts the inbox of the shared store into the log."),
    ("inbox_bytes", "gauge", "Bytes that wait in the inbox of the shared store, about a second ago."),
    ("commits", "counter", "Groups of uploads made durable."),
    ("failures", "counter", "Requests and uploads that met a bug, and were answered 500."),
    ("log_lines_dropped", "counter", "Log lines that nobody took."),
    ("connections", "gauge", "Open connections."),
    ("connections_refused", "counter", "Connections for which there was no place."),
    ("connections_cut", "counter", "Connections closed to make room for others."),
    ("held_bytes", "gauge", "Bytes of unfinished requests and unread answers."),
    ("last_commit_timestamp_seconds", "gauge", "When a group of uploads was last made durable; 0 if not since start."),
    ("streams", "gauge", "Open dashboards and streams of events."),
    ("log_entries_damaged", "gauge", "Entries of the log that are not as they were written."),
    ("log_read_through_timestamp_seconds", "gauge", "When the whole log was last read through; 0 if not since start."),
    ("process_cpu_seconds", "counter", "Processor time of the process."),
    ("process_resident_memory_bytes", "gauge", "Memory of the process."),
    ("process_open_fds", "gauge", "Open files and connections."),
    ("process_max_fds", "gauge", "How many files and connections may be open."),
)
OF_A_TASK = (
    ("reports", "counter", "Reports counted.", lambda view: view.reports),
    ("uploads_accepted", "counter", "Uploads made durable and counted.", lambda view: view.accepted),
    ("uploads_duplicate", "counter", "Uploads that had been counted before.", lambda view: view.duplicate),
    ("epoch", "gauge", "Number of the open epoch.", lambda view: view.epoch),
    ("epoch_reports", "gauge", "Reports in the open epoch.", lambda view: view.in_epoch),
    ("epoch_length", "gauge", "Reports that end the open epoch.", lambda view: view.epoch_length),
    ("bulletin_timestamp_seconds", "gauge", "When the bulletin in force was published.", lambda view: view.published),
    ("state_bytes", "gauge", "Bytes of the state between two reports.", lambda view: view.state_bytes),
    ("closed", "gauge", "1 if the task takes no more reports.", lambda view: int(view.closed is not None)),
    (
        "reports_kept_since_timestamp_seconds",
        "gauge",
        "The oldest report kept as it came.",
        lambda view: view.kept_since,
    ),
)
OF_THE_WRITER: tuple[tuple[str, str, Callable[[Timings], Histogram]], ...] = (
    ("commit_seconds", "Seconds to make a group of uploads durable.", lambda timings: timings.commit),
    (
        "seal_seconds",
        "Seconds to count the reports that end an epoch, and to publish it.",
        lambda timings: timings.seal,
    ),
    ("top_seconds", "Seconds to compute a live top.", lambda timings: timings.top),
)
SUMMED = ("reports", "uploads_accepted", "uploads_duplicate", "state_bytes")
PRIVATE = "private"


class RequestCounts:
    """How many requests each route answered, with which status, and how long that took, since the start.

    >>> counts = RequestCounts()
    >>> counts.note("/health", 200, 0.002)
    >>> counts.answers["/health", 200], counts.seconds["/health"].counts
    (1, [0, 1, 0, 0, 0, 0, 0, 0, 0])
    """

    def __init__(self) -> None:
        self.answers: Counter[tuple[str, int]] = Counter()
        self.seconds: dict[str, Histogram] = {}

    def note(self, route: str, status: int, seconds: float) -> None:
        """Count one request."""
        self.answers[route, status] += 1
        self.seconds.setdefault(route, Histogram(BUCKETS)).observe(seconds)

    def number_of(self, wanted: int) -> int:
        """How many answers had this status."""
        return sum(number for (_, status), number in list(self.answers.items()) if status == wanted)


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
    """Help, type and samples of one metric; a counter's name ends in _total. Those of any process have no prefix."""
    ours = name if name.startswith("process_") else f"hgldp_{name}"
    full = f"{ours}_total" if kind == "counter" else ours
    lines = [sample(full, value, **labels) for labels, value in samples]
    return [f"# HELP {full} {meaning}", f"# TYPE {full} {kind}", *lines]


def of_tasks(name: str, kind: str, meaning: str, values: Iterable[tuple[str, float | None]]) -> list[str]:
    """The same for a metric of tasks, of which there may be a thousand; a value that is None is left out."""
    lines = family(name, kind, meaning, ())
    full = lines[0].split(" ")[2]
    return lines + [f'{full}{{task="{task}"}} {value}' for task, value in values if value is not None]


def histograms(name: str, meaning: str, some: Iterable[tuple[Mapping[str, object], Histogram]]) -> list[str]:
    """Help, type, and for each histogram its cumulative buckets, its sum and its count."""
    full = f"hgldp_{name}"
    lines = [f"# HELP {full} {meaning}", f"# TYPE {full} histogram"]
    for labels, each in some:
        counts = list(each.counts)
        for bound, number in zip((*each.bounds, "+Inf"), accumulate(counts), strict=True):
            lines.append(sample(f"{full}_bucket", number, **labels, le=bound))
        lines.append(sample(f"{full}_sum", round(each.total, 6), **labels))
        lines.append(sample(f"{full}_count", sum(counts), **labels))
    return lines


def write_metrics(
    views: Iterable[TaskView],
    counts: RequestCounts,
    service: Mapping[str, float],
    uploads: UploadCounts,
    timings: Timings,
    *,
    all_named: bool,
) -> str:
    """Everything on one page. Tasks are named by their ids, never by the names that operators gave them.

    Unless all may be named, those whose results are not public appear only as a sum, under the label "private". What
    is not known (`service` lacks it, or it is None in a view) is left out.
    """
    tasks = list(views)
    named = [(view.id.hex(), view) for view in tasks if all_named or view.terms.results == "public"]
    private = [view for view in tasks if not (all_named or view.terms.results == "public")]
    lines = family("build_info", "gauge", "The version that runs.", [({"version": __version__}, 1)])
    for name, kind, meaning in OF_THE_SERVICE:
        if name in service:
            lines += family(name, kind, meaning, [({}, service[name])])
    lines += family("tasks", "gauge", "How many tasks there are.", [({}, len(tasks))])
    for name, kind, meaning, value in OF_A_TASK:
        numbers = [(task, value(view)) for task, view in named]
        if private and name in SUMMED:
            numbers.append((PRIVATE, sum(value(view) for view in private)))
        lines += of_tasks(name, kind, meaning, numbers)
    last = [(task, uploads.last(view.id)) for task, view in named]
    lines += of_tasks("last_upload_timestamp_seconds", "gauge", "When an upload was last accepted.", last)
    refused = uploads.by_problem({view.id for _, view in named})
    lines += family("uploads_refused", "counter", "Uploads refused, by problem.", refused)
    lines += histograms("upload_seconds", "Seconds from a body to its receipt.", [({}, uploads.seconds)])
    for name, meaning, found in OF_THE_WRITER:
        lines += histograms(name, meaning, [({}, found(timings))])
    answers = [
        ({"route": route, "status": status}, number) for (route, status), number in sorted(counts.answers.items())
    ]
    lines += family("http_requests", "counter", "Requests answered, uploads not among them.", answers)
    slow = [({"route": route}, each) for route, each in sorted(counts.seconds.items())]
    lines += histograms("http_request_seconds", "Seconds until a request was answered, uploads not among them.", slow)
    return "\n".join([*lines, ""])
