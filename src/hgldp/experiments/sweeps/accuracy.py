"""Accuracy against ε, on the synthetic streams and the real ones."""

from hgldp.experiments.measurement import Measurement
from hgldp.experiments.sweeps.lineup import lineup
from hgldp.experiments.sweeps.scale import Scale
from hgldp.experiments.sweeps.sweep import Sweep


def measurements(scale: Scale) -> list[Measurement]:
    """Every stream, every contestant, every budget."""
    streams = (*scale.synthetics, *scale.data)
    return [one for stream in streams for one in lineup(stream, scale.epsilons, scale.seeds)]


ACCURACY = Sweep("accuracy", "Accuracy against ε on synthetic and real streams", measurements)
