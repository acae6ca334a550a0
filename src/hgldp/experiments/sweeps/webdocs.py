"""Accuracy on the largest stream, 300 million items, with few budgets and repeats."""

from hgldp.experiments.measurement import Measurement
from hgldp.experiments.sweeps.lineup import lineup
from hgldp.experiments.sweeps.scale import Scale
from hgldp.experiments.sweeps.sweep import Sweep


def measurements(scale: Scale) -> list[Measurement]:
    """The data set where there is a copy, and a Zipf stream of its size where there is none."""
    return list(lineup(scale.webdocs, scale.webdocs_epsilons, scale.webdocs_seeds))


WEBDOCS = Sweep("webdocs", "Accuracy on a stream of the size of webdocs", measurements)
