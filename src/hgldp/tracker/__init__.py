"""The server's half, step by step: reports in, bulletins and estimates out. Needs the extra `track`."""

from hgldp import kernels as kernels
from hgldp.tracker.family import Family
from hgldp.tracker.tracker import Tracker

__all__ = ["Family", "Tracker"]
