"""How many items have a share in each decade, from noisy shares of all items: deconvolution, with its uncertainty."""

from hgldp.stores.distribution.answer import tell
from hgldp.stores.distribution.counting import likely_range
from hgldp.stores.distribution.curve import MeasuredShares

__all__ = ["MeasuredShares", "likely_range", "tell"]
