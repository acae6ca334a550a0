"""Admins by name: their tokens are shown once, their hashes are for the owner alone, and the files are the truth."""

import os
from pathlib import Path

import pytest

from hgldp.collector.admins import (
    CHOSEN,
    FIRST,
    FIRST_FILE,
    MOST_ADMINS,
    Admins,
    add_admin,
    admin_file,
    admin_files,
    remove_admin,
    rotate_admin,
)
from hgldp.collector.settings import first_admin_token
from hgldp.collector.tokens import digest, disguised, kept
from hgldp.errors import InvalidField


def test_each_has_a_token_and_cookies_of_its_own(tmp_path: Path) -> None:
    anna, ben = add_admin(tmp_path, "anna"), add_admin(tmp_path, "ben-2.old")
    admins = Admins(tmp_path)
    assert [admins.name_of(kept(token)) for token in (anna, ben, "wrong")] == ["anna", "ben-2.old", None]
    assert admins.name_of(digest(disguised(ben))) == "ben-2.old"
    for path in admin_files(tmp_path).values():
        assert os.stat(path).st_mode & 0o077 == 0
        assert anna not in path.read_text()


def test_the_first_admin_of_0_1_0_is_called_admin(tmp_path: Path) -> None:
    (tmp_path / FIRST_FILE).write_text(kept("an old token").hex())
    assert first_admin_token(tmp_path, {}) is None
    assert Admins(tmp_path).name_of(kept("an old token")) == FIRST
    new = rotate_admin(tmp_path, FIRST)
    assert [Admins(tmp_path).name_of(kept(token)) for token in ("an old token", new)] == [None, FIRST]


def test_a_token_in_the_environment_takes_the_place_of_admin_and_of_nobody_else(tmp_path: Path) -> None:
    first, anna = add_admin(tmp_path, FIRST), add_admin(tmp_path, "anna")
    admins = Admins(tmp_path, kept("chosen by somebody"))
    found = [admins.name_of(kept(token)) for token in (first, anna, "chosen by somebody")]
    assert found == [None, "anna", CHOSEN]
    assert admins.name_of(kept("chosen by somebody"), chosen=False) is None


def test_a_running_collector_notices_every_change_however_fast_they_come(tmp_path: Path) -> None:
    admins = Admins(tmp_path)
    assert admins.name_of(kept("wrong")) is None
    token = add_admin(tmp_path, "anna")
    for _ in range(50):
        assert admins.name_of(kept(token)) == "anna"
        new = rotate_admin(tmp_path, "anna")
        assert [admins.name_of(kept(each)) for each in (token, new)] == [None, "anna"]
        token = new
    add_admin(tmp_path, "ben")
    remove_admin(tmp_path, "anna")
    assert admins.name_of(kept(token)) is None


@pytest.mark.parametrize("name", ["", "Anna", "../anna", "a/b", ".hidden", "a" * 33, "a\n", "environment", "ä"])
def test_a_name_is_a_plain_file_name(tmp_path: Path, name: str) -> None:
    with pytest.raises(InvalidField, match="name must have 1 … 32 characters"):
        add_admin(tmp_path, name)
    assert list(tmp_path.iterdir()) == []


def test_the_last_admin_stays_and_a_name_is_taken_once(tmp_path: Path) -> None:
    add_admin(tmp_path, "anna")
    with pytest.raises(InvalidField, match="must not be the last admin"):
        remove_admin(tmp_path, "anna")
    with pytest.raises(InvalidField, match="must be new"):
        add_admin(tmp_path, "anna")
    for action in (rotate_admin, remove_admin):
        with pytest.raises(InvalidField, match=r"must be one of the admins \(anna\), got ben"):
            action(tmp_path, "ben")
    assert first_admin_token(tmp_path, {}) is None


def test_there_is_an_end_to_their_number_and_a_damaged_file_opens_nothing(tmp_path: Path) -> None:
    tokens = [add_admin(tmp_path, f"a{number}") for number in range(MOST_ADMINS)]
    with pytest.raises(InvalidField, match="at most 100 admins"):
        add_admin(tmp_path, "one-more")
    admin_file(tmp_path, "a0").write_text("zz")
    admins = Admins(tmp_path)
    assert [admins.name_of(kept(token)) for token in tokens[:2]] == [None, "a1"]
