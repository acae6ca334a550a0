"""One way to compile a kernel, with its Python type kept for the type checker."""

import os
import sys
from collections.abc import Callable
from functools import cache
from hashlib import sha256
from importlib.resources import files
from typing import Any, TypeVar, cast

import numba
from llvmlite.binding import get_host_cpu_features, get_host_cpu_name

from hgldp.kernels.machine_code import keep_code
from hgldp.system.code_folder import find_folder

F = TypeVar("F", bound=Callable[..., Any])


def version_of_kernels() -> str:
    """The name of the folder for machine code, made from what all kernels say, and from what the code is for.

    Numba's own rule looks at one file alone, and would go on using a kernel whose inlined part has changed elsewhere.
    """
    sources = sorted((source.name, source.read_bytes()) for source in files(__package__).iterdir() if source.is_file())
    return f"hgldp-{sha256(repr((sources, _made_for())).encode()).hexdigest()[:16]}"


def _made_for() -> tuple[str, ...]:
    """Another Python, Numba or processor could not use the code, so a folder that is complete for one is not for it."""
    settings: Any = numba.config
    processor = settings.CPU_NAME or get_host_cpu_name()
    features = settings.CPU_FEATURES or (settings.CPU_NAME and "its own") or get_host_cpu_features().flatten()
    return str(sys.implementation.cache_tag), numba.__version__, processor, features


@cache
def code_folder() -> str | None:
    """Where machine code is kept, if anywhere."""
    settings: Any = numba.config
    return find_folder(version_of_kernels(), os.path.dirname(__file__), settings.CACHE_DIR)


def kernel(function: F) -> F:
    """Compile on first use, keep the machine code on disk if a folder serves, let other threads run meanwhile."""
    compiled = numba.njit(nogil=True, error_model="numpy")(function)
    keep_code(compiled, code_folder)
    return cast(F, compiled)


def inlined(function: F) -> F:
    """A part of other kernels, compiled into each of them."""
    return cast(F, numba.njit(inline="always", error_model="numpy")(function))
