"""Every figure by its name, in the order of the report."""

from hgldp.experiments.figures.accuracy import ACCURACY, ACCURACY_PUBLISHED
from hgldp.experiments.figures.allocation import ALLOCATION
from hgldp.experiments.figures.bounds import BOUNDS_PICTURE
from hgldp.experiments.figures.defaults import DEFAULTS
from hgldp.experiments.figures.epochs import EPOCHS
from hgldp.experiments.figures.frontier_drift import FRONTIER_DRIFT
from hgldp.experiments.figures.frontier_length import FRONTIER_LENGTH
from hgldp.experiments.figures.frontier_memory import FRONTIER_MEMORY
from hgldp.experiments.figures.hot_share import HOT_SHARE
from hgldp.experiments.figures.mechanisms import MECHANISMS
from hgldp.experiments.figures.picture import Picture
from hgldp.experiments.figures.warm_up import WARM_UP

FRONTIER = (*FRONTIER_MEMORY, FRONTIER_LENGTH, FRONTIER_DRIFT)
PICTURES: dict[str, Picture] = {
    picture.name: picture
    for picture in (
        *ACCURACY,
        *ACCURACY_PUBLISHED,
        *ALLOCATION,
        HOT_SHARE,
        WARM_UP,
        MECHANISMS,
        EPOCHS,
        BOUNDS_PICTURE,
        DEFAULTS,
        *FRONTIER,
    )
}
