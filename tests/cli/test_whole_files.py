"""Files that commands write are whole or not there, and nobody else receives what is in them."""

from pathlib import Path

import pytest

from hgldp.cli import whole_files
from hgldp.cli.whole_files import write_whole
from hgldp.errors import InvalidField


@pytest.mark.parametrize("as_link", [True, False])
def test_a_file_that_somebody_put_in_the_place_of_the_draft_receives_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, as_link: bool
) -> None:
    """Even if they know its name."""
    planted, readable = tmp_path / ".state.json.guessed.part", tmp_path / "readable"
    monkeypatch.setattr(whole_files, "token_hex", lambda _: "guessed")
    readable.write_bytes(b"theirs")
    if as_link:
        planted.symlink_to(readable)
    else:
        planted.hardlink_to(readable)
    with pytest.raises(InvalidField, match="output must be a file that can be written"):
        write_whole({tmp_path / "state.json": b"secret"}, mode=0o600)
    assert readable.read_bytes() == planted.read_bytes() == b"theirs"
    assert not (tmp_path / "state.json").exists()


def test_a_draft_has_a_name_that_nobody_can_know(tmp_path: Path) -> None:
    names = set()
    for _ in range(2):
        with whole_files.written_whole(tmp_path / "tally.csv") as draft:
            names.add(draft.name)
    assert len(names) == 2
    assert [path.name for path in tmp_path.iterdir()] == ["tally.csv"]


def test_the_last_file_is_not_there_if_another_cannot_take_its_place(tmp_path: Path) -> None:
    (tmp_path / "result.json").mkdir()
    with pytest.raises(InvalidField, match=r"result\.json"):
        write_whole({tmp_path / "state.json": b"state"}, {tmp_path / "result.json": b"result"})
    assert [path.name for path in tmp_path.iterdir()] == ["result.json"]
