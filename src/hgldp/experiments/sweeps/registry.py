"""Every sweep by its name."""

from hgldp.experiments.sweeps.accuracy import ACCURACY
from hgldp.experiments.sweeps.allocation import ALLOCATION
from hgldp.experiments.sweeps.claims import CLAIMS
from hgldp.experiments.sweeps.defaults import DEFAULTS
from hgldp.experiments.sweeps.epochs import EPOCHS
from hgldp.experiments.sweeps.frontier_drift import FRONTIER_DRIFT
from hgldp.experiments.sweeps.frontier_length import FRONTIER_LENGTH
from hgldp.experiments.sweeps.frontier_memory import FRONTIER_MEMORY
from hgldp.experiments.sweeps.hot_share import HOT_SHARE
from hgldp.experiments.sweeps.mechanisms import MECHANISMS
from hgldp.experiments.sweeps.sweep import Sweep
from hgldp.experiments.sweeps.warm_up import WARM_UP
from hgldp.experiments.sweeps.webdocs import WEBDOCS

PAPER = (ACCURACY, WEBDOCS, ALLOCATION, HOT_SHARE, WARM_UP, MECHANISMS, EPOCHS, CLAIMS)
BEYOND = (DEFAULTS, FRONTIER_MEMORY, FRONTIER_LENGTH, FRONTIER_DRIFT)
SWEEPS: dict[str, Sweep] = {sweep.name: sweep for sweep in (*PAPER, *BEYOND)}
