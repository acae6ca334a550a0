"""What root makes in a folder of somebody else belongs to the owner of the folder, and nothing else does."""

import os
from pathlib import Path

import pytest

from hgldp.collector.admin_log import AdminLog
from hgldp.system.owner import give_to_owner, write_privately


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root gives files away")
@pytest.mark.parametrize("planted", ["link", "second name", "draft", "log", "lock"])
def test_what_root_gives_to_the_owner_of_a_folder_is_nothing_else(tmp_path: Path, planted: str) -> None:
    """Before, whoever owned the folder could put a link to any file into it and wait for root."""
    folder, victim, owner = tmp_path / "data", tmp_path / "victim", 12_345
    folder.mkdir()
    os.chown(folder, owner, owner)
    victim.write_text("root's")
    if planted == "second name":
        os.link(victim, folder / "file")
        give_to_owner(folder / "file", folder)
    elif planted == "draft":
        (folder / f".file.{os.getpid()}.new").symlink_to(victim)
        write_privately(folder, folder / "file", "new")
        assert (folder / "file").stat().st_uid == owner
    elif planted == "link":
        (folder / "file").symlink_to(victim)
        give_to_owner(folder / "file", folder)
    else:
        (folder / {"log": "admin-log.jsonl", "lock": "admin-log.lock"}[planted]).symlink_to(victim)
        with pytest.raises(OSError, match="symbolic links"):
            AdminLog(folder).note("anna", "task closed")
    assert (victim.stat().st_uid, victim.read_text()) == (0, "root's")
