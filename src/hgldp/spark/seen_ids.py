"""The ids of uploads that a stream has counted: Parquet files that Spark writes and compares with what comes next.

Each micro-batch adds a piece. Sixteen pieces of one size become one, so that their number stays small. A piece goes
when the bulletin that was in force when it was written is no longer read: its ids answer that bulletin or older ones,
and an upload that answers those is refused anyway.
"""

import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

MERGED_AT_ONCE = 16
SCHEMA = "upload binary"


class Piece(NamedTuple):
    """The ids of the micro-batches from first to last, all of which began in one epoch."""

    first: int
    last: int
    epoch: int

    @property
    def name(self) -> str:
        """Of its folder."""
        return f"{self.first:012d}-{self.last:012d}"


class SeenIds:
    """Which pieces count is for the caller to remember, together with what was counted."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def known(self, spark: "SparkSession", pieces: Sequence[Piece]) -> "DataFrame | None":
        """All ids of some pieces."""
        if not pieces:
            return None
        return spark.read.schema(SCHEMA).parquet(*(str(self._folder / each.name) for each in pieces))

    def add(self, ids: "DataFrame", pieces: Sequence[Piece], batch: int, epoch: int) -> tuple[Piece, ...]:
        """The pieces with one more, in which those of one size may have become one. Files of others stay."""
        found = [*pieces, Piece(batch, batch, epoch)]
        self._write(ids.select("upload"), found[-1])
        while len(tail := found[-MERGED_AT_ONCE:]) == MERGED_AT_ONCE and _alike(tail):
            merged = Piece(tail[0].first, tail[-1].last, epoch)
            known = self.known(ids.sparkSession, tail)
            if known is not None:
                self._write(known.coalesce(2), merged)
            found[-MERGED_AT_ONCE:] = [merged]
        return tuple(found)

    def _write(self, ids: "DataFrame", piece: Piece) -> None:
        ids.write.mode("overwrite").parquet(str(self._folder / piece.name))

    def tidy(self, pieces: Sequence[Piece]) -> None:
        """Remove the files of all other pieces."""
        names = {each.name for each in pieces}
        for path in self._folder.iterdir() if self._folder.exists() else ():
            if path.name not in names:
                shutil.rmtree(path)


def _alike(pieces: Sequence[Piece]) -> bool:
    return len({(each.last - each.first, each.epoch) for each in pieces}) == 1
