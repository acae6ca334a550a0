"""The lines of two answers as those of one: the largest counts first, with ranks among both."""

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from hgldp.model.estimate import Estimate
from hgldp.stores.standing import Reals, in_order

Lines = Sequence[tuple[str, Estimate]]
Expected = Callable[[float], float]


def merged(listed: Lines, spelled: Lines, reports: int, expected: Expected) -> list[tuple[str, Estimate]]:
    """All lines of both parts, best first.

    A line's ranks are those in its own part, and after as many of the other part as are above it for sure, or may be.
    Lines of which nobody knows that in their own part come without ranks here as well. Strings that are not on the list
    may be frequent long before they are spelled out: `expected` says how many of them are above a share.
    """
    unseen = max(0.0, reports - sum(line.count for _, line in listed))

    def unfound(low: float) -> int:
        return round(expected(max(low, 1.0) / reports)) if spelled else int(unseen / max(low, 1.0))

    told = _ranked(listed, spelled, unfound) + _ranked(spelled, listed, lambda _: 0)
    told.sort(key=lambda each: (-each[1].count, each[0]))
    found = [(text, replace(line, item=place)) for place, (text, line) in enumerate(told)]
    ranked = [place for place, (_, line) in enumerate(found) if line.ranks is not None]
    if not ranked:
        return found
    ranks = np.array([found[place][1].ranks for place in ranked])
    ranks[:, 0] = np.minimum(ranks[:, 0], np.array(ranked) + 1)
    ranks[:, 1] = np.maximum(ranks[:, 1], np.array(ranked) + 1)
    if ranked == list(range(len(ranked))):
        lows, highs = np.array([found[place][1].interval for place in ranked]).T
        ranks = in_order(ranks, lows, highs)
    for place, (best, worst) in zip(ranked, ranks.tolist(), strict=True):
        text, line = found[place]
        found[place] = text, replace(line, ranks=(best, worst))
    return found


def _ranked(own: Lines, others: Lines, unfound: Callable[[float], int]) -> list[tuple[str, Estimate]]:
    """Lines with their ranks after those of the other part; so many of that may be above an end, found or not."""
    lows, highs = np.array([line.interval for _, line in others]).reshape(-1, 2).T
    worst = np.array([line.ranks[1] if line.ranks else 0 for _, line in others])
    found = []
    for text, line in own:
        if line.ranks is None:
            found.append((text, line))
            continue
        low, high = line.interval
        above = max(_perhaps_above(low, lows, highs, worst) if others else 0, unfound(low))
        ranks = line.ranks[0] + int((lows > high).sum()), line.ranks[1] + above
        found.append((text, replace(line, ranks=ranks)))
    return found


def _perhaps_above(low: float, lows: Reals, highs: Reals, worst: Reals) -> int:
    """How many of a part may be above an end of an interval: its lines that reach it, and who may be among those."""
    return max(int((highs >= low).sum()), int(worst[lows >= low].max(initial=0)))
