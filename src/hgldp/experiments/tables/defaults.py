"""What each setting with a default is worth: means, and the paired gap to the default."""

from hgldp.experiments.claims.gaps import Contest, Point, contest
from hgldp.experiments.claims.view import NotMeasured
from hgldp.experiments.measurement import Setting
from hgldp.experiments.results import Results
from hgldp.experiments.sweeps.defaults import KNOBS, STARTS, WARM, Knob
from hgldp.experiments.sweeps.lineup import COLD
from hgldp.experiments.tables.table import ABSENT, Grid, Table

PRECISION, NDCG, AAE = "precision", "ndcg", "aae"
GAPS = {
    "gap, 1 %": (PRECISION, (WARM,)),
    "gap, cold": (PRECISION, (COLD,)),
    "gap, both": (PRECISION, STARTS),
    "NDCG gap, both": (NDCG, STARTS),
    "AAE gap, 1 %": (AAE, (WARM,)),
    "AAE gap, cold": (AAE, (COLD,)),
}
HEADINGS = ("precision, 1 %", "precision, cold", *GAPS)


def gap_to_default(results: Results, knob: Knob, value: Setting, metric: str) -> Contest:
    """Paired by stream, scheme, ε, warm-up and seed; positive where the value is better than the default."""
    moved, default = knob.rows(results, value), knob.rows(results, knob.default)
    points: list[Point] = []
    for scheme in knob.schemes:
        for start in STARTS:
            first, second = (side.where(scheme=scheme, warmup=start) for side in (moved, default))
            if len(first) and len(second):
                points += contest(first, second, metric).points
    if not points:
        raise NotMeasured(f"{knob.field} = {value} beside its default")
    return Contest(tuple(points))


def make(results: Results) -> Grid:
    """A row for each value of each knob."""
    rows = tuple(
        (
            f"{knob.title} {knob.label(value)}{' (default)' if value == knob.default else ''}",
            *(_mean(knob.rows(results, value).where(warmup=start)) for start in (WARM, COLD)),
            *(_gap(results.where(warmup=starts), knob, value, metric) for metric, starts in GAPS.values()),
        )
        for knob in KNOBS
        for value in knob.values
    )
    return Grid(("", *HEADINGS), tuple(row for row in rows if any(text != ABSENT for text in row[1:])))


def _mean(rows: Results) -> str:
    return f"{rows.mean(PRECISION):.3f}" if len(rows) else ABSENT


def _gap(results: Results, knob: Knob, value: Setting, metric: str) -> str:
    if value == knob.default:
        return ABSENT
    try:
        gap = gap_to_default(results, knob, value, metric)
    except NotMeasured:
        return ABSENT
    if metric == AAE:
        return f"{-100 * gap.gap + 0.0:+.1f} ± {100 * gap.error:.1f} %"
    return f"{gap.gap:+.3f} ± {gap.error:.3f}"


DEFAULTS = Table(
    "defaults",
    "The defaults, one setting moved at a time",
    "Mean over the streams, ε = 1, 2, 4 (as far as run) and the schemes (DSR and CNR; of the split BDR and CNR), with a"
    " raw warm-up of 1 %, cold, or both. Gap: to the default, of precision if nothing else is said, paired by stream,"
    " scheme, ε and seed, ± one standard error; of AAE in per cent of the larger of the two, where less is better.",
    make,
)
