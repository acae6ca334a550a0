"""Loading machine code is running it: only from folders that nobody else can write."""

import os
from pathlib import Path

import pytest

from hgldp.system import code_folder
from hgldp.system.code_folder import COMPLETE, VARIABLE, VERSIONS, fall_back_on, find_folder, look, who_else_writes

NAME = "hgldp-0123456789abcdef"


@pytest.fixture(autouse=True)
def alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A package that nobody can write, no user, and nothing set by hand."""
    monkeypatch.delenv(VARIABLE, raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    (tmp_path / "file").write_text("not a folder")
    (tmp_path / "package").mkdir()
    (tmp_path / "package/__pycache__").write_text("not a folder")
    monkeypatch.setattr(code_folder, "_last_resort", [])


def found(tmp_path: Path) -> str | None:
    return find_folder(NAME, str(tmp_path / "package"))


def test_without_a_folder_there_is_no_cache_and_no_failure(tmp_path: Path) -> None:
    assert found(tmp_path) is None
    assert all(place.why_not for place in look(NAME, str(tmp_path / "package")))


def test_each_place_is_tried_in_turn(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fall_back_on(tmp_path / "data")
    assert found(tmp_path) == str(tmp_path / "data" / NAME)
    (tmp_path / "file").unlink()
    assert found(tmp_path) == str(tmp_path / "file/hgldp" / NAME)
    (tmp_path / "package/__pycache__").unlink()
    assert found(tmp_path) == str(tmp_path / "package/__pycache__" / NAME)
    monkeypatch.setenv(VARIABLE, str(tmp_path / "chosen"))
    assert found(tmp_path) == str(tmp_path / "chosen" / NAME)
    monkeypatch.setenv(VARIABLE, "off")
    assert found(tmp_path) is None


def test_a_place_where_nothing_can_even_be_looked_up_is_passed_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As below a folder that only another user may enter. Before, it was a failure, and no code was kept anywhere."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / ("long" * 100)))
    fall_back_on(tmp_path / "data")
    assert found(tmp_path) == str(tmp_path / "data" / NAME)


@pytest.mark.parametrize("mode", [0o777, 0o1777, 0o775, 0o757])
def test_a_folder_that_others_can_write_is_not_used(tmp_path: Path, mode: int) -> None:
    """In a folder like /tmp anybody could have put the code there before us."""
    (tmp_path / "data" / NAME).mkdir(parents=True)
    (tmp_path / "data" / NAME).chmod(mode)
    fall_back_on(tmp_path / "data")
    assert found(tmp_path) is None
    (tmp_path / "data" / NAME).chmod(0o755)
    assert found(tmp_path)


@pytest.mark.parametrize(("mode", "used"), [(0o777, False), (0o775, False), (0o1777, True), (0o755, True)])
def test_nor_one_that_others_can_replace(tmp_path: Path, mode: int, used: bool) -> None:
    """Below a folder that all can write, only the sticky bit keeps a folder of ours in its place."""
    (tmp_path / "data" / NAME).mkdir(parents=True)
    (tmp_path / "data").chmod(mode)
    fall_back_on(tmp_path / "data")
    assert (found(tmp_path) is not None) == used


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a folder away")
def test_nor_one_that_belongs_to_another(tmp_path: Path) -> None:
    (tmp_path / "data" / NAME).mkdir(parents=True)
    os.chown(tmp_path / "data" / NAME, 65_534, 65_534)
    fall_back_on(tmp_path / "data")
    assert found(tmp_path) is None
    assert "another user" in who_else_writes(tmp_path / "data" / NAME)


def test_a_link_is_followed_before_it_is_judged(tmp_path: Path) -> None:
    (tmp_path / "open").mkdir()
    (tmp_path / "open").chmod(0o777)
    (tmp_path / "open" / NAME).mkdir()
    (tmp_path / "data").symlink_to(tmp_path / "open")
    fall_back_on(tmp_path / "data")
    assert found(tmp_path) is None


def test_a_folder_that_cannot_be_written_serves_if_it_is_complete(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(**_: object) -> None:
        raise PermissionError(13, "Permission denied")

    folder = tmp_path / "data" / NAME
    folder.mkdir(parents=True)
    fall_back_on(tmp_path / "data")
    monkeypatch.setattr(code_folder, "TemporaryFile", refuse)
    assert found(tmp_path) is None
    (folder / COMPLETE).touch()
    assert found(tmp_path) == str(folder)


def test_upgrades_do_not_pile_up(tmp_path: Path) -> None:
    fall_back_on(tmp_path / "data")
    for number in range(10):
        find_folder(f"hgldp-{number:016x}", str(tmp_path / "package"))
        os.utime(tmp_path / "data" / f"hgldp-{number:016x}", (number, number))
    (tmp_path / "data/of somebody else").mkdir()
    kept = {each.name for each in (tmp_path / "data").iterdir()}
    assert kept == {"of somebody else", *(f"hgldp-{number:016x}" for number in range(10 - VERSIONS, 10))}


def test_nothing_is_removed_where_others_can_write(tmp_path: Path) -> None:
    """Before: the folders were removed, and only then was it asked whose place it is."""
    fall_back_on(tmp_path / "data")
    for number in range(10):
        (tmp_path / "data" / f"hgldp-{number:016x}").mkdir(parents=True)
    (tmp_path / "data").chmod(0o777)
    assert found(tmp_path) is None
    assert {f"hgldp-{number:016x}" for number in range(10)} <= {each.name for each in (tmp_path / "data").iterdir()}
