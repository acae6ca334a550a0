"""Everybody on one stream: schemes, oracles without a bound, what can be had at best, and the authors' code."""

from collections.abc import Iterable, Iterator

from hgldp.experiments.measurement import NO_BUDGET, WARMUP, Measurement, Setting
from hgldp.simulation.run import HEAVY_GUARDIAN

HOT_LISTS = ("bgr", "dsr", "bdr", "cnr")
FRONTIER = "pfr"
ORACLES = ("grr", "hr", "olh")
COLD = "0"
PUBLISHED: tuple[tuple[str, Setting], ...] = (("variant", "as-published"), ("cells", 20))


def lineup(stream: str, epsilons: Iterable[float], seeds: Iterable[int]) -> Iterator[Measurement]:
    """Every contestant at every budget under every seed; the authors' code has as many cells as answers, as printed."""
    budgets = tuple(epsilons)
    for seed in seeds:
        yield Measurement(stream, WARMUP, NO_BUDGET, seed)
        yield Measurement(stream, HEAVY_GUARDIAN, NO_BUDGET, seed)
        yield Measurement(stream, HEAVY_GUARDIAN, NO_BUDGET, seed, settings=PUBLISHED)
        for epsilon in budgets:
            for scheme in (*HOT_LISTS, FRONTIER, *ORACLES):
                yield Measurement(stream, scheme, epsilon, seed)
            yield Measurement(stream, FRONTIER, epsilon, seed, warmup=COLD)
            for scheme in HOT_LISTS:
                yield Measurement(stream, scheme, epsilon, seed, settings=PUBLISHED)
