"""Bytes from nowhere against every decoder and the upload path: refused by name, never a crash, never much memory.

`HGLDP_FUZZ_SECONDS` says for how long; `make test-long` takes a minute.
"""

import asyncio
import os
import random
import time
import tracemalloc
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from hgldp.collector.problems import Refused
from hgldp.collector.writer.pending import read_upload
from hgldp.errors import MalformedBytes
from hgldp.wire.bulletin import read_bulletin
from hgldp.wire.task import read_task
from hgldp.wire.upload import HEAD, MAGIC, Upload
from tests.collector.fakes import TASKS, start, upload
from tests.collector.http.test_upload import Site

SECONDS = float(os.environ.get("HGLDP_FUZZ_SECONDS", "0"))
ENOUGH = 3_000
STATES = [start(task) for task in TASKS]
VIEWS = [state.view() for state in STATES]
SEEDS = [
    *(upload(view, reports, seed=1) for view in VIEWS for reports in (1, 3, 200)),
    *(view.bulletin.canonical for view in VIEWS),
    *(view.task.canonical for view in VIEWS),
]


def chosen_seed() -> int:
    """The same in every run, unless it goes on for a while."""
    return random.SystemRandom().randrange(10**9) if SECONDS else 1


def mutated(draw: random.Random) -> bytes:
    """A legal message with something done to it: flipped, cut, doubled, spliced with another, numbers made extreme."""
    data = bytearray(draw.choice(SEEDS))
    for _ in range(draw.randrange(1, 6)):
        at, what = draw.randrange(len(data) + 1), draw.randrange(6)
        if what == 0 and at < len(data):
            data[at] ^= 1 << draw.randrange(8)
        elif what == 1:
            del data[at : at + draw.choice([1, 8, 64])]
        elif what == 2:
            data[at:at] = draw.randbytes(draw.choice([1, 8, 64]))
        elif what == 3:
            data[at : at + 4] = draw.choice([b"\xff\xff\xff\xff", bytes(4), b"\x7f\xff\xff\xff", b"9999"])
        elif what == 4:
            other = draw.choice(SEEDS)
            data[at:] = other[draw.randrange(len(other)) :]
        else:
            data += bytes(-len(data) % 64)
        if not data:
            data = bytearray(1)
    return bytes(data)


def decoders() -> list[Callable[[bytes], object]]:
    return [
        read_task,
        read_bulletin,
        lambda data: Upload.decode(data).symbols(300),
        *(lambda data, view=view: read_upload(view, data) for view in VIEWS),  # type: ignore[misc]
    ]


def test_decoders_refuse_by_name() -> None:
    seed, tried, refused = chosen_seed(), 0, 0
    draw, until = random.Random(seed), time.monotonic() + SECONDS
    while tried < ENOUGH or time.monotonic() < until:
        data = mutated(draw)
        for decode in decoders():
            tried += 1
            try:
                decode(data)
            except (MalformedBytes, Refused):
                refused += 1
            except Exception as crash:
                raise AssertionError(f"seed {seed}, bytes {data.hex()}") from crash
    assert 0 < refused < tried


def test_the_upload_path_answers_everything_and_never_with_500(tmp_path: Path) -> None:
    site, seed, answers = Site(tmp_path), chosen_seed(), dict[int, int]()
    draw = random.Random(seed)
    SEEDS.append(upload(site.view, 2))

    async def send() -> None:
        until = time.monotonic() + SECONDS
        while sum(answers.values()) < ENOUGH or time.monotonic() < until:
            data = mutated(draw)
            cut = draw.randrange(len(data) + 1)
            parts = draw.choice([(data,), (data[:cut], data[cut:])])
            status, _, _ = await site.ask(*parts)
            answers[status] = answers.get(status, 0) + 1
            assert status in (200, 400, 410, 413), f"seed {seed}, bytes {data.hex()}"

    asyncio.run(send())
    site.collector.close()
    assert answers[400] > 0
    assert answers[410] > 0


def test_promises_of_much_allocate_little() -> None:
    hostile = [
        HEAD.pack(MAGIC, bytes(16), bytes.fromhex(VIEWS[0].bulletin.version), count) + bytes(8)
        for count in (2**32 - 1, 65_536, 65_537, 0)
    ]
    hostile += [view.bulletin.canonical[:48] + b"\xff" * 40 for view in VIEWS]
    hostile.append(b'{"domain":["range",0,' + b"9" * 4000 + b"]}")
    tracemalloc.start()
    for data in hostile:
        for decode in decoders():
            with suppress(MalformedBytes, Refused):
                decode(data)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 4 << 20
