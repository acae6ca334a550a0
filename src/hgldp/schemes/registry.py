"""Every scheme by its name."""

from hgldp.schemes.base import Scheme
from hgldp.schemes.bdr import BDR
from hgldp.schemes.bgr import BGR
from hgldp.schemes.cnr import CNR
from hgldp.schemes.dsr import DSR

SCHEMES: dict[str, type[Scheme]] = {scheme.name: scheme for scheme in (BGR, DSR, BDR, CNR)}
