"""Encoders and decoders agree on every byte, and hostile bytes are refused by one error."""

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from hgldp.errors import HgldpError, InvalidField, MalformedBytes
from hgldp.model.budget import Budget
from hgldp.model.bulletins import ROOT, AnyBulletin, Bulletin, Cell, FrontierBulletin, OpenBulletin
from hgldp.model.domain import RangeDomain, StringDomain
from hgldp.model.reports import symbol_bytes
from hgldp.model.task import Task
from hgldp.wire.bulletin import read_bulletin
from hgldp.wire.task import read_task
from hgldp.wire.upload import MOST_BYTES, Upload

TASKS = [
    Task("dsr", Budget(2.0), RangeDomain(1000, -5), k=10),
    Task(
        "bdr", Budget(0.3, "user", 4), ("é", '"'), 1, tight=False, judge_share=Fraction(1, 7), hot_share=Fraction(1)
    ),
    Task("pfr", Budget(Fraction(1, 3)), RangeDomain(5_000_000), k=20, half_life=9, epoch_seconds=60, daily_reports=3),
    Task("pfr", Budget(4.0), StringDomain(40), k=5, cells=64),
]  # fmt: skip
BULLETINS: list[AnyBulletin] = [
    Bulletin(bytes(32), 3, 10, (7, 2), nominating=True),
    FrontierBulletin(bytes(range(32)), 2**40, 5_000_000, 256, 2**64 - 1, (9, 0, 4_999_999)),
    FrontierBulletin(bytes(32), 0, 50, 8, 0, ()),
    OpenBulletin(bytes(32), 7, 64, (ROOT, Cell(b"te", 97, 97), Cell(b"tea", 0, 0), Cell(b"\xff" * 255, 1, 255))),
]
symbols = st.integers(2, 2**31).flatmap(
    lambda limit: st.tuples(st.just(limit), st.lists(st.integers(0, limit - 1), min_size=1, max_size=40))
)


@given(symbols, st.binary(min_size=16, max_size=16), st.binary(min_size=32, max_size=32))
def test_an_upload_comes_back_as_it_was(drawn: tuple[int, list[int]], upload_id: bytes, bulletin: bytes) -> None:
    limit, sent = drawn
    data = Upload.of(upload_id, bulletin, sent, limit).encode()
    assert len(data) % 64 == 0
    read = Upload.decode(data)
    assert (read.id, read.bulletin, read.count, read.symbols(limit)) == (upload_id, bulletin, len(sent), sent)
    assert read.trimmed(limit).encode() == data


@given(st.integers(2, 2**31), st.data())
def test_every_report_has_the_same_length_whatever_it_says(limit: int, data: st.DataObject) -> None:
    one, other = (data.draw(st.integers(0, limit - 1)) for _ in "ab")
    assert len(Upload.of(bytes(16), bytes(32), [one], limit).encode()) == 64
    assert len(Upload.of(bytes(16), bytes(32), [other], limit).encode()) == 64
    assert (limit - 1).bit_length() <= 8 * symbol_bytes(limit)


@given(symbols, st.data())
def test_one_changed_byte_is_either_refused_or_another_legal_upload(
    drawn: tuple[int, list[int]], data: st.DataObject
) -> None:
    limit, sent = drawn
    good = bytearray(Upload.of(bytes(16), bytes(32), sent, limit).encode())
    place = data.draw(st.integers(0, len(good) - 1))
    good[place] ^= data.draw(st.integers(1, 255))
    try:
        read = Upload.decode(bytes(good))
        found = read.symbols(limit)
    except MalformedBytes:
        return
    assert read.trimmed(limit).encode() == bytes(good)
    assert len(found) == read.count


@pytest.mark.parametrize(
    ("data", "rule"),
    [
        (b"", "mark of version 1"),
        (b"hgU\x02" + bytes(60), "mark of version 1"),
        (b"hgU\x01" + bytes(59), "one of the sizes"),
        (b"hgU\x01" + bytes(60), "1 … 65522 reports"),
        (b"hgU\x01" + bytes(48) + b"\xff\xff\xff\xff" + bytes(8), "1 … 65522 reports"),
        (bytes(MOST_BYTES + 64), "at most"),
    ],
)
def test_what_is_no_upload_is_refused_before_anything_is_allocated(data: bytes, rule: str) -> None:
    with pytest.raises(MalformedBytes, match=rule):
        Upload.decode(data)


def test_padding_must_be_zeros_and_the_count_must_fit() -> None:
    good = Upload.of(bytes(16), bytes(32), [1, 2], 400).encode()
    with pytest.raises(MalformedBytes, match="padded with zeros"):
        Upload.decode(good[:-1] + b"\x01").symbols(400)
    with pytest.raises(MalformedBytes, match="as long as its count says"):
        Upload.decode(good + bytes(192)).symbols(400)
    with pytest.raises(MalformedBytes, match="symbols must lie in 0 … 1"):
        Upload.decode(good).symbols(300) and Upload.decode(Upload.of(bytes(16), bytes(32), [3], 4).encode()).symbols(2)


def test_symbols_beyond_the_limit_are_not_encoded() -> None:
    for wrong in ([], [5], [-1], [0] * 65_537):
        with pytest.raises(InvalidField):
            Upload.of(bytes(16), bytes(32), wrong, 5)


@pytest.mark.parametrize("bulletin", BULLETINS)
def test_a_bulletin_comes_back_as_it_was_and_only_under_its_own_version(bulletin: AnyBulletin) -> None:
    assert read_bulletin(bulletin.canonical, bulletin.version) == bulletin
    with pytest.raises(MalformedBytes, match="hash to its version"):
        read_bulletin(replace(bulletin, epoch=1).canonical, bulletin.version)


@pytest.mark.parametrize("bulletin", BULLETINS[:3])
def test_a_bulletin_has_one_form_only(bulletin: AnyBulletin) -> None:
    with pytest.raises(MalformedBytes, match="canonical form"):
        read_bulletin(bulletin.canonical + b"\x00")


def test_a_flag_that_is_neither_0_nor_1_is_another_form() -> None:
    flag = len(b"hgldp bulletin 1") + 32 + 12
    good = bytearray(BULLETINS[0].canonical)
    assert good[flag] == 1
    good[flag] = 2
    with pytest.raises(MalformedBytes, match="canonical form"):
        read_bulletin(bytes(good))


@pytest.mark.parametrize("bulletin", BULLETINS)
@given(data=st.data())
def test_a_damaged_bulletin_is_refused_or_another_legal_one(bulletin: AnyBulletin, data: st.DataObject) -> None:
    good = bytearray(bulletin.canonical)
    for _ in range(data.draw(st.integers(1, 3))):
        good[data.draw(st.integers(0, len(good) - 1))] = data.draw(st.integers(0, 255))
    cut = bytes(good[: data.draw(st.integers(0, len(good)))]) if data.draw(st.booleans()) else bytes(good)
    try:
        found = read_bulletin(cut)
    except MalformedBytes:
        return
    assert found.canonical == cut


@given(st.binary(max_size=300))
@example(b"hgldp open 1" + bytes(32) + bytes(8) + b"\xff\xff" + b"\xff\xff" * 60)
def test_random_bytes_are_refused_or_the_canonical_bytes_of_what_was_read(data: bytes) -> None:
    for mark in (b"", b"hgldp bulletin 1", b"hgldp frontier 1", b"hgldp open 1", b"hgU\x01", b"{"):
        for decode in (read_bulletin, read_task):
            try:
                found = decode(mark + data)
            except MalformedBytes:
                continue
            assert found.canonical == mark + data
        try:
            upload = Upload.decode(mark + data)
        except MalformedBytes:
            continue
        assert upload.encode() == mark + data


@pytest.mark.parametrize("task", TASKS)
def test_a_task_comes_back_as_it_was_with_the_same_id(task: Task) -> None:
    read = read_task(task.canonical)
    assert read == task
    assert read.id == task.id


@pytest.mark.parametrize("task", TASKS)
@given(data=st.data())
def test_a_damaged_task_is_refused_or_another_legal_one(task: Task, data: st.DataObject) -> None:
    good = bytearray(task.canonical)
    good[data.draw(st.integers(0, len(good) - 1))] = data.draw(st.integers(32, 126))
    try:
        found = read_task(bytes(good))
    except MalformedBytes:
        return
    assert found.canonical == bytes(good)


@pytest.mark.parametrize(
    "text",
    [
        b"null", b"[]", b"{}", b'"task"', b"[[", b"[" * 100_000, b"\xff", b'{"scheme":"pfr"}',
        TASKS[2].canonical.replace(b'"epsilon":"1/3"', b'"epsilon":"1/0"'),
        TASKS[2].canonical.replace(b'"epsilon":"1/3"', b'"epsilon":"11"'),
        TASKS[2].canonical.replace(b'"epsilon":"1/3"', b'"epsilon":"1e10000000"'),
        TASKS[2].canonical.replace(b'"k":20', b'"k":20,"secret":1'),
        TASKS[2].canonical.replace(b'"k":20', b'"k":20.0'),
        TASKS[2].canonical + b" ",
        b'{"domain":["range",0,' + b"9" * 5000 + b"]}",
    ],
)  # fmt: skip
def test_what_is_no_task_is_refused_and_not_repeated(text: bytes) -> None:
    with pytest.raises(MalformedBytes) as refused:
        read_task(text)
    assert "secret" not in str(refused.value)
    assert isinstance(refused.value, HgldpError)
