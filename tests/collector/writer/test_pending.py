"""The quick reading of an upload agrees with the wire's own, byte for byte."""

import os

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hgldp.collector.log.task_state import TaskState
from hgldp.collector.problems import Problem, Refused
from hgldp.collector.symbol_format import SymbolFormat, read_symbols
from hgldp.collector.views import TaskView
from hgldp.collector.writer.pending import read_upload
from hgldp.errors import MalformedBytes
from hgldp.model.reports import symbol_bytes
from hgldp.schemes.registry import scheme_of
from hgldp.wire.upload import MOST_BYTES, Upload
from tests.collector.fakes import HOT, TASKS, start, upload

VIEWS = [start(task).view() for task in TASKS]


@given(st.integers(1, 4), st.data())
def test_symbols_of_every_width(width: int, data: st.DataObject) -> None:
    numbers = data.draw(st.lists(st.integers(0, 256**width - 1), min_size=1, max_size=50))
    packed = b"".join(number.to_bytes(width, "big") for number in numbers)
    assert read_symbols(packed, width).tolist() == numbers
    limit = data.draw(st.integers(1, 256**width))
    symbol_format = SymbolFormat(bytes(32), width, (limit - 1).to_bytes(width, "big"))
    assert symbol_format.admits(packed) == all(number < limit for number in numbers)


def verdict(view: TaskView, body: bytes) -> object:
    """What the wire says, in as many words as the pending."""
    try:
        read = Upload.decode(body)
        bulletins = {bytes.fromhex(each.version): each for each in view.bulletins}
        if read.bulletin not in bulletins:
            return Problem.BULLETIN_TOO_OLD
        limit = scheme_of(view.task).symbol_limit(bulletins[read.bulletin])  # type: ignore[arg-type]
        return read.id, read.symbols(limit), symbol_bytes(limit)
    except MalformedBytes:
        return Problem.TOO_LARGE if len(body) > MOST_BYTES else Problem.MALFORMED_UPLOAD


def pending(view: TaskView, body: bytes) -> object:
    try:
        found = read_upload(view, body)
    except Refused as refused:
        return refused.problem
    return found.id, read_symbols(found.symbols, found.format.width).tolist(), found.format.width


@given(st.sampled_from(VIEWS), st.integers(1, 40), st.data())
def test_a_damaged_upload_is_read_as_the_wire_reads_it(view: TaskView, reports: int, data: st.DataObject) -> None:
    body = bytearray(upload(view, reports, seed=data.draw(st.integers(0, 9))))
    assert isinstance(pending(view, bytes(body)), tuple)
    for _ in range(data.draw(st.integers(0, 3))):
        body[data.draw(st.integers(0, len(body) - 1))] = data.draw(st.integers(0, 255))
    cut = data.draw(st.sampled_from([len(body), len(body) - 64, 63, 0, len(body) - 1]))
    sent = bytes(body[:cut]) + bytes(data.draw(st.sampled_from([0, 0, 64, 1])))
    assert pending(view, sent) == verdict(view, sent)


@pytest.mark.parametrize("size", [0, 1, 55, 56, 63, 64, 65, 128, MOST_BYTES, MOST_BYTES + 64])
def test_noise_is_refused(size: int) -> None:
    for noise in (bytes(size), b"hgU\x01" + os.urandom(max(0, size - 4)), b"\xff" * size):
        assert pending(VIEWS[0], noise[:size]) == verdict(VIEWS[0], noise[:size])
        assert pending(VIEWS[0], noise[:size]) in (
            Problem.MALFORMED_UPLOAD,
            Problem.TOO_LARGE,
            Problem.BULLETIN_TOO_OLD,
        )


def test_the_largest_batch_is_decoded_without_an_object_for_each_report() -> None:
    view = start(HOT).view()
    found = read_upload(view, upload(view, 65_522))
    symbols = read_symbols(found.symbols, found.format.width)
    assert symbols.size == 65_522
    assert isinstance(symbols, np.ndarray)


def test_states_start_from_the_seed_alone() -> None:
    one, other = start(HOT), start(HOT)
    assert isinstance(one, TaskState)
    assert one.view().bulletin == other.view().bulletin
