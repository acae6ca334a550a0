"""Upload ids are remembered exactly, in memory and in files, and the files leave no trace."""

import random
import tempfile
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from hgldp.collector.log.upload_ids import IdSet


@given(st.lists(st.lists(st.integers(0, 300), max_size=20), max_size=60), st.integers(1, 20))
def test_it_is_a_set(groups: list[list[int]], in_memory: int) -> None:
    seen, model = IdSet(Path(tempfile.gettempdir()), in_memory), set()
    everything = [_id(number) for number in range(301)]
    for group in groups:
        ids = [_id(number) for number in group]
        fresh = [each for each in dict.fromkeys(ids) if each not in model]
        assert seen.known(ids) == model & set(ids)
        seen.add(fresh)
        model |= set(fresh)
    assert seen.known(everything) == model
    assert len(seen) == len(model)


def _id(number: int) -> bytes:
    """Few different first halves: a sender may choose ids that nearly collide."""
    return (number % 7).to_bytes(8, "big") + (number * 0x9E3779B97F4A7C15 % 2**64).to_bytes(8, "big")


def test_a_million_ids_take_no_million_objects_and_no_named_file(tmp_path: Path) -> None:
    draw, seen = random.Random(1), IdSet(tmp_path, 10_000)
    ids = [draw.randbytes(16) for _ in range(100_000)]
    for at in range(0, len(ids), 1000):
        seen.add(ids[at : at + 1000])
    assert len(seen._recent) <= 10_000
    assert len(seen._sorted) <= 8
    assert seen.known(ids[::97]) == set(ids[::97])
    assert not seen.known([draw.randbytes(16) for _ in range(1000)])
    assert not list(tmp_path.iterdir())
