"""A secret in a file: read once, refused in plain words, never repeated."""

from pathlib import Path
from typing import NoReturn

import pytest

from hgldp.errors import InvalidField
from hgldp.system.secret_files import LONGEST, with_secrets


def test_a_file_stands_for_its_secret(tmp_path: Path) -> None:
    (tmp_path / "token").write_text("a long and secret token\n")
    found = with_secrets({"TOKEN_FILE": str(tmp_path / "token"), "OTHER_FILE": "nowhere"}, ["TOKEN"])
    assert found["TOKEN"] == "a long and secret token"  # noqa: S105
    assert "OTHER" not in found


@pytest.mark.parametrize("content", [b"", b"\n", b"one\nsecret\n", b"\xff\xfe secret", b"secret" * LONGEST])
def test_anything_else_is_refused_without_repeating_it(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "token").write_bytes(content)
    with pytest.raises(InvalidField) as refusal:
        with_secrets({"TOKEN_FILE": str(tmp_path / "token")}, ["TOKEN"])
    assert "secret" not in str(refusal.value)


def test_a_refusal_names_the_file(tmp_path: Path) -> None:
    """Before: nobody was told which of several files is missing or wrong."""
    (tmp_path / "binary").write_bytes(b"\xff\xfe")
    (tmp_path / "empty").touch()
    (tmp_path / "two").write_text("a\nb\n")
    for name, found in (
        ("none", "can be read, got {} (No such file or directory)"),
        ("binary", "text file, got {} with other bytes"),
        ("empty", "one line, got {}, which is empty"),
        ("two", "one line, got {}, with several lines"),
    ):
        with pytest.raises(InvalidField) as refusal:
            with_secrets({"TOKEN_FILE": str(tmp_path / name)}, ["TOKEN"])
        assert str(refusal.value).endswith(found.format(tmp_path / name))


def test_what_may_be_the_secret_itself_is_not_repeated(tmp_path: Path) -> None:
    """Somebody has put the secret where its file belongs; it may begin with a slash, as base64 does."""
    for secret in ("/R3alS3cret+Token==", "n0/such/s3cret", "s3cret", f"/tmp/{'s' * 300}/x"):  # noqa: S108 - no file
        with pytest.raises(InvalidField, match="withheld") as refusal:
            with_secrets({"TOKEN_FILE": secret}, ["TOKEN"])
        assert secret not in str(refusal.value)


def test_a_file_in_a_folder_of_somebody_else_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """Before: a traceback. Who may not enter the folder cannot find out whether it is there."""

    def closed(*_: object, **__: object) -> NoReturn:
        raise PermissionError(13, "Permission denied")

    for reads in ("open", "stat", "is_dir"):
        monkeypatch.setattr(Path, reads, closed)
    with pytest.raises(InvalidField, match=r"got closed/in/token \(Permission denied\)"):
        with_secrets({"TOKEN_FILE": "closed/in/token"}, ["TOKEN"])
