"""Machine code on disk.

Numba's own cache stops the program when a file of it is damaged or cannot be written. This one compiles again. It also
asks for its folder only when a function is first called: by then a server has said where its data are.
"""

import inspect
import os
from collections.abc import Callable
from contextlib import suppress
from functools import cached_property
from hashlib import sha256
from typing import Any

from numba.core import caching

numbas: Any = caching


def keep_code(compiled: Any, folder: Callable[[], str | None]) -> None:
    """Load what a compiled function has in the folder, and put there what is missing."""
    compiled._cache = _Forgiving(compiled.py_func, folder)


class _Forgiving:
    """Stands in for Numba's cache of one function; without a folder it keeps nothing."""

    def __init__(self, function: Any, folder: Callable[[], str | None]) -> None:
        self._function, self._folder = function, folder

    @cached_property
    def _numbas(self) -> Any:
        folder = self._folder()
        return None if folder is None else _in(folder)(self._function)

    @property
    def cache_path(self) -> Any:
        return None if self._numbas is None else self._numbas.cache_path

    def load_overload(self, *asked: Any) -> Any:
        """The code, or None if there is none. What cannot be read is dropped: any bytes may be in a damaged file."""
        try:
            return None if self._numbas is None else self._numbas.load_overload(*asked)
        except Exception:  # noqa: BLE001
            self.flush()
            return None

    def save_overload(self, *made: Any) -> None:
        """A full disk, or one that cannot be written, costs time at the next start and nothing else."""
        with suppress(OSError):
            if self._numbas is not None:
                self._numbas.save_overload(*made)

    def flush(self) -> None:
        """Forget what is kept."""
        with suppress(OSError):
            if self._numbas is not None:
                self._numbas.flush()


def _in(folder: str) -> Any:
    """Numba asks a class where to look, not an object."""

    class Where:
        @classmethod
        def from_function(cls, function: Any, _: str) -> _Locator:
            return _Locator(function, folder)

    class Code(numbas.CompileResultCacheImpl):  # type: ignore[misc]
        _locator_classes = (Where,)

    class Cache(numbas.FunctionCache):  # type: ignore[misc]
        _impl_class = Code

    return Cache


class _Locator:
    """Names the files of one function, in Numba's words. The content of its source counts, not its time."""

    def __init__(self, function: Any, folder: str) -> None:
        path = inspect.getfile(function)
        with open(path, "rb") as file:
            self._stamp = sha256(file.read()).hexdigest()
        module = sha256(os.path.abspath(path).encode()).hexdigest()[:16]
        self._folder, self._line = os.path.join(folder, module), function.__code__.co_firstlineno

    def ensure_cache_path(self) -> None:
        os.makedirs(self._folder, mode=0o755, exist_ok=True)

    def get_cache_path(self) -> str:
        return self._folder

    def get_source_stamp(self) -> str:
        return self._stamp

    def get_disambiguator(self) -> str:
        return str(self._line)
