import json
import re
from pathlib import Path

import pytest

from benchmarks.field import environment
from benchmarks.field.entrants.registry import ENTRANTS
from benchmarks.field.environment import entries, reason, refused_in
from benchmarks.field.stand import find

ROOT = Path(__file__).resolve().parents[3]
LOCKS = ("requirements/peers.lock", "requirements/peers-refused.lock")


def test_every_library_of_the_field_is_pinned_with_its_hashes() -> None:
    pinned = dict[str, str]()
    for lock in LOCKS:
        pinned |= entries((ROOT / lock).read_text(encoding="utf-8"))
    wanted = {one.library for one in ENTRANTS if one.home == "peers" and one.library}
    assert wanted <= set(pinned)
    for name, text in pinned.items():
        assert re.search(rf"^{re.escape(name)}==\S+", text), name
        assert "--hash=sha256:" in text, name
        assert "://" not in text, name


def test_every_entrant_is_where_the_registry_says_and_has_a_name_of_its_own() -> None:
    for one in ENTRANTS:
        assert callable(find(one.place)), one.place
    names = [(one.library, one.title) for one in ENTRANTS]
    assert len(set(names)) == len(names)


def test_one_library_that_cannot_be_installed_does_not_keep_the_others_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lock, installed = tmp_path / "peers.lock", list[str]()
    lock.write_text("good==1 --hash=sha256:00\nbad==1 --hash=sha256:11\nsetuptools==1 --hash=sha256:22\n")

    def install(_: Path, requirements: str) -> str:
        if "bad" in requirements:
            return "planted: no wheel"
        installed.extend(entries(requirements))
        return ""

    monkeypatch.setattr(environment, "install", install)
    monkeypatch.setattr(environment.venv, "create", lambda folder, **_: folder.mkdir())
    refused = environment.make(tmp_path / "venv", [lock])
    assert installed == ["setuptools", "good"]
    assert refused == refused_in(tmp_path / "venv") == {"bad": "planted: no wheel"}
    assert json.loads((tmp_path / "venv" / environment.ERRORS).read_text()) == refused


def test_a_reason_names_no_folder_of_this_machine() -> None:
    assert reason("ERROR: nothing\ncc /usr/lib/x.c:3:1: error: narrowing\n") == "cc x.c:3:1: error: narrowing"
    assert reason("") == "no reason given"
    assert refused_in(Path("nowhere")) == {}
