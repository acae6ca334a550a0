"""Uploads as clients send them become rows of a table and uploads again, byte for byte."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hgldp.errors import HgldpError, InvalidField, MalformedBytes, UnknownBulletin
from hgldp.tallies.reports.layout import UPLOADS, uploads_of
from hgldp.tallies.reports.uploads import as_batch, bodies_of, table_of
from hgldp.wire.upload import HEAD, MAGIC, MOST_REPORTS, Upload

LIMITS = {"0a" * 32: 200, "1b" * 32: 1057, "2c" * 32: 70_000}


@st.composite
def bodies(draw: st.DrawFn) -> list[bytes]:
    found = []
    for _ in range(draw(st.integers(0, 6))):
        version = draw(st.sampled_from(sorted(LIMITS)))
        symbols = draw(st.lists(st.integers(0, LIMITS[version] - 1), min_size=1, max_size=90))
        found.append(
            Upload.of(draw(st.binary(min_size=16, max_size=16)), bytes.fromhex(version), symbols, LIMITS[version])
        )
    return [each.encode() for each in found]


@settings(max_examples=60, deadline=None)
@given(bodies(), st.data())
def test_uploads_become_rows_and_uploads_again(sent: list[bytes], data: st.DataObject) -> None:
    table = table_of(sent, LIMITS)
    assert table.schema == UPLOADS
    assert list(bodies_of(table, LIMITS)) == sent
    read = [Upload.decode(each) for each in sent]
    assert table.column("upload").to_pylist() == [each.id for each in read]
    assert table.column("bulletin").to_pylist() == [each.bulletin.hex() for each in read]
    assert table.column("symbols").to_pylist() == [each.symbols(LIMITS[each.bulletin.hex()]) for each in read]
    start = data.draw(st.integers(0, len(sent)))
    length = data.draw(st.integers(0, len(sent) - start))
    part = table.slice(start, length)
    assert list(bodies_of(part, LIMITS)) == sent[start : start + length]
    assert [count for each in part.to_batches() for count in uploads_of(each).lengths.tolist()] == [
        each.count for each in read[start : start + length]
    ]


def test_an_upload_that_a_collector_would_refuse_is_refused() -> None:
    version = "1b" * 32
    good = Upload.of(bytes(16), bytes.fromhex(version), [5], 1057).encode()
    beyond = HEAD.pack(MAGIC, bytes(16), bytes.fromhex(version), 1) + (1057).to_bytes(2, "big")
    for wrong, kind in [
        (good[:-1] + b"\x01", MalformedBytes),
        (good[:60], MalformedBytes),
        (beyond + bytes(64 - len(beyond)), MalformedBytes),
        (Upload.of(bytes(16), bytes(32), [5], 1057).encode(), UnknownBulletin),
    ]:
        with pytest.raises(kind):
            table_of([good, wrong], LIMITS)


def test_rows_that_are_no_uploads_are_refused() -> None:
    table = table_of([Upload.of(bytes(16), bytes.fromhex("1b" * 32), [900], 1057).encode()], LIMITS)
    for limits in ({}, {"1b" * 32: 900}):
        with pytest.raises(HgldpError):
            list(bodies_of(table, limits))


@pytest.mark.parametrize("reports", [MOST_REPORTS + 1, 300_000])
def test_a_row_with_more_reports_than_an_upload_may_hold_is_refused(reports: int) -> None:
    table = as_batch(bytes(16), ["0a" * 32], np.array([reports]), np.zeros(reports, np.uint32))
    with pytest.raises(InvalidField, match=f"at most {MOST_REPORTS:,} in an upload, got {reports:,}"):
        list(bodies_of(table, LIMITS))
