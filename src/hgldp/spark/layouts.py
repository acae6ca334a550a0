"""The forms in which reports reach Spark. All of this is expressions that Spark runs; none of it is Python per row."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from pyspark.sql import functions as sql

from hgldp.errors import InvalidField
from hgldp.model.reports import symbol_bytes
from hgldp.tallies import SealState
from hgldp.wire.upload import HEAD, ID_BYTES, MAGIC, MOST_REPORTS, SIZES

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame

UPLOADS = "upload binary, bulletin string, symbols array<bigint>"
REPORTS = "bulletin string, symbol bigint"
BLOB = "value"
_UPLOAD, _REPORT = {"upload", "bulletin", "symbols"}, {"bulletin", "symbol"}


def is_of_uploads(frame: "DataFrame") -> bool:
    """Whether each row is an upload; otherwise it is one report. Anything else is refused."""
    if set(frame.columns) >= _UPLOAD:
        return True
    if set(frame.columns) >= _REPORT:
        return False
    rule = "must have the columns upload, bulletin and symbols, or bulletin and symbol, or value"
    raise InvalidField("frame", rule, ", ".join(frame.columns) or "none")


def decoded(blobs: "DataFrame", state: SealState, column: str = BLOB) -> "DataFrame":
    """Uploads as clients send them, one in each row of a binary column, as the columns of `UPLOADS`.

    How wide a symbol is depends on the bulletin, so only uploads that answer one of the state can be read. The
    `symbols` of any other, and of bytes that are no upload, are null.
    """
    widths = {version: symbol_bytes(limit) for version, limit in state.symbol_limits.items()}
    heads = blobs.select(
        sql.col(column).alias("blob"),
        sql.substring(column, len(MAGIC) + 1, ID_BYTES).alias("upload"),
        sql.lower(sql.hex(sql.substring(column, len(MAGIC) + ID_BYTES + 1, 32))).alias("bulletin"),
        _number(sql.substring(column, HEAD.size - 3, 4)).alias("reports"),
    ).withColumn("width", _of(widths, "bulletin"))
    used = HEAD.size + sql.col("reports") * sql.col("width")
    size = sql.coalesce(*(sql.when(used <= each, each) for each in SIZES))
    rest = sql.hex(sql.substr("blob", used + 1))
    is_upload = (
        (sql.substring("blob", 1, len(MAGIC)) == sql.lit(MAGIC))
        & sql.col("reports").between(1, MOST_REPORTS)
        & (sql.length("blob") == size)
        & (sql.rtrim(rest, sql.lit("0")) == "")
    )
    symbols = sql.transform(
        sql.sequence(sql.lit(0), sql.col("reports") - 1),
        lambda place: _number(sql.substr("blob", HEAD.size + 1 + place * sql.col("width"), sql.col("width"))),
    )
    return heads.select("upload", "bulletin", sql.when(is_upload, symbols).alias("symbols"))


def checked(uploads: "DataFrame", state: SealState) -> "DataFrame":
    """The uploads. One that a collector would refuse has no `upload` any more."""
    symbols, limit = sql.col("symbols"), _of(state.symbol_limits, "bulletin")
    is_legal = (
        (sql.length("upload") == ID_BYTES)
        & sql.size(symbols).between(1, MOST_REPORTS)
        & ~sql.exists(symbols, lambda each: each.isNull())
        & (sql.array_min(symbols) >= 0)
        & (sql.array_max(symbols) < limit)
    )
    return uploads.select(sql.when(is_legal, sql.col("upload")).alias("upload"), "bulletin", "symbols")


def checked_reports(reports: "DataFrame", state: SealState) -> "DataFrame":
    """The reports; one that a collector would refuse has neither bulletin nor symbol any more."""
    is_legal = (sql.col("symbol") >= 0) & (sql.col("symbol") < _of(state.symbol_limits, "bulletin"))
    return reports.select(*(sql.when(is_legal, sql.col(name)).alias(name) for name in ("bulletin", "symbol")))


def _of(values: Mapping[str, int], column: str) -> "Column":
    """The value for the version in a column; null for any other version."""
    literals = [sql.lit(each) for pair in values.items() for each in pair]
    return sql.try_element_at(sql.create_map(*literals), sql.col(column))


def _number(part: "Column") -> "Column":
    """The whole number that a few bytes are, the first being the highest."""
    return sql.conv(sql.hex(part), 16, 10).cast("bigint")
