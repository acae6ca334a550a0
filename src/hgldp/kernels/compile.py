"""One way to compile a kernel, with its Python type kept for the type checker."""

import os
from collections.abc import Callable
from functools import cache
from hashlib import sha256
from importlib.resources import files
from typing import Any, TypeVar, cast

import numba

F = TypeVar("F", bound=Callable[..., Any])


@cache
def _cache_folder() -> str:
    """Where machine code is kept: a folder named by what all kernels say.

    Numba's own rule looks at one file alone, and would go on using a kernel whose inlined part has changed elsewhere.
    """
    sources = sorted((source.name, source.read_bytes()) for source in files(__package__).iterdir() if source.is_file())
    digest = sha256(repr(sources).encode()).hexdigest()[:16]
    beside = os.path.join(os.path.dirname(__file__), "__pycache__")
    return os.path.join(beside, digest) if os.access(os.path.dirname(__file__), os.W_OK) else ""


def kernel(function: F) -> F:
    """Compile on first use, keep the machine code on disk, let other threads run meanwhile."""
    settings: Any = numba.config
    outside = settings.CACHE_DIR
    settings.CACHE_DIR = outside or _cache_folder()
    try:
        return cast(F, numba.njit(cache=True, nogil=True, error_model="numpy")(function))
    finally:
        settings.CACHE_DIR = outside


def inlined(function: F) -> F:
    """A part of other kernels, compiled into each of them."""
    return cast(F, numba.njit(inline="always", error_model="numpy")(function))
