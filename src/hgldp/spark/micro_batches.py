"""A stream of reports into sealed epochs. A micro-batch that Spark repeats after a crash counts once.

Which epoch a report belongs to is said by the bulletin in its row, never by the micro-batch that it came in.
"""

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from hgldp.errors import InvalidField
from hgldp.spark.counting import collected, counting_once
from hgldp.spark.epoch_folder import NO_QUERY, EpochFolder, StreamPosition
from hgldp.spark.layouts import BLOB, checked, checked_reports, decoded, is_of_uploads
from hgldp.spark.seen_ids import SeenIds
from hgldp.system.clock import Clock, SystemClock
from hgldp.system.folder_lock import FolderLock
from hgldp.tallies import Tally, estimate
from hgldp.wire.strict_json import read_json

if TYPE_CHECKING:
    from pyspark.sql import DataFrame
    from pyspark.sql.streaming import DataStreamWriter


def sealing(stream: "DataFrame", folder: EpochFolder) -> "DataStreamWriter":
    """What writes the stream into the folder; `.start()` starts it. Spark's checkpoint is in the folder too.

    The stream has the columns of `UPLOADS`, or those of `REPORTS`, or `value` with uploads as clients send them.
    """
    if BLOB not in stream.columns:
        is_of_uploads(stream)
    place = str(folder.path.absolute() / "checkpoint")
    return stream.writeStream.foreachBatch(Sealing(folder)).option("checkpointLocation", place)


class Sealing:
    """Called with each micro-batch, in order. The file that ends one says its number, so a second call changes nothing.

    An epoch ends with the micro-batch that brings the reports which answer the bulletin in force to the epoch's length.
    """

    def __init__(self, folder: EpochFolder, clock: Clock | None = None) -> None:
        self._folder, self._clock = folder, clock or SystemClock()
        self._ids = SeenIds(folder.path.absolute() / "ids")
        self._state = folder.state()
        if self._state.task.bulletin_seconds:
            rule = "must be None: a stream ends an epoch by the number of its reports, not by the clock"
            raise InvalidField("bulletin_seconds", rule, self._state.task.bulletin_seconds)
        folder.publish(self._state)

    def __call__(self, batch: "DataFrame", number: int) -> None:
        """Count a micro-batch, and end the epoch if it is full."""
        lock = FolderLock(self._folder.path)
        try:
            before = self._folder.counted()
            if before.epoch != self._state.bulletin.epoch:
                self._state = self._folder.state()
            if self._is_new(before, number):
                self._seal(replace(self._count(batch, before, number), batch=number, query=self._query()))
            self._folder.publish(self._state)
        finally:
            lock.release()

    def _is_new(self, before: StreamPosition, number: int) -> bool:
        """Whether it was not counted before. If the folder and Spark disagree by more, something is missing."""
        if before.query not in (NO_QUERY, self._query()):
            rule = "must be the one that the folder was written with; where it is lost, go on in a new folder"
            raise InvalidField("checkpoint", rule, "another")
        if not 0 <= number - before.batch <= 1:
            rule = f"must be {before.batch}, which was counted last, or the next: folder and checkpoint belong together"
            raise InvalidField("micro-batch", rule, number)
        return number > before.batch

    def _query(self) -> str:
        """Spark's name for the checkpoint; none if there is no checkpoint."""
        file = self._folder.path / "checkpoint" / "metadata"
        found: Any = read_json(file.read_bytes()) if file.exists() else {}
        return str(found.get("id", NO_QUERY))

    def _count(self, batch: "DataFrame", before: StreamPosition, number: int) -> StreamPosition:
        state = self._state
        rows = decoded(batch, state) if BLOB in batch.columns else batch
        if not is_of_uploads(rows):
            found, refused = collected(checked_reports(rows, state))
            return replace(before, tally=before.tally + found, refused=before.refused + refused)
        oldest, newest = state.bulletins[0].epoch, state.bulletin.epoch
        pieces = [each for each in before.pieces if each.epoch >= oldest]
        known = self._ids.known(batch.sparkSession, pieces)
        with counting_once(checked(rows, state), known) as once:
            found, _ = collected(once.reports())
            kept = self._ids.add(once.ids(), pieces, number, newest)
            return replace(before, tally=before.tally + found, pieces=kept, refused=before.refused + once.refused)

    def _seal(self, counted: StreamPosition) -> None:
        """End the epoch if it is full; then commit."""
        state, after = self._state, counted
        if counted.tally.answering(state.bulletin.version) >= state.epoch_length:
            sealed = estimate(state, counted.tally, published=self._clock.now())
            self._folder.write_seal(counted.tally, sealed.result, sealed.state)
            state, after = sealed.state, replace(counted, epoch=sealed.bulletin.epoch, tally=Tally())
        self._folder.commit(after)
        self._state = state
        self._ids.tidy(after.pieces)
