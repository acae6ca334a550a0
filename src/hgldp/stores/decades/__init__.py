"""How many items have a share in each decade, from noisy shares of all items: deconvolution, with its uncertainty."""

from hgldp.stores.decades.counting import likely_range
from hgldp.stores.decades.law import Measured
from hgldp.stores.decades.telling import tell

__all__ = ["Measured", "likely_range", "tell"]
