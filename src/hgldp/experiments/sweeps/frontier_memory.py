"""PFR's accuracy against its memory, from 32 cells to 4,096, nobody with a warm-up."""

from hgldp.experiments.measurement import Measurement
from hgldp.experiments.sweeps.lineup import COLD, FRONTIER, HOT_LISTS
from hgldp.experiments.sweeps.scale import Scale
from hgldp.experiments.sweeps.sweep import Sweep
from hgldp.model.task import BYTES_PER_CELL

K = 10
CELLS = (32, 64, 128, 256, 512, 1024, 2048, 4096)
UNLIMITED = ("hr", "olh")
MOST_REPEATS = 5


def measurements(scale: Scale) -> list[Measurement]:
    """A top 10, which is as much as 32 cells can give; the others with the memory that they have."""
    found = []
    for stream in (scale.synthetic("normal", 1000), *scale.data):
        for seed in scale.seeds[:MOST_REPEATS]:
            for epsilon in scale.few_epsilons:
                for cells in CELLS:
                    settings = (("cells", cells), ("memory", BYTES_PER_CELL * cells))
                    found.append(Measurement(stream, FRONTIER, epsilon, seed, K, COLD, settings))
                found += [Measurement(stream, name, epsilon, seed, K, COLD) for name in (*HOT_LISTS, *UNLIMITED)]
    return found


FRONTIER_MEMORY = Sweep("frontier-memory", "PFR against its memory", measurements, judged=False)
