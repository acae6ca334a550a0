"""The cells of the tables, once for the terminal and once for the document."""

from collections.abc import Sequence

from benchmarks.field.bars import Bar
from benchmarks.field.contest import Contest
from benchmarks.field.rows import Quality, Row
from hgldp.cli.units import in_bytes
from hgldp.simulation.metrics import Scores

NONE = "–"
Cells = tuple[str, ...]
LEGEND = (
    ("batch, one by one", "million items or reports a second of CPU time in one thread; – where there is no such call"),
    ("× bincount", "how many times as long as numpy.bincount over the same stream in the same process, at its best"),
    ("reports", "runs × reports a run; fewer where all of them would take too long: compare such rows with care"),
    ("client, server", "the same rate for the two halves alone, one report at a time"),
    ("P, NDCG, AAE", "share of the true top k found, quality of the order, mean error of the counts"),
    ("state", "bytes that the server or sketch keeps; * measured by tracemalloc, ° as the library declares it"),
    ("", "^ pickled, ' the arrays themselves, no mark: serialised; ! more than the budget"),
    ("upload", "bytes of one report, packed as tightly as its values allow"),
)
MARKS = {"serialised": "", "traced": "*", "declared": "°", "pickled": "^", "array": "'", "unknown": ""}


def rate(per_second: float | None) -> str:
    """Millions a second, three figures.

    >>> rate(31_080_000), rate(1421), rate(None)
    ('31.1', '0.00142', '–')
    """
    return NONE if per_second is None else f"{per_second / 1e6:.3g}"


def times(ratio: float | None) -> str:
    """A ratio with as many figures as it deserves.

    >>> times(1.234), times(123_456.0)
    ('1.2', '123,456')
    """
    if ratio is None:
        return NONE
    return f"{ratio:.1f}" if ratio < 100 else f"{ratio:,.0f}"


def state(quality: Quality, measured: str) -> str:
    """Bytes, how they were measured, and whether they are too many."""
    if quality.state_bytes is None:
        return "unknown"
    return in_bytes(quality.state_bytes) + MARKS[measured] + ("!" if quality.over_budget else "")


def quality_cells(quality: Quality | Scores) -> Cells:
    """Precision, NDCG and AAE."""
    return (
        f"{quality.precision:.2f}",
        f"{quality.ndcg:.2f}",
        NONE if quality.aae is None else f"{quality.aae:,.0f}",
    )


def headings(contest: Contest) -> Cells:
    """Of one contest."""
    speed = ("batch", "× bincount", "one by one")
    if contest.kind == "private":
        return ("library", "", "reports", *speed, "client", "server", "P", "NDCG", "AAE", "state", "upload", "")
    sizes = [part for budget in contest.budgets for part in (f"P, {in_bytes(budget)}", "NDCG", "AAE", "state")]
    return ("library", "", *speed, *sizes, "")


def cells(row: Row, contest: Contest) -> Cells:
    """One row of a contest; of a failure only its error."""
    name = (row.library or "Python", row.title)
    if row.showing is None:
        return (*name, *[""] * (len(headings(contest)) - 3), row.error)
    shown = row.showing
    speed = (rate(shown.batch_rate), times(row.times_bincount), rate(shown.single_rate))
    measured = [(*quality_cells(one), state(one, shown.measured)) for one in row.quality]
    if contest.kind == "sketch":
        return (*name, *speed, *(part for one in measured for part in one), row.remark)
    halves = (rate(shown.client_rate), rate(shown.server_rate))
    upload = NONE if shown.upload_bytes is None else f"{shown.upload_bytes:,.3g}"
    reports = f"{shown.rounds} × {shown.n:,}"
    return (*name, reports, *speed, *halves, *measured[0], upload, row.remark)


def sample_cells(scores: Scores, contest: Contest) -> Cells:
    """The row of the raw start alone."""
    return (("", "the raw 1 % alone", *[""] * 6, *quality_cells(scores), *[""] * 3))[: len(headings(contest))]


def bar_cells(bar: Bar) -> Cells:
    """One bar."""
    return (bar.what, f"{bar.value:.2f} {bar.unit}", f"≤ {bar.most:g}", "holds" if bar.holds else "does not hold")


def title(contest: Contest) -> str:
    """What is compared on what."""
    on = f"{contest.stream}, k = {contest.k}"
    if contest.kind == "sketch":
        return f"Top {contest.k} without privacy: {on}; speed at {in_bytes(max(contest.budgets))}"
    return f"Top {contest.k} under local differential privacy: {on}, ε = {contest.epsilon:g}"


def ordered(rows: Sequence[Row]) -> list[Row]:
    """Ours first, then the others as registered; failures last."""
    return sorted(rows, key=lambda row: (row.showing is None, not row.ours))
