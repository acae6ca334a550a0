"""One way to compile a kernel, with its Python type kept for the type checker."""

from collections.abc import Callable
from typing import Any, TypeVar, cast

import numba

F = TypeVar("F", bound=Callable[..., Any])


def kernel(function: F) -> F:
    """Compile on first use, keep the machine code on disk, let other threads run meanwhile."""
    return cast(F, numba.njit(cache=True, nogil=True, error_model="numpy")(function))


def inlined(function: F) -> F:
    """A part of other kernels, compiled into each of them."""
    return cast(F, numba.njit(inline="always", error_model="numpy")(function))
