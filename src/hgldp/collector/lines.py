"""A tracker's answer as the lines that people read."""

from collections.abc import Iterable, Sequence

from hgldp.collector.views import Line
from hgldp.model.estimate import Estimate


def lines_of(answer: Iterable[tuple[object, Estimate]], before: Sequence[Line]) -> tuple[Line, ...]:
    """Ranked lines, with how far each item has climbed since an earlier top."""
    ranks = {line.item: rank for rank, line in enumerate(before)}
    found = []
    for rank, (item, estimate) in enumerate(answer):
        shown = item if isinstance(item, int | str) else str(item)
        low, high = estimate.interval
        found.append(
            Line(
                item=shown,
                estimate=estimate.count,
                standard_error=estimate.standard_error,
                low=low,
                high=high,
                tracked_count=estimate.tracked_count,
                tracked_error=estimate.tracked_error,
                since=estimate.since,
                rank_change=ranks[shown] - rank if shown in ranks else None,
            )
        )
    return tuple(found)
