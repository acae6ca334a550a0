"""Upload ids are remembered, saved and loaded; pieces go when nobody can send their uploads again."""

import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hgldp.collector.log import upload_ids
from hgldp.collector.log.storage import IdPiece, Transaction
from hgldp.collector.log.upload_ids import UploadIds
from hgldp.kernels.fingerprints import EMPTY, mark_held, put, table_for

KEY = bytes(range(16))


class Disk:
    """What a store would hold."""

    def __init__(self) -> None:
        self.pieces: dict[tuple[int, int], IdPiece] = {}

    def commit(self, changes: Transaction) -> None:
        for key, piece in changes.id_pieces.items():
            if piece is None:
                self.pieces.pop(key, None)
            else:
                self.pieces[key] = piece

    def reloaded(self) -> UploadIds:
        found = UploadIds(1, KEY)
        found.load(self.pieces[key] for key in sorted(self.pieces))
        return found


@given(
    st.lists(st.tuples(st.lists(st.integers(0, 300), max_size=20), st.booleans()), max_size=60),
    st.integers(1, 40),
    st.integers(1, 40),
)
def test_it_is_a_set_that_survives_a_restart(groups: list[tuple[list[int], bool]], piece: int, saved: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(upload_ids, "PIECE", piece)
        patch.setattr(upload_ids, "SAVED", saved)
        patch.setattr(upload_ids, "SMALLEST", 2)
        seen, model, disk = UploadIds(1, KEY), set(), Disk()
        everything = [_id(number) for number in range(301)]
        for group, restart in groups:
            ids = [_id(number) for number in group]
            fresh = [each for each in dict.fromkeys(ids) if each not in model]
            assert seen.known(ids) == model & set(ids)
            seen.add(b"".join(fresh), 0)
            model |= set(fresh)
            if restart:
                changes = Transaction()
                seen.save(changes)
                disk.commit(changes)
                seen = disk.reloaded()
        assert seen.known(everything) == model
        assert len(seen) == len(model)


def test_no_commit_writes_many_ids_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Small pieces are joined, so that there are few; but not into large ones, which take long to write."""
    monkeypatch.setattr(upload_ids, "SAVED", 64)
    seen, disk, draw, everything = UploadIds(1, KEY), Disk(), random.Random(1), list[bytes]()
    for _ in range(200):
        everything += (ids := some(draw, 5))
        seen.add(b"".join(ids), 0)
        changes = Transaction()
        seen.save(changes)
        assert sum(len(piece.data) // 8 for piece in changes.id_pieces.values() if piece) <= 64
        disk.commit(changes)
    assert len(disk.pieces) < 200 * 5 / 32 + 8
    assert disk.reloaded().known(everything) == set(everything)


def _id(number: int) -> bytes:
    """Few different first halves: a sender may choose ids that nearly collide."""
    return (number % 7).to_bytes(8, "big") + (number * 0x9E3779B97F4A7C15 % 2**64).to_bytes(8, "big")


WORDS = st.one_of(st.integers(1, 2**64 - 1), st.integers(2**64 - 40, 2**64 - 1), st.integers(1, 40))


@given(st.lists(WORDS, max_size=60), st.lists(WORDS, max_size=20), st.integers(0, 40))
def test_a_table_is_a_set_in_ascending_order(words: list[int], asked: list[int], spare: int) -> None:
    table = table_for(1 + len(words) + spare)
    put(table, np.array(words, np.uint64))
    assert table[table != EMPTY].tolist() == sorted(set(words))
    held = np.zeros(len(words) + len(asked), np.bool_)
    mark_held(table, np.array(words + asked, np.uint64), held)
    assert held.tolist() == [each in set(words) for each in words + asked]


def some(draw: random.Random, count: int) -> list[bytes]:
    return [draw.randbytes(16) for _ in range(count)]


def test_few_pieces_are_saved_however_often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(upload_ids, "PIECE", 2_000)
    draw, seen, disk = random.Random(1), UploadIds(1, KEY), Disk()
    ids, written = some(draw, 10_000), 0
    for at in range(0, len(ids), 10):
        seen.add(b"".join(ids[at : at + 10]), 0)
        changes = Transaction()
        seen.save(changes)
        written += sum(len(each.data) for each in changes.id_pieces.values() if each)
        disk.commit(changes)
    assert len(disk.pieces) < 5 + 12
    assert written < 12 * 8 * len(ids)
    assert disk.reloaded().known(ids) == set(ids)
    assert not seen.known(some(draw, 1000))


def test_pieces_of_bulletins_that_are_no_longer_accepted_go(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(upload_ids, "PIECE", 100)
    draw, seen, disk = random.Random(2), UploadIds(1, KEY), Disk()
    by_epoch = {epoch: some(draw, 150) for epoch in range(5)}
    changes = Transaction()
    for epoch, ids in by_epoch.items():
        seen.add(b"".join(ids), epoch)
        seen.save(changes)
    seen.keep_from(3, changes)
    disk.commit(changes)
    for each in (seen, disk.reloaded()):
        assert not each.known(by_epoch[2])
        assert each.known(by_epoch[3] + by_epoch[4]) == {*by_epoch[3], *by_epoch[4]}
        assert each.forgotten == upload_ids.NO_EPOCH


def test_what_had_to_go_early_is_remembered_as_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(upload_ids, "PIECE", 100)
    draw, seen, disk = random.Random(3), UploadIds(1, KEY), Disk()
    old, new = some(draw, 120), some(draw, 20)
    changes = Transaction()
    for epoch, ids in enumerate((old, new)):
        seen.add(b"".join(ids), epoch)
        seen.save(changes)
    seen.drop_oldest(changes)
    disk.commit(changes)
    for each in (seen, disk.reloaded()):
        assert each.forgotten == 0
        assert not each.known(old)
        assert each.known(new) == set(new)


def test_another_key_has_other_fingerprints() -> None:
    ids = some(random.Random(4), 50)
    one, other = UploadIds(1, KEY), UploadIds(1, KEY[::-1])
    assert not set(one._fingerprints(b"".join(ids)).tolist()) & set(other._fingerprints(b"".join(ids)).tolist())
