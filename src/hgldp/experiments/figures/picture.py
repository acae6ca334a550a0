"""A figure of the report: its name, what it shows, which sweeps it needs, and how it is drawn."""

from collections.abc import Callable
from dataclasses import dataclass

from matplotlib.figure import Figure

from hgldp.experiments.results import Results


@dataclass(frozen=True)
class Picture:
    """`draw` gets the results of its sweeps and nothing else."""

    name: str
    title: str
    caption: str
    sweeps: tuple[str, ...]
    draw: Callable[[Results], Figure]
