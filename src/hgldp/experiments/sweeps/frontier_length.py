"""PFR's accuracy against the number of reports, at budgets from 0.25 to 8, with nothing tuned."""

from hgldp.experiments.measurement import Measurement, Setting
from hgldp.experiments.sweeps.lineup import COLD, FRONTIER
from hgldp.experiments.sweeps.scale import FULL, Scale
from hgldp.experiments.sweeps.sweep import Sweep

EPSILONS = (0.25, 0.5, 1.0, 2.0, 4.0, 8.0)
LENGTHS = (50_000, 150_000, 500_000, 1_500_000, 4_000_000, 8_000_000)
FEW = 2
MOST_REPEATS = 5
UNLIMITED = "olh"
CELLS: tuple[tuple[str, Setting], ...] = (("cells", 256),)


def stream_of(length: int) -> str:
    """Zipf over a hundred thousand items."""
    return f"zipf:n={length},d=100000,s=1.1"


def measurements(scale: Scale) -> list[Measurement]:
    """256 cells throughout, and OLH with a counter for each item beside it; short streams alone in a quick look."""
    lengths = LENGTHS if scale.items >= FULL.items else LENGTHS[:FEW]
    return [
        one
        for length in lengths
        for seed in scale.seeds[:MOST_REPEATS]
        for epsilon in EPSILONS
        for one in (
            Measurement(stream_of(length), FRONTIER, epsilon, seed, warmup=COLD, settings=CELLS),
            Measurement(stream_of(length), UNLIMITED, epsilon, seed, warmup=COLD),
        )
    ]


FRONTIER_LENGTH = Sweep("frontier-length", "PFR against the number of reports", measurements, judged=False)
