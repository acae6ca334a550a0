"""What the figures must reach, and which of them do not."""

from collections.abc import Iterator, Mapping

from benchmarks.cold.contestants import BIG, DRIFTING, HR, OLH, SMALL, STEADY, Contestant, warmed
from benchmarks.cold.rows import Difference, Key, Row

RETAIL_PRECISION = 0.93
WITHIN_DRIFTING, WITHIN_STEADY, MOST_FOR_WARMUP = 0.05, 0.01, 0.02
HIGHEST = 8.0
Rows = Mapping[Key, Row]


def missed(rows: Rows, warmup: float) -> Iterator[str]:
    """One line for each bar that is not reached; a row that was not measured is no miss."""
    for stream in DRIFTING:
        yield from _behind(rows, stream, SMALL, HR, "precision", WITHIN_DRIFTING)
        yield from _behind(rows, stream, BIG, OLH, "precision", WITHIN_DRIFTING)
    for stream in STEADY:
        yield from _behind(rows, stream, BIG, OLH, "ndcg", WITHIN_STEADY)
    retail = rows.get(("retail", SMALL.title, HIGHEST))
    if retail is not None and retail.mean("precision") < RETAIL_PRECISION:
        yield f"retail, ε = {HIGHEST:g}: {SMALL.title} has {retail.mean('precision'):.3f} < {RETAIL_PRECISION}"
    if warmup:
        for stream in dict.fromkeys(stream for stream, _, _ in rows):
            for one in (SMALL, BIG):
                yield from _behind(rows, stream, warmed(one, warmup), one, "precision", MOST_FOR_WARMUP)


def _behind(rows: Rows, stream: str, ours: Contestant, other: Contestant, metric: str, most: float) -> Iterator[str]:
    for epsilon in sorted({epsilon for name, _, epsilon in rows if name == stream}):
        mine, theirs = (rows.get((stream, one.title, epsilon)) for one in (ours, other))
        if mine is None or theirs is None:
            continue
        gap = theirs.mean(metric) - mine.mean(metric)
        if gap > most:
            yield (
                f"{stream}, ε = {epsilon:g}: {metric} of {ours.title} is {mine.mean(metric):.3f}, "
                f"more than {most:g} below {other.title} with {theirs.mean(metric):.3f}"
            )


def lost(differences: list[Difference]) -> Iterator[str]:
    """One line for each row that lost more than it may, or more than chance explains."""
    for one in differences:
        if one.lost or one.surely_lost:
            why = [
                text for text, holds in (("more than .01", one.lost), ("more than 2 s.e.", one.surely_lost)) if holds
            ]
            stream, contestant, epsilon = one.row.key
            size = f"{one.gain:+.3f} ± {one.error:.3f} of {one.metric}"
            yield f"{stream}, ε = {epsilon:g}: {contestant} lost {' and '.join(why)}: {size}"
