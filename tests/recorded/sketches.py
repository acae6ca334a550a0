"""Stores that no tracker needs: HeavyGuardian, which has no privacy, and the histogram of the exhaustive mechanisms."""

import random
from collections.abc import Iterable
from fractions import Fraction
from functools import partial
from typing import Any

from hgldp.mechanisms.registry import MECHANISMS
from hgldp.model.randomness import SeededWords
from hgldp.schemes.exhaustive import Exhaustive
from hgldp.stores.heavy_guardian import HeavyGuardian
from hgldp.stores.histogram import Histogram
from tests.recorded.record import Case, Found
from tests.recorded.world import in_lines, skewed

ITEMS = tuple(range(400))
SHAPES: dict[str, dict[str, Any]] = {
    "plain": {"buckets": 4, "heavy_cells": 8},
    "one-bucket": {"buckets": 1, "heavy_cells": 16},
    "many-buckets": {"buckets": 97, "heavy_cells": 2},
    "light-part": {"buckets": 4, "heavy_cells": 6, "light_cells": 32},
    "inverted-decay": {"buckets": 4, "heavy_cells": 8, "inverted_decay": True},
    "inverted-decay-light-part": {"buckets": 2, "heavy_cells": 8, "light_cells": 5, "inverted_decay": True},
    "other-base": {"buckets": 4, "heavy_cells": 8, "decay_base": 1.5, "light_cells": 8},
}


def _sketch(shape: dict[str, Any], *, weighted: bool, seed: int = 1) -> HeavyGuardian:
    sketch = HeavyGuardian(**shape, seed=5)
    items = skewed(ITEMS, 6_000, seed)
    if weighted:
        draw = random.Random(seed)
        sketch.update(items, [draw.choice((1, 1, 2, 7, 300)) for _ in items])
    else:
        sketch.update(items)
    return sketch


def _described(sketch: HeavyGuardian) -> Found:
    best = "\n".join(f"{line.item} {line.count} {line.low} {line.high}" for line in sketch.most_common(50))
    asked = [f"{item} {sketch.guard(item)} {tuple(sketch.estimate(item))}" for item in ITEMS[::7]]
    return {"state": sketch.serialize(), "most-common": best, "asked": "\n".join(asked)}


def _guarded(shape: dict[str, Any], *, weighted: bool) -> Found:
    return _described(_sketch(shape, weighted=weighted))


def _merged(shape: dict[str, Any]) -> Found:
    """Two sketches become one, which goes on after it was written and read."""
    both = _sketch(shape, weighted=False).merge(_sketch(shape, weighted=True, seed=2))
    again = HeavyGuardian.deserialize(both.serialize())
    again.update(skewed(ITEMS, 1_000, 3))
    return {**_described(both), "gone-on": again.serialize()}


def _counted(name: str, size: int, epsilon: float) -> Found:
    """Every report of a stream, and what the histogram says about it."""
    scheme, store, words = Exhaustive(MECHANISMS[name](size, epsilon)), Histogram(size), SeededWords(3)
    reports = [scheme.randomize(item, words) for item in skewed(range(size), 600, 4)]
    for report in reports:
        scheme.insert(store, report)
    lines = scheme.respond(store, 8)
    return {
        "reports": "\n".join(_ordered(report) for report in reports),
        "state": store.serialize(),
        "top": in_lines((line.item, line) for line in lines),
    }


def _ordered(report: object) -> str:
    """A set has no order of its own."""
    return repr(sorted(report) if isinstance(report, set | frozenset) else report)


def _added(batches: Iterable[tuple[list[int], int, list[int] | None]]) -> Found:
    """Histograms by hand: each batch into one of two, which are merged."""
    halves = Histogram(5), Histogram(5)
    for number, (scores, reports, squares) in enumerate(batches):
        halves[number % 2].add(scores, reports, squares)
    halves[0].merge(halves[1])
    terms = {"p": Fraction(3, 4), "q": Fraction(1, 4), "noise_variance": Fraction(3, 16)}
    lines = halves[0].estimates(5, **terms)
    again = Histogram.deserialize(halves[0].serialize())
    assert again == halves[0], "what was read again must be what was written"
    return {"state": halves[0].serialize(), "top": in_lines((line.item, line) for line in lines)}


def _cases() -> dict[str, Case]:
    found: dict[str, Case] = {}
    for name, shape in SHAPES.items():
        found[f"heavyguardian-{name}"] = partial(_guarded, shape, weighted=False)
        found[f"heavyguardian-{name}-weights"] = partial(_guarded, shape, weighted=True)
        found[f"heavyguardian-{name}-merged"] = partial(_merged, shape)
    for name in MECHANISMS:
        found[f"histogram-{name}-low"] = partial(_counted, name, 20, 0.8)
        found[f"histogram-{name}-high"] = partial(_counted, name, 31, 4.0)
    plain = [([5, 1, 4, 0, 2], 10, None), ([7, 0, 1, 2, 2], 11, None), ([1, 9, 0, 0, 3], 12, None)]
    squared = [([5, -1, 4, 0, 2], 10, [9, 1, 4, 0, 4]), ([-7, 0, 1, 2, 2], 11, [49, 2, 1, 4, 4])]
    found["histogram-by-hand"] = partial(_added, plain)
    found["histogram-by-hand-squares"] = partial(_added, squared)
    found["histogram-by-hand-wide"] = partial(_added, [([1 << 40, 1, 2, 3, 4], 1 << 41, None), plain[0]])
    return found


SKETCHES = _cases()
