"""A backup that somebody made up: each is refused in one sentence, and nothing of it stays."""

import io
import json
import os
import sqlite3
import tarfile
from collections.abc import Callable
from contextlib import closing
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any

import pytest

from hgldp.collector.log.backup import back_up
from hgldp.collector.log.restore import restore
from hgldp.collector.log.schema import FILE
from hgldp.errors import DamagedLog, HgldpError
from tests.collector.fakes import HOT, FakeClock, create, now, open_by_hand, upload

MANIFEST = "hgldp-backup.json"
Files = dict[str, bytes]


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> Files:
    """The files of a backup with 90 reports."""
    folder = tmp_path_factory.mktemp("good")
    collector = open_by_hand(folder / "data", FakeClock())
    (view,) = create(collector, HOT)
    for _ in range(15):
        collector.offer(now(collector, view), upload(now(collector, view), 6))
        collector.step()
    (folder / "data" / "admin-log.jsonl").write_text("{}\n")
    back_up(folder / "data", folder / "copy.tar")
    collector.close()
    with tarfile.open(folder / "copy.tar") as archive:
        return {member.name: archive.extractfile(member).read() for member in archive}  # type: ignore[union-attr]


def pack(path: Path, members: list[tuple[str | tarfile.TarInfo, bytes]]) -> Path:
    with tarfile.open(path, "w") as archive:
        for name, data in members:
            info = tarfile.TarInfo(name) if isinstance(name, str) else name
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
    return path


def with_facts(good: Files, change: Callable[[dict[str, Any]], object]) -> Files:
    facts = json.loads(good[MANIFEST])
    change(facts)
    return good | {MANIFEST: json.dumps(facts).encode()}


def with_database(good: Files, data: bytes) -> Files:
    def change(facts: dict[str, Any]) -> None:
        facts["sha256"][FILE] = sha256(data).hexdigest()
        facts["size"][FILE] = len(data)

    return with_facts(good, change) | {FILE: data}


def refused(backup: Path, folder: Path) -> str:
    with pytest.raises(HgldpError) as refusal:
        restore(backup, folder)
    assert not folder.exists()
    return str(refusal.value)


def test_the_untouched_files_are_restored_with_and_without_their_sizes(tmp_path: Path, good: Files) -> None:
    assert restore(pack(tmp_path / "a.tar", [*good.items()]), tmp_path / "a").reports == 90
    old = with_facts(good, lambda facts: facts.pop("size"))
    assert restore(pack(tmp_path / "b.tar", [*old.items()]), tmp_path / "b").reports == 90


@pytest.mark.parametrize(
    "change",
    [
        {"what": "a letter"},
        {"format": None},
        {"format": "4"},
        {"format": True},
        {"format": 99},
        {"sha256": []},
        {"sha256": None},
        {"sha256": FILE},
        {"sha256": {}},
        {"sha256": {FILE: 7}},
        {"sha256": {FILE: "ab" * 32}},
        {"size": None},
        {"size": {FILE: -1}},
        {"size": {FILE: 1.5}},
        {"made": "yesterday"},
        {"made": float("nan")},
        {"made": 1e300},
        {"made": -1},
        {"made": True},
        {"tasks": []},
        {"reports": {}},
        {"reports": 1 << 70},
    ],
)
def test_a_first_file_with_a_wrong_value_is_refused(tmp_path: Path, good: Files, change: dict[str, Any]) -> None:
    bad = with_facts(good, lambda facts: facts.update(change))
    assert refused(pack(tmp_path / "bad.tar", [*bad.items()]), tmp_path / "new")


@pytest.mark.parametrize("name", ["what", "format", "made", "tasks", "reports", "sha256"])
def test_a_first_file_that_lacks_a_value_is_refused(tmp_path: Path, good: Files, name: str) -> None:
    bad = with_facts(good, lambda facts: facts.pop(name))
    assert refused(pack(tmp_path / "bad.tar", [*bad.items()]), tmp_path / "new")


@pytest.mark.parametrize(
    "text", [b"", b"[]", b"null", b"[" * 500_000, b"{" + b" " * (2 << 20), b"\xff", b'{"a":1,"a":2}']
)
def test_a_first_file_that_is_no_document_of_ours_is_refused(tmp_path: Path, good: Files, text: bytes) -> None:
    assert refused(pack(tmp_path / "bad.tar", [*(good | {MANIFEST: text}).items()]), tmp_path / "new")


def test_a_file_that_comes_twice_is_refused(tmp_path: Path, good: Files) -> None:
    for name in good:
        assert refused(pack(tmp_path / "bad.tar", [*good.items(), (name, good[name])]), tmp_path / "new")


def test_a_file_before_the_first_one_is_refused(tmp_path: Path, good: Files) -> None:
    members: list[Any] = sorted(good.items(), reverse=True)
    assert "its first file is another one" in refused(pack(tmp_path / "bad.tar", members[1:]), tmp_path / "new")
    assert refused(pack(tmp_path / "empty.tar", []), tmp_path / "new")


def sparse(archive: tarfile.TarFile, name: str, claimed: int) -> None:
    """One block that says it stands for as many bytes as you like."""
    info = tarfile.TarInfo("x")
    info.pax_headers = {
        "GNU.sparse.major": "1",
        "GNU.sparse.minor": "0",
        "GNU.sparse.name": name,
        "GNU.sparse.realsize": str(claimed),
    }
    data = b"1\n%d\n0\n" % claimed
    info.size = 512
    archive.addfile(info, io.BytesIO(data.ljust(512, b"\0")))


@pytest.mark.parametrize("sizes", [True, False])
@pytest.mark.parametrize("name", [FILE, MANIFEST])
def test_a_sparse_file_is_refused_before_a_byte_of_it_is_written(
    tmp_path: Path, good: Files, name: str, sizes: bool
) -> None:
    """Before: ten kilobytes wrote a gigabyte in seconds, and went on. Here it claims a quarter of one."""
    claimed = 1 << 28
    changed = with_facts(good, lambda facts: facts["size"].update({FILE: claimed}) if sizes else facts.pop("size"))
    with tarfile.open(tmp_path / "bad.tar", "w", format=tarfile.PAX_FORMAT) as archive:
        if name != MANIFEST:
            info = tarfile.TarInfo(MANIFEST)
            info.size = len(changed[MANIFEST])
            archive.addfile(info, io.BytesIO(changed[MANIFEST]))
        sparse(archive, name, claimed)
    assert "it holds other things" in refused(tmp_path / "bad.tar", tmp_path / "new")


@pytest.mark.parametrize("kind", [tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.DIRTYPE, tarfile.FIFOTYPE, tarfile.CHRTYPE])
def test_only_plain_files_are_taken(tmp_path: Path, good: Files, kind: bytes) -> None:
    strange = tarfile.TarInfo("admin-log.jsonl")
    strange.type, strange.linkname = kind, MANIFEST
    rest = [(name, data) for name, data in good.items() if name not in (MANIFEST, "admin-log.jsonl")]
    assert refused(pack(tmp_path / "bad.tar", [(MANIFEST, good[MANIFEST]), (strange, b""), *rest]), tmp_path / "new")


def test_a_file_of_another_size_is_refused_before_it_is_read(tmp_path: Path, good: Files) -> None:
    bad = good | {"admin-log.jsonl": bytes(1 << 20)}
    assert "its bytes have changed" in refused(pack(tmp_path / "bad.tar", [*bad.items()]), tmp_path / "new")


def test_garbage_in_the_database_is_found_although_its_hash_is_right(tmp_path: Path, good: Files) -> None:
    """At every page: in a page that holds nothing it may pass, but nowhere may it be anything but a refusal."""
    whole, passed = good[FILE], 0
    for number, at in enumerate(range(0, len(whole), 4096)):
        bad = with_database(good, whole[:at] + Random(at).randbytes(4096) + whole[at + 4096 :])
        path = pack(tmp_path / "bad.tar", [*bad.items()])
        try:
            restore(path, tmp_path / str(number))
        except HgldpError:
            assert not (tmp_path / str(number)).exists()
        else:
            passed += 1
    assert passed == 0


def test_a_changed_report_is_found_although_the_hash_and_the_pages_are_right(tmp_path: Path, good: Files) -> None:
    (tmp_path / FILE).write_bytes(good[FILE])
    with closing(sqlite3.connect(tmp_path / FILE)) as database, database:
        database.execute("UPDATE log SET reports = reports + 1 WHERE position = 3")
    bad = with_database(good, (tmp_path / FILE).read_bytes())
    told = refused(pack(tmp_path / "bad.tar", [*bad.items()]), tmp_path / "new")
    assert "entry 3 is not the one that was written" in told


@pytest.mark.parametrize("data", [b"", b"x" * 5_000, bytes(50_000)])
def test_a_database_that_is_none_is_refused(tmp_path: Path, good: Files, data: bytes) -> None:
    assert refused(pack(tmp_path / "bad.tar", [*with_database(good, data).items()]), tmp_path / "new")


def test_an_archive_whose_bytes_changed_anywhere_is_restored_as_it_was_or_refused(tmp_path: Path, good: Files) -> None:
    """Heads and first file, one byte at a time: whatever the reader of archives raises, it is one sentence."""
    whole = pack(tmp_path / "good.tar", [*good.items()]).read_bytes()
    chance = Random(7)
    for number in range(300):
        bad = bytearray(whole)
        for _ in range(chance.choice((1, 2, 20))):
            bad[chance.randrange(4_096)] = chance.randrange(256)
        (tmp_path / "bad.tar").write_bytes(bad[: chance.choice((len(bad), chance.randrange(len(bad))))])
        try:
            restore(tmp_path / "bad.tar", tmp_path / str(number))
        except HgldpError:
            assert not (tmp_path / str(number)).exists()


def test_a_head_before_a_head_before_a_head_is_refused(tmp_path: Path) -> None:
    """The reader of archives calls itself for each."""
    head = tarfile.TarInfo("x")
    head.type, head.size = tarfile.XHDTYPE, 0
    (tmp_path / "bad.tar").write_bytes(head.tobuf() * 20_000)
    with pytest.raises(DamagedLog):
        restore(tmp_path / "bad.tar", tmp_path / "new")
    assert os.listdir(tmp_path) == ["bad.tar"]
