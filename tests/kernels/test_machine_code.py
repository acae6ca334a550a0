"""Machine code on disk: used when it is sound, and never a reason to fail."""

import pickle
from collections.abc import Callable
from pathlib import Path

import numba
import pytest
from numba.core.caching import FunctionCache, IndexDataCacheFile

from hgldp.kernels.machine_code import keep_code


def twice(number: int) -> int:
    return 2 * number


def compiled(folder: Path) -> Callable[[int], int]:
    """As another process would have it: a new dispatcher for the same function."""
    found = numba.njit(twice)
    keep_code(found, lambda: str(folder))
    return found  # type: ignore[no-any-return]


def hits(function: Callable[[int], int]) -> int:
    return sum(function.stats.cache_hits.values())  # type: ignore[attr-defined]


def test_the_second_process_compiles_nothing(tmp_path: Path) -> None:
    first, second = compiled(tmp_path), compiled(tmp_path)
    assert (first(2), hits(first)) == (4, 0)
    assert (second(2), hits(second)) == (4, 1)


@pytest.mark.parametrize("ending", ["*.nbi", "*.nbc"])
@pytest.mark.parametrize("damage", [b"", b"\x80\x04K", bytes(range(200))])
def test_a_damaged_file_is_made_again(tmp_path: Path, ending: str, damage: bytes) -> None:
    compiled(tmp_path)(2)
    (file,) = tmp_path.rglob(ending)
    file.write_bytes(damage)
    assert compiled(tmp_path)(3) == 6
    healed = compiled(tmp_path)
    assert (healed(3), hits(healed)) == (6, 1)


def test_numba_alone_would_fail_on_a_damaged_file(tmp_path: Path) -> None:
    """Why the cache is our own; when this test fails, it may no longer be needed."""
    compiled(tmp_path)(2)
    (file,) = tmp_path.rglob("*.nbi")
    file.write_bytes(b"")
    with pytest.raises((EOFError, pickle.UnpicklingError)):
        IndexDataCacheFile(str(file.parent), file.stem, "stamp")._load_index()


def test_a_disk_without_room_costs_nothing_but_the_code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(FunctionCache, "save_overload", full)
    assert compiled(tmp_path)(4) == 8
    assert list(tmp_path.rglob("*.nbc")) == []


def test_the_folder_is_asked_for_only_when_it_is_needed() -> None:
    """A server says where its data are after the kernels were imported."""
    found, asked = numba.njit(twice), []
    keep_code(found, lambda: asked.append("now"))
    assert asked == []
    assert found(5) == 10
    assert asked == ["now"]
