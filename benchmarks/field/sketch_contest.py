"""One sketch through its contest: speed at the largest budget, answers and bytes at each of them."""

import tracemalloc
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.field.contest import Contest, Showing
from benchmarks.field.entrants.base import Feed, Sketch, Traced
from benchmarks.field.timing import bincount_rate, feed_one_by_one, rounds, spent

REHEARSAL = 2_000


def fill(sketch: Sketch, prepared: Any) -> None:
    """The whole stream, by the batch call if there is one."""
    many, one = sketch.many(), sketch.one()
    if many is not None:
        many(prepared)
    elif one is not None:
        feed_one_by_one(one, prepared)
    else:
        raise TypeError("a sketch needs a call that takes items")


def run_sketch(make: type[Sketch], contest: Contest, items: NDArray[np.int64], version: str) -> Showing:
    """Everything that is measured of one sketch."""
    largest = max(contest.budgets)
    first = make(largest, contest)
    prepared, few = first.prepare(items), first.prepare(items[:REHEARSAL])
    rehearse(make(largest, contest), few)
    single, filled = _rate(make, contest, lambda sketch: sketch.one(), feed_one_by_one, prepared)
    batch, filled_at_once = _rate(make, contest, lambda sketch: sketch.many(), _at_once, prepared)
    answers, sizes = [], []
    for budget in contest.budgets:
        sketch = filled_at_once or filled if budget == largest else None
        if sketch is None:
            sketch = make(budget, contest)
            fill(sketch, prepared)
        answers.append(sketch.top(contest.k))
        traced = make.measured == Traced.measured
        sizes.append(_traced_bytes(make, budget, contest, prepared) if traced else sketch.state_bytes())
    return Showing(
        n=items.size,
        rounds=1,
        bincount_rate=bincount_rate(items, contest.domain_size),
        batch_rate=None if batch is None else items.size / batch,
        single_rate=None if single is None else items.size / single,
        client_rate=None,
        server_rate=None,
        answers=tuple(answers),
        state_bytes=tuple(sizes),
        measured=make.measured,
        upload_bytes=None,
        version=version,
    )


def rehearse(sketch: Sketch, few: Any) -> None:
    """Whatever compiles, loads or fails, does so before the clock starts."""
    one, many = sketch.one(), sketch.many()
    if one is not None:
        feed_one_by_one(one, few)
    if many is not None:
        many(few)
    sketch.top(1)


def _at_once(call: Callable[[Any], object], prepared: Any) -> None:
    call(prepared)


def _rate(
    make: type[Sketch],
    contest: Contest,
    call_of: Callable[[Sketch], Feed | None],
    how: Callable[[Feed, Any], None],
    prepared: Any,
) -> tuple[float | None, Sketch | None]:
    """The least CPU time of the whole stream at the largest budget, and the sketch that the last round filled."""
    taken: list[float] = []
    sketch = None
    for _ in rounds(contest.seconds):
        sketch = make(max(contest.budgets), contest)
        call = call_of(sketch)
        if call is None:
            return None, None
        taken.append(spent(partial(how, call, prepared)))
    return min(taken), sketch


def _traced_bytes(make: type[Sketch], budget: int, contest: Contest, prepared: Any) -> int:
    """What a fresh sketch holds after the whole stream, as tracemalloc sees it."""
    tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        fresh = make(budget, contest)
        fill(fresh, prepared)
        return tracemalloc.get_traced_memory()[0] - before
    finally:
        tracemalloc.stop()
