"""Machine code on disk.

Numba's own cache stops the program when a file of it is damaged or cannot be written. This one compiles again.
"""

import inspect
import os
from contextlib import suppress
from hashlib import sha256
from typing import Any

from numba.core import caching

numbas: Any = caching


def keep_code(compiled: Any, folder: str) -> None:
    """Load what a compiled function has in the folder, and put there what is missing."""
    compiled._cache = _in(folder)(compiled.py_func)


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


def _in(folder: str) -> Any:
    """Numba asks a class where to look, not an object."""

    class Where:
        @classmethod
        def from_function(cls, function: Any, _: str) -> _Locator:
            return _Locator(function, folder)

    class Code(numbas.CompileResultCacheImpl):  # type: ignore[misc]
        _locator_classes = (Where,)

    class Cache(_Forgiving):
        _impl_class = Code

    return Cache


class _Forgiving(numbas.FunctionCache):  # type: ignore[misc]
    def load_overload(self, *asked: Any) -> Any:
        """The code, or None if there is none. What cannot be read is dropped: any bytes may be in a damaged file."""
        try:
            return super().load_overload(*asked)
        except Exception:  # noqa: BLE001
            with suppress(OSError):
                self.flush()
            return None

    def save_overload(self, *made: Any) -> None:
        """A full disk, or one that cannot be written, costs time at the next start and nothing else."""
        with suppress(OSError):
            super().save_overload(*made)
