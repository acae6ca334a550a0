"""Root works in no folder that another user can put links into or replace; everybody else is asked nothing."""

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from hgldp.cli import main
from hgldp.collector.admin_log import AdminLog
from hgldp.collector.collector import Collector
from hgldp.collector.log.backup import back_up
from hgldp.errors import InvalidField
from hgldp.system.owner import working_in, write_privately

STRANGER = 54_321
COMMANDS = [
    ("serve", "--port", "1"), ("backup", "--output", "copy.tar"), ("restore", "backup.tar"), ("compact",),
    ("migrate",), ("replay",), ("doctor",), ("doctor", "--accept-loss"), ("admin", "list"), ("admin", "add", "eve"),
    ("admin", "log"), ("seal", "--task", "x", "--output-state", "state.json"),
]  # fmt: skip
WRITTEN = (
    "collector.lock",
    "collector.end",
    "collector.backup",
    "admin-log.jsonl",
    "admin-log.lock",
    "admin-token.txt",
)
GiveAway = Callable[[Path], None]


@pytest.fixture
def give_away(monkeypatch: pytest.MonkeyPatch) -> GiveAway:
    """Root gives a file, or a link, to another user; any other user takes itself for root."""
    if os.geteuid() == 0:
        return lambda path: os.chown(path, STRANGER, STRANGER, follow_symlinks=False)
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    return lambda path: None


def files(folder: Path) -> dict[str, bytes]:
    return {each.relative_to(folder).as_posix(): each.read_bytes() for each in folder.rglob("*") if each.is_file()}


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_no_command_of_root_follows_what_the_user_of_a_service_has_planted(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    words: tuple[str, ...],
    give_away: GiveAway,
) -> None:
    """Before: root locked, read, copied or wrote whatever the links led to."""
    monkeypatch.chdir(tmp_path)
    data, victim = tmp_path / "data", tmp_path / "victim"
    Collector.open(data, threaded=False).close()
    back_up(data, tmp_path / "backup.tar")
    victim.write_text("root's")
    shutil.move(data / "collector.sqlite3", tmp_path / "somebodys.sqlite3")
    (data / "collector.sqlite3").symlink_to(tmp_path / "somebodys.sqlite3")
    for name in WRITTEN:
        (data / name).unlink(missing_ok=True)
        (data / name).symlink_to(victim)
    give_away(data)
    before = files(tmp_path)
    typed = (*words, str(data)) if words == ("replay",) else (*words, "--data", str(data))
    assert main(typed) == 2
    err = capsys.readouterr().err
    assert "must not belong to another user" in err
    assert "if root works in it: run this as that user (sudo -u " in err
    assert files(tmp_path) == before


@pytest.mark.parametrize("way", ["link", "link above", "link to a link", "circle"])
def test_nor_a_link_that_another_user_has_put_on_the_way(tmp_path: Path, way: str, give_away: GiveAway) -> None:
    (tmp_path / "roots" / "data").mkdir(parents=True)
    planted = tmp_path / "planted"
    planted.symlink_to(tmp_path / "roots")
    give_away(planted)
    (tmp_path / "own").symlink_to(planted)
    (tmp_path / "circle").symlink_to(tmp_path / "circle")
    give_away(tmp_path / "circle")
    own = tmp_path / "own"
    ways = {
        "link": planted,
        "link above": planted / "data",
        "link to a link": own / "data",
        "circle": tmp_path / "circle",
    }
    folder = ways[way]
    with pytest.raises(InvalidField, match="must not belong to another user"), working_in(folder):
        pass


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a folder away")
@pytest.mark.parametrize(("whose", "advice"), [(STRANGER, "sudo -u"), (0, "use a folder that belongs to root")])
def test_the_advice_is_to_be_the_user_of_the_data_or_to_move_it(tmp_path: Path, whose: int, advice: str) -> None:
    """Root's own folder below another user's would not open for that user."""
    data = tmp_path / "home" / "data"
    data.mkdir(parents=True)
    os.chown(data, whose, whose)
    os.chown(data.parent, STRANGER, STRANGER)
    with pytest.raises(InvalidField, match=advice), working_in(data):
        pass


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a folder away")
@pytest.mark.parametrize("name", ["data", "new/one"])
def test_nor_below_a_folder_of_another_user_who_could_put_a_link_in_its_place(tmp_path: Path, name: str) -> None:
    """Before: only the folder itself was looked at. Their sticky bit keeps nobody from what is in their own folder."""
    above = tmp_path / "theirs"
    (above / "data").mkdir(parents=True)
    os.chown(above, STRANGER, STRANGER)
    above.chmod(0o1755)
    with pytest.raises(InvalidField, match=f"{above} of '#{STRANGER}'$"), working_in(above / name):
        pass


@pytest.mark.skipif(os.geteuid() != 0, reason="only root has folders of its own here")
@pytest.mark.parametrize("way", ["straight", "link"])
@pytest.mark.parametrize("mode", [0o777, 0o1777, 0o775, 0o1775, 0o757])
@pytest.mark.parametrize("name", ["data", "data/below", "data/new/one"])
def test_nor_where_others_may_write(tmp_path: Path, name: str, mode: int, way: str) -> None:
    """Before: root followed links that others had put into its own folder. The sticky bit keeps one below in place.

    But it does not keep others from making it first.
    """
    data = tmp_path / "data"
    (data / "below").mkdir(parents=True)
    data.chmod(mode)
    (tmp_path / "link").symlink_to(data)
    folder = tmp_path / (name.replace("data", "link", 1) if way == "link" else name)
    if mode & 0o1000 and name == "data/below":
        with working_in(folder):
            return
    if mode & 0o1000 and name == "data/new/one":
        with pytest.raises(InvalidField, match="must exist before root works in it"), working_in(folder):
            pass
        return
    with pytest.raises(InvalidField, match=f"chmod go-w {data}, got {data} with mode {mode:o}$"), working_in(folder):
        pass


@pytest.mark.skipif(os.geteuid() != 0, reason="only root has links and folders of its own here")
def test_root_works_in_its_own_folders_through_its_own_links_and_where_nothing_is_yet(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "data")
    for folder in (tmp_path / "data", tmp_path / "link", tmp_path / "new" / "one"):
        with working_in(folder):
            pass
    (tmp_path / "circle").symlink_to(tmp_path / "circle")
    (tmp_path / "file").touch()
    for folder in (tmp_path / "circle", tmp_path / "file" / "data"):
        with working_in(folder):  # whatever opens it finds out
            pass


def test_anybody_else_may_work_where_the_system_lets_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if os.geteuid() == 0:
        os.chown(tmp_path, STRANGER, STRANGER)
        monkeypatch.setattr(os, "geteuid", lambda: STRANGER + 1)
    with working_in(tmp_path):
        pass


@pytest.mark.parametrize("planted", ["draft", "log", "lock"])
def test_what_is_written_goes_through_no_link(tmp_path: Path, planted: str) -> None:
    victim = tmp_path / "victim"
    victim.write_text("another's")
    if planted == "draft":
        (tmp_path / f".file.{os.getpid()}.new").symlink_to(victim)
        write_privately(tmp_path / "file", "new")
        assert (tmp_path / "file").read_text() == "new"
    else:
        (tmp_path / {"log": "admin-log.jsonl", "lock": "admin-log.lock"}[planted]).symlink_to(victim)
        with pytest.raises(OSError, match="symbolic links"):
            AdminLog(tmp_path).note("anna", "task closed")
    assert victim.read_text() == "another's"
