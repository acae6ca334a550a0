"""Numba kernels: arrays in, arrays out. Every kernel has a slow obvious twin under tests/naive.

Whatever counts needs the extra `track`, and learns it here. Numba colours its messages only if it may: where colorama
is installed, it would put other files in place of `sys.stdout` and `sys.stderr` whenever a thread compiles, and what
other threads print would get lost.
"""

import os

from hgldp.errors import MissingExtra

os.environ.setdefault("NUMBA_DISABLE_ERROR_MESSAGE_HIGHLIGHTING", "1")

try:
    import numba
    import numpy
except ModuleNotFoundError as missing:
    raise MissingExtra("track", str(missing.name)) from missing

__all__ = ["numba", "numpy"]
