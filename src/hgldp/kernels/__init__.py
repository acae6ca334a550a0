"""Numba kernels: arrays in, arrays out. Every kernel has a slow obvious twin under tests/naive.

Whatever counts needs the extra `track`, and learns it here.
"""

from hgldp.errors import MissingExtra

try:
    import numba
    import numpy
except ModuleNotFoundError as missing:
    raise MissingExtra("track", str(missing.name)) from missing

__all__ = ["numba", "numpy"]
