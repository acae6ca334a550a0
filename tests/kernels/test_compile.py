"""Machine code is kept under a name that every kernel has a say in."""

from pathlib import Path

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
