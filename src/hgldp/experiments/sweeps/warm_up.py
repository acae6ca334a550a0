"""What the raw start is worth: donated samples that are wrong, small or good, the stream's own start, and none."""

from hgldp.experiments.measurement import NO_BUDGET, WARMUP, Measurement, Setting
from hgldp.experiments.sweeps.allocation import SPLIT_SCHEMES
from hgldp.experiments.sweeps.lineup import COLD, FRONTIER, HOT_LISTS, PUBLISHED
from hgldp.experiments.sweeps.scale import Scale
from hgldp.experiments.sweeps.sweep import Sweep

EPSILON = 2.0
STARTS = (COLD, "uniform 50", "skewed 50", "true 50", "true 500", "1%")


def measurements(scale: Scale) -> list[Measurement]:
    """At the paper's ε = 2 on the normal stream and on kosarak, as far as there is a copy."""
    kosarak = tuple(name for name in scale.data if name.startswith("kosarak"))
    return [
        one
        for stream in (scale.synthetic("normal", 1000), *kosarak)
        for seed in scale.seeds
        for warmup in STARTS
        for one in _after(stream, seed, warmup)
    ]


def _after(stream: str, seed: int, warmup: str) -> list[Measurement]:
    alone = [Measurement(stream, WARMUP, NO_BUDGET, seed, warmup=warmup)] if warmup != COLD else []
    ours = [Measurement(stream, scheme, EPSILON, seed, warmup=warmup) for scheme in (*HOT_LISTS, FRONTIER)]
    theirs = [
        Measurement(stream, scheme, EPSILON, seed, warmup=warmup, settings=_published(scheme, warmup))
        for scheme in HOT_LISTS
    ]
    return alone + ours + theirs


def _published(scheme: str, warmup: str) -> tuple[tuple[str, Setting], ...]:
    """Without a warm-up there is nothing to take γ_h from: the authors' code is then told the true one."""
    told = scheme in SPLIT_SCHEMES and warmup == COLD
    return (*PUBLISHED, ("hot_share", "true")) if told else PUBLISHED


WARM_UP = Sweep("warm-up", "What the warm-up is worth", measurements)
