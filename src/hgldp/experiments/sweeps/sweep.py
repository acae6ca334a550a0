"""A sweep: which measurements belong together, at any scale."""

from collections.abc import Callable
from dataclasses import dataclass

from hgldp.experiments.measurement import Measurement
from hgldp.experiments.sweeps.scale import Scale


@dataclass(frozen=True)
class Sweep:
    """Named measurements; each name is one CSV. What is not `judged` is no concern of the paper's claims and tables."""

    name: str
    title: str
    measurements: Callable[[Scale], list[Measurement]]
    judged: bool = True
