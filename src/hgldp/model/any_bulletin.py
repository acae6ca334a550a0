"""What a server may publish: a hot list, the frontier of a listed domain, or that of strings."""

from hgldp.model.bulletin import Bulletin
from hgldp.model.frontier import FrontierBulletin
from hgldp.model.open_frontier import OpenBulletin

AnyBulletin = Bulletin | FrontierBulletin | OpenBulletin
