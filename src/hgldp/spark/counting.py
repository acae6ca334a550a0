"""Tallies by Spark: every upload counts once, however often it came, and only counts leave the engine."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pyarrow import compute
from pyspark.sql import Observation
from pyspark.sql import functions as sql

from hgldp.errors import InvalidField
from hgldp.spark.layouts import is_of_uploads
from hgldp.tallies import Tally
from hgldp.tallies.tally import MOST_ROWS

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

MOST_BROADCAST = 1 << 21


def tally(frame: "DataFrame") -> Tally:
    """How often each symbol answered each bulletin, from rows in either layout (see docs/spark.md)."""
    if not is_of_uploads(frame):
        return _none_missing(frame)
    with counting_once(frame) as once:
        if once.refused:
            raise InvalidField("upload", "must be an id in every row", f"{once.refused} rows without")
        return _none_missing(once.reports())


def _none_missing(reports: "DataFrame") -> Tally:
    found, missing = collected(reports)
    if missing:
        raise InvalidField("reports", "must have a bulletin and a symbol each", f"{missing} without")
    return found


def collected(reports: "DataFrame") -> tuple[Tally, int]:
    """Group, count, and fetch the counts; and how many reports have no bulletin or no symbol."""
    counts = reports.groupBy("bulletin", "symbol").count().limit(MOST_ROWS + 1).toArrow()
    if counts.num_rows > MOST_ROWS:
        rule = f"must have at most {MOST_ROWS:,} symbols and bulletins together; choose the bulletins to count"
        raise InvalidField("reports", rule, "more")
    found = Tally.from_arrow(counts.drop_null())
    return found, (compute.sum(counts.column("count")).as_py() or 0) - found.reports


@dataclass(frozen=True)
class Once:
    """Uploads with the `mark` of their id: a hash, which two of them seldom share. `refused` of them had no id.

    `several` are marks that came more than once here, `before` ids that had come before; None if there are no such.
    """

    uploads: "DataFrame"
    refused: int
    several: "DataFrame | None"
    before: "DataFrame | None"

    def ids(self) -> "DataFrame":
        """The ids of all of them."""
        return self.uploads.where(sql.col("mark").isNotNull()).select("upload")

    def reports(self) -> "DataFrame":
        """Bulletin and symbol of each report that counts.

        Sorting all uploads by id takes several times as long as counting them. So those whose mark came once are
        counted as they stand, and only the others, which are few, are compared by their ids.
        """
        found = self.uploads.where(sql.col("mark").isNotNull())
        if self.before is not None:
            found = found.join(self.before, "upload", "left_anti")
        if self.several is not None:
            again = found.join(self.several, "mark", "left_semi").dropDuplicates(["upload"])
            found = found.join(self.several, "mark", "left_anti").unionByName(again)
        return found.select("bulletin", sql.explode("symbols").alias("symbol"))


@contextmanager
def counting_once(uploads: "DataFrame", known: "DataFrame | None" = None) -> Iterator[Once]:
    """Find out which uploads came more than once, or are among the `known` ids. What that took is freed at the end."""
    mark = sql.when(sql.col("upload").isNotNull(), sql.xxhash64("upload"))
    marked = uploads.withColumn("mark", mark)
    seen = Observation()
    marks = marked.groupBy("mark").count().observe(seen, sql.count("*").alias("marks"))
    often = marks.where("count > 1 OR mark IS NULL").persist()
    again = None
    try:
        missing = sql.sum(sql.when(sql.col("mark").isNull(), sql.col("count")))
        refused, repeated = often.agg(missing, sql.count("mark")).collect()[0]
        several = _spread(often.where("mark IS NOT NULL").select("mark"), repeated)
        before = None
        if known is not None:
            here = _spread(marked.select("mark"), seen.get["marks"])
            again = known.withColumn("mark", mark).join(here, "mark", "left_semi").select("upload").persist()
            before = _spread(again, again.count())
        yield Once(marked, refused or 0, several, before)
    finally:
        for each in (often, again):
            if each is not None:
                each.unpersist()


def _spread(few: "DataFrame", number: int) -> "DataFrame | None":
    """None if there is none. Few go to every executor, so that the many they are compared with stay where they are."""
    if not number:
        return None
    return sql.broadcast(few) if number <= MOST_BROADCAST else few
