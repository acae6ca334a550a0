"""Sealing on any engine: reports become tallies (accumulate), tallies add up (combine), an epoch ends (estimate).

What comes out is what a collector publishes, bit for bit. Only pfr adds up in any order, so other schemes are refused.
"""

from hgldp.tallies.accumulate import Accumulator, accumulate
from hgldp.tallies.estimate import Sealed, estimate
from hgldp.tallies.state import SealState
from hgldp.tallies.tally import Tally, combine

__all__ = ["Accumulator", "SealState", "Sealed", "Tally", "accumulate", "combine", "estimate"]
