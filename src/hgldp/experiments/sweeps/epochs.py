"""Bulletins per epoch instead of per report: what they cost to publish, and what they cost in accuracy."""

from hgldp.experiments.measurement import Measurement, Setting
from hgldp.experiments.sweeps.lineup import HOT_LISTS
from hgldp.experiments.sweeps.scale import Scale
from hgldp.experiments.sweeps.sweep import Sweep

EPSILON = 2.0
SHARES_OF_THE_STREAM = (1e-4, 3e-4, 1e-3, 3e-3, 1e-2)
SHORTEST = (1, 3)


def lengths(items: int) -> list[int]:
    """From one report to 1 % of the stream.

    >>> lengths(100_000)
    [1, 3, 10, 30, 100, 300, 1000]
    """
    return sorted({*SHORTEST, *(max(1, round(share * items)) for share in SHARES_OF_THE_STREAM)})


def measurements(scale: Scale) -> list[Measurement]:
    """Epochs of one length from beginning to end: they do not grow with the stream, as they do by default."""
    streams = (scale.synthetic("normal", 1000), scale.synthetic("exponential", 1000))
    found = []
    for stream in streams:
        for seed in scale.seeds:
            for length in lengths(scale.items):
                settings: tuple[tuple[str, Setting], ...] = (("epoch", length), ("growth", 0.0))
                found += [Measurement(stream, scheme, EPSILON, seed, settings=settings) for scheme in HOT_LISTS]
    return found


EPOCHS = Sweep("epochs", "Bulletins per epoch instead of per report", measurements)
