"""About how long a measurement takes: only its share of the whole matters, for the order of work and the time left."""

from hgldp.experiments.measurement import WARMUP, Measurement
from hgldp.experiments.streams import Library
from hgldp.mechanisms.registry import MECHANISMS
from hgldp.simulation.generators import is_generator, parse_generator

FIXED = 0.002
PER_REPORT = 4e-8
PER_EPOCH = 2e-6
PFR, PER_CANDIDATE = 0.03, 2e-6
FITS_CACHE, OUT_OF_CACHE = 1_000_000, 1.8
EVERY_VALUE = {"olh": 0.7e-9, "oue": 4e-9, "sue": 4e-9, "rappor": 4e-9, "subset": 0.6e-9}
MOST_OPERATIONS = 2e9
COUNTS_ALONE = 1e-6
UNKNOWN_SIZE = 20_000


def cost(measurement: Measurement, library: Library) -> float:
    """Seconds on one core, as measured on one machine."""
    items = library.about_items(measurement.stream)
    size = parse_generator(measurement.stream).d if is_generator(measurement.stream) else UNKNOWN_SIZE
    scheme = measurement.scheme
    if scheme in EVERY_VALUE and scheme in MECHANISMS:
        operations = items * size
        return FIXED + (operations * EVERY_VALUE[scheme] if operations <= MOST_OPERATIONS else size * COUNTS_ALONE)
    if scheme == WARMUP:
        return FIXED
    epoch = measurement.get("epoch")
    epochs = items / epoch * PER_EPOCH if isinstance(epoch, int) else 0.0
    search = PFR + size * PER_CANDIDATE if scheme == "pfr" else 0.0
    return FIXED + items * PER_REPORT * (OUT_OF_CACHE if size > FITS_CACHE else 1.0) + epochs + search
