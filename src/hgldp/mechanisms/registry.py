"""Every mechanism by its name: what is listed here is checked, shown and simulated."""

from typing import Any

from hgldp.mechanisms.base import Mechanism
from hgldp.mechanisms.cyclic import CyclicResponse
from hgldp.mechanisms.grr import GRR
from hgldp.mechanisms.hadamard import HadamardResponse
from hgldp.mechanisms.olh import OLH
from hgldp.mechanisms.oue import OUE
from hgldp.mechanisms.rappor import RAPPOR
from hgldp.mechanisms.subset import SubsetSelection
from hgldp.mechanisms.sue import SUE

MECHANISMS: dict[str, type[Mechanism[Any]]] = {
    mechanism.name: mechanism
    for mechanism in (GRR, OLH, HadamardResponse, OUE, SUE, RAPPOR, SubsetSelection, CyclicResponse)
}
"""The class behind each name."""
