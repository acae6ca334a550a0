"""Machine code is kept under a name that every kernel has a say in."""

import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numba
import pytest

from hgldp.kernels import compile as compiling


def test_the_folder_is_named_by_all_kernels(monkeypatch: pytest.MonkeyPatch) -> None:
    """Numba alone would keep a kernel whose inlined part changed in another file."""
    before = compiling.version_of_kernels()
    honest = compiling.files

    class Changed:
        """The same folder with one file more."""

        name = "added.py"

        def iterdir(self) -> list[object]:
            return [*honest("hgldp.kernels").iterdir(), self]

        def is_file(self) -> bool:
            return True

        def read_bytes(self) -> bytes:
            return b"changed"

    monkeypatch.setattr(compiling, "files", lambda _package: Changed())
    assert compiling.version_of_kernels() != before


@pytest.mark.parametrize(
    ("place", "name", "other"),
    [
        (compiling.numba, "__version__", "0.1"),
        (compiling.numba.config, "CPU_NAME", "generic"),
        (compiling, "get_host_cpu_name", lambda: "another"),
        (compiling.sys, "implementation", SimpleNamespace(cache_tag="cpython-399")),
    ],
)
def test_code_for_another_python_numba_or_processor_has_another_folder(
    monkeypatch: pytest.MonkeyPatch, place: Any, name: str, other: object
) -> None:
    """Before: a folder that said that it is complete held nothing that could be used, and nothing could be added."""
    before = compiling.version_of_kernels()
    monkeypatch.setattr(place, name, other)
    assert compiling.version_of_kernels() != before


def test_the_settings_of_others_stay_as_they_were() -> None:
    outside = numba.config.CACHE_DIR

    @compiling.kernel
    def one() -> int:
        return 1

    assert outside == numba.config.CACHE_DIR
    assert one() == 1


def test_no_kernel_lies_in_a_folder_that_the_name_does_not_cover() -> None:
    """The digest reads the package's own files: in a sub-package a kernel could change without a new cache folder."""
    folder = Path(compiling.__file__).parent
    assert {path.parent for path in folder.rglob("*.py")} == {folder}


WRONG_USE = """
import colorama
swapped = []
honest = colorama.init
colorama.init = lambda: swapped.append(1) or honest()

from hgldp.kernels.compile import kernel

@kernel
def add(left, right):
    return left + right

try:
    add("one", 2)
except Exception:
    print("swapped" if swapped else "left alone")
"""


@pytest.mark.skipif(find_spec("colorama") is None, reason="colorama is not installed, so Numba has no colours")
@pytest.mark.parametrize(("colours", "expected"), [(None, "left alone"), ("", "swapped")])
def test_compiling_leaves_standard_output_and_error_alone(colours: str | None, expected: str) -> None:
    """With Numba's colours on, as they are unless we say so, it swaps both for a moment: other threads lose lines."""
    name = "NUMBA_DISABLE_ERROR_MESSAGE_HIGHLIGHTING"
    own = {each: value for each, value in os.environ.items() if each != name}
    chosen = own if colours is None else {**own, name: colours}
    done = subprocess.run([sys.executable, "-c", WRONG_USE], env=chosen, capture_output=True, text=True, check=True)
    assert done.stdout == f"{expected}\n"
