"""A stream that changes: a synthetic one whose whole top is replaced half-way, and a shop's year."""

from hgldp.experiments.measure_over_time import HALF_WAY, REPLACED, STEPS
from hgldp.experiments.measurement import Measurement, Setting
from hgldp.experiments.sweeps.lineup import COLD, FRONTIER
from hgldp.experiments.sweeps.scale import Scale
from hgldp.experiments.sweeps.sweep import Sweep

ASKED = 40
EPSILONS = (2.0, 4.0)
MOST_REPEATS = 5
LONG = 10
Settings = tuple[tuple[str, Setting], ...]
FOLLOWERS: dict[str, tuple[str, str, Settings]] = {
    "half-life 1/4": (FRONTIER, COLD, (("half_life", "1/4"),)),
    "half-life 1/8": (FRONTIER, COLD, (("half_life", "1/8"),)),
    "half-life 1/16": (FRONTIER, COLD, (("half_life", "1/16"),)),
    "half-life 1/4, window 1/8": (FRONTIER, COLD, (("half_life", "1/4"), ("window", "1/8"))),
    "window 1/10": (FRONTIER, COLD, (("memory", 49_152), ("window", "1/10"))),
    "dsr": ("dsr", "1%", ()),
    "cnr": ("cnr", "1%", ()),
    "recent oracle": ("olh", COLD, (("window", "1/10"),)),
}


def changing(scale: Scale) -> dict[str, Settings]:
    """The streams, and what is done to them; the shop's year only where there is a copy."""
    replaced: Settings = ((REPLACED, HALF_WAY),)
    shop: dict[str, Settings] = {scale.timestamped: ()} if scale.timestamped else {}
    return {f"zipf:n={LONG * scale.items},d=10000,s=1.1": replaced, **shop}


def measurements(scale: Scale) -> list[Measurement]:
    """Everybody who follows, on every stream that changes."""
    return [
        Measurement(stream, scheme, epsilon, seed, warmup=warmup, settings=((STEPS, ASKED), *change, *settings))
        for stream, change in changing(scale).items()
        for seed in scale.seeds[:MOST_REPEATS]
        for epsilon in EPSILONS
        for scheme, warmup, settings in FOLLOWERS.values()
    ]


FRONTIER_DRIFT = Sweep("frontier-drift", "Who follows a stream that changes", measurements, judged=False)
