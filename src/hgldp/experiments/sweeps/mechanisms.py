"""The mechanisms without a bound on memory, side by side."""

from hgldp.experiments.measurement import Measurement
from hgldp.experiments.sweeps.scale import Scale
from hgldp.experiments.sweeps.sweep import Sweep
from hgldp.mechanisms.registry import MECHANISMS as ALL


def measurements(scale: Scale) -> list[Measurement]:
    """Every mechanism at every budget on the normal stream."""
    stream = scale.synthetic("normal", 1000)
    return [
        Measurement(stream, name, epsilon, seed) for seed in scale.seeds for epsilon in scale.epsilons for name in ALL
    ]


MECHANISMS = Sweep("mechanisms", "The mechanisms that count every possible item", measurements)
