"""Uploads of a few people, as rows and as files: what a stream of Spark reads in the tests."""

import os
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray
from pyarrow import parquet

from hgldp import Randomizer, SeededWords, Task
from hgldp.model.bulletins import AnyBulletin

EPOCH = 500
TASK = Task("pfr", epsilon=4.0, domain=range(50), k=3, epoch=EPOCH)
Row = tuple[bytes, str, list[int]]


class Crowd:
    """Everybody's event is one of a few items, and each upload holds three reports."""

    def __init__(self, seed: int) -> None:
        self._random = np.random.default_rng(seed)
        self._client = Randomizer(TASK, max_epsilon=4.0, words=SeededWords(seed))

    def uploads(self, bulletin: AnyBulletin, reports: int) -> list[Row]:
        """New uploads that answer a bulletin."""
        items: NDArray[np.int64] = self._random.geometric(0.3, reports) % 50
        symbols = [self._client.report(int(item), bulletin).symbol for item in items]
        return [(self._random.bytes(16), bulletin.version, symbols[at : at + 3]) for at in range(0, len(symbols), 3)]


def write(rows: Sequence[Row], folder: Path, number: int) -> None:
    """One file that appears all at once; Spark takes files in the order of their times."""
    ids, bulletins, symbols = zip(*rows, strict=True)
    table = pa.table(
        {
            "upload": pa.array(ids, pa.binary(16)),
            "bulletin": pa.array(bulletins).dictionary_encode(),
            "symbols": pa.array(symbols, pa.list_(pa.uint32())),
        }
    )
    folder.mkdir(exist_ok=True)
    draft = folder / f".{number}.draft"
    parquet.write_table(table, draft)
    os.utime(draft, (1_000 * number, 1_000 * number))
    draft.replace(folder / f"{number:04d}.parquet")
