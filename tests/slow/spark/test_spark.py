"""Spark counts what a plain process counts, whatever comes twice: an upload, or a whole micro-batch.

One file, so that one session of Spark serves all of it.
"""

import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.slow.spark.session import small_session, what_is_missing

if missing := what_is_missing():
    pytest.skip(missing, allow_module_level=True)

from hgldp import Budget, Task
from hgldp.collector.log.reading import Frozen
from hgldp.errors import InvalidField, MalformedState
from hgldp.spark import REPORTS, UPLOADS, CollectorLog, EpochFolder, counting, decoded, sealing, seen_ids, tally
from hgldp.spark.epoch_folder import StreamPosition
from hgldp.spark.layouts import checked
from hgldp.spark.log_source import LogReader, LogStream
from hgldp.spark.micro_batches import Sealing
from hgldp.spark.seen_ids import Piece
from hgldp.tallies import SealState, Tally, combine, estimate
from hgldp.tallies.reports.logged import LoggedReports
from hgldp.wire.upload import HEAD, MAGIC, MOST_BYTES, MOST_REPORTS, Upload
from tests.collector.fakes import FakeClock, open_by_hand
from tests.documents import replay
from tests.slow.spark.crowd import EPOCH, TASK, Crowd, Row, write
from tests.tallies.lives import LISTED, live

pytestmark = pytest.mark.filterwarnings("ignore")


@pytest.fixture(scope="module")
def spark(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    session = small_session(tmp_path_factory.mktemp("warehouse"))
    session.sparkContext.setLogLevel("OFF")
    yield session
    session.stop()


def plain(rows: list[Row]) -> Tally:
    """Every id once, one after the other."""
    first = {upload: (bulletin, symbols) for upload, bulletin, symbols in reversed(rows)}
    pairs = [(bulletin, symbol) for bulletin, symbols in first.values() for symbol in symbols]
    return Tally.from_columns([each for each, _ in pairs], [each for _, each in pairs], [1] * len(pairs))


def frame(spark: Any, rows: list[Row]) -> Any:
    return spark.createDataFrame(rows, UPLOADS)


def run(spark: Any, source: Path, folder: EpochFolder) -> None:
    """All files that are there, one in each micro-batch."""
    stream = spark.readStream.schema(UPLOADS).option("maxFilesPerTrigger", 1).parquet(str(source))
    query = sealing(stream, folder).trigger(availableNow=True).start()
    query.awaitTermination()


def test_each_upload_counts_once_in_either_layout(spark: Any) -> None:
    crowd, state = Crowd(1), SealState.start(TASK, 1)
    rows = crowd.uploads(state.bulletin, 60)
    assert tally(frame(spark, [*rows, *rows[:7], rows[0]])) == plain(rows)
    reports = [(bulletin, symbol) for _, bulletin, symbols in rows for symbol in symbols]
    assert tally(spark.createDataFrame(reports, REPORTS)) == plain(rows)
    with pytest.raises(InvalidField, match="must have the columns upload, bulletin and symbols"):
        tally(spark.createDataFrame([(1,)], "symbol int"))
    with pytest.raises(InvalidField, match="must be an id in every row"):
        tally(frame(spark, [(None, *rows[0][1:])]))
    with pytest.raises(InvalidField, match="must have a bulletin and a symbol"):
        tally(spark.createDataFrame([(None, 1)], REPORTS))


def test_more_counts_than_a_tally_may_have_are_refused_before_they_are_fetched(
    spark: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    reports = spark.createDataFrame([("ab" * 32, symbol % 5) for symbol in range(50)], REPORTS)
    fetched: list[Any] = []
    honest = type(reports).toArrow

    def fetch(self: Any) -> Any:
        fetched.append(honest(self))
        return fetched[-1]

    monkeypatch.setattr(type(reports), "toArrow", fetch)
    monkeypatch.setattr(counting, "MOST_ROWS", 5)
    assert tally(reports).reports == 50
    monkeypatch.setattr(counting, "MOST_ROWS", 3)
    with pytest.raises(InvalidField, match="reports must have at most 3 symbols and bulletins together"):
        tally(reports)
    assert [table.num_rows for table in fetched] == [5, 4]


def test_raw_uploads_are_read_as_the_wire_format_says_and_others_are_null(spark: Any) -> None:
    state, random = SealState.start(TASK, 1), np.random.default_rng(1)
    limit, version = state.symbol_limits[state.bulletin.version], bytes.fromhex(state.bulletin.version)
    sizes = (1, 2, 7, 8, 300)
    good = [
        Upload.of(random.bytes(16), version, random.integers(0, limit, size).tolist(), limit).encode() for size in sizes
    ]
    other = Upload.of(bytes(16), bytes(32), [1], limit).encode()
    bad = [
        b"",
        b"hgU\x01" + bytes(60),
        good[0][:-1],
        good[0][:-1] + b"\x01",
        good[0] + bytes(192),
        b"x" + good[0][1:],
        other,
    ]
    found = decoded(spark.createDataFrame([(each,) for each in good + bad], "value binary"), state).collect()
    for blob, row in zip(good, found, strict=False):
        upload = Upload.decode(blob)
        assert (bytes(row.upload), row.bulletin, row.symbols) == (upload.id, version.hex(), upload.symbols(limit))
    assert [row.symbols for row in found[len(good) :]] == [None] * len(bad)


def test_an_upload_of_more_reports_than_a_collector_takes_is_refused(spark: Any) -> None:
    """The bytes of the largest upload hold more symbols than that if each has two bytes."""
    state, sizes = SealState.start(TASK, 1), (MOST_REPORTS, MOST_REPORTS + 1)
    version = state.bulletin.version
    rows = [(bytes([size % 251] * 16), version, [0] * size) for size in sizes]
    assert [row.upload is None for row in checked(frame(spark, rows), state).collect()] == [False, True]
    heads = [HEAD.pack(MAGIC, upload, bytes.fromhex(version), len(symbols)) for upload, _, symbols in rows]
    blobs = spark.createDataFrame([(head.ljust(MOST_BYTES, b"\0"),) for head in heads], "value binary")
    assert [row.symbols is None for row in decoded(blobs, state).collect()] == [False, True]


def test_a_stream_seals_what_a_plain_process_seals(spark: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Resent uploads in the same and in later micro-batches, late ones, some that must be refused, and merged ids."""
    monkeypatch.setattr(seen_ids, "MERGED_AT_ONCE", 2)
    crowd, state = Crowd(2), SealState.start(TASK, 1)
    folder, source = EpochFolder.create(tmp_path / "epochs", state), tmp_path / "uploads"
    sent: list[Row] = []
    counted = Tally()
    for number in range(4):
        rows = crowd.uploads(state.bulletin, EPOCH * 2 // 3)
        late = crowd.uploads(state.bulletins[0], 9)
        nobody = [(bytes([number] * 16), "ab" * 32, [1]), (bytes([9, number] * 8), state.bulletin.version, [1 << 20])]
        write([*rows, *rows[:5], *late, *sent[-9:], *nobody], source, number)
        counted += plain(rows + late)
        sent += rows + late
        if counted.answering(state.bulletin.version) >= EPOCH:
            state, counted = estimate(state, counted).state, Tally()
        run(spark, source, folder)
        assert folder.state().write() == state.write()
        assert folder.newest_bulletin() == state.bulletin.canonical
    after = folder.counted()
    assert (after.batch, after.tally, after.refused, after.epoch) == (3, counted, 8, 2)
    assert [folder.result(epoch)["epoch"] for epoch in folder.epochs()] == [0, 1]
    assert [each.name for each in after.pieces] == sorted(path.name for path in (folder.path / "ids").iterdir())
    assert [(each.first, each.last) for each in after.pieces] == [(0, 1), (2, 3)]


def test_ids_go_with_the_bulletin_that_they_answer(tmp_path: Path) -> None:
    ids, pieces = seen_ids.SeenIds(tmp_path), [Piece(0, 15, 3), Piece(16, 16, 4)]
    for each in pieces:
        (tmp_path / each.name).mkdir()
    ids.tidy(pieces[1:])
    assert [path.name for path in tmp_path.iterdir()] == [pieces[1].name]


def test_a_folder_without_its_checkpoint_counts_nothing(tmp_path: Path) -> None:
    folder = EpochFolder.create(tmp_path / "epochs", SealState.start(TASK, 1))
    folder.commit(replace(folder.counted(), batch=7, query="the first"))
    before = folder.counted()
    with pytest.raises(InvalidField, match="checkpoint must be the one that the folder was written with"):
        Sealing(folder)(None, 0)
    folder.commit(replace(before, batch=8, query=""))
    for number in (6, 10):
        with pytest.raises(InvalidField, match="micro-batch must be 8, which was counted last, or the next"):
            Sealing(folder)(None, number)
    assert folder.counted() == replace(before, batch=8, query="")
    with pytest.raises(InvalidField, match="folder must be empty or new"):
        EpochFolder.create(tmp_path / "epochs", SealState.start(TASK, 1))
    with pytest.raises(InvalidField, match="folder must be one that EpochFolder"):
        EpochFolder(tmp_path)


def test_what_a_folder_does_not_have_is_refused_in_words(tmp_path: Path) -> None:
    folder = EpochFolder.create(tmp_path / "epochs", SealState.start(TASK, 1))
    for ask in (folder.result, folder.tally):
        with pytest.raises(InvalidField, match="epoch must be one that has ended, got 0"):
            ask(0)
    with pytest.raises(InvalidField, match="epoch must be one whose state is kept, got 7"):
        folder.state(7)


def test_an_epoch_that_only_the_clock_ends_is_refused(tmp_path: Path) -> None:
    daily = Task("pfr", Budget(2.0, "period", period="day"), range(50), k=3, keys="week")
    with pytest.raises(InvalidField, match="bulletin_seconds must be"):
        Sealing(EpochFolder.create(tmp_path / "epochs", SealState.start(daily, 1)))


def test_a_file_of_a_micro_batch_that_was_changed_is_refused() -> None:
    for data in (b"", b"[]", b"{}", StreamPosition(1, "", 0, Tally()).written().replace(b"batch", b"bitch")):
        with pytest.raises(MalformedState, match="the file of a micro-batch must be as it was written"):
            StreamPosition.read(data)


def test_the_log_of_a_collector_is_a_source_at_rest_and_as_a_stream(spark: Any, tmp_path: Path) -> None:
    life = live(tmp_path / "data", LISTED, uploads=12)
    log = Frozen(life.folder)
    expected = LoggedReports(log, life.row).tally()
    log.close()
    spark.dataSource.register(CollectorLog)
    options = {"data": str(life.folder), "task": life.row.id.hex()[:8]}
    assert tally(spark.read.format("hgldp").options(**options).load()) == expected
    found = []
    stream = spark.readStream.format("hgldp").options(**options).load()
    writer = stream.writeStream.foreachBatch(lambda batch, _: found.append(tally(batch)))
    query = writer.option("checkpointLocation", str(tmp_path / "checkpoint")).trigger(availableNow=True).start()
    query.awaitTermination()
    assert combine(found) == expected


def test_reports_that_went_between_the_plan_and_the_reading_are_not_left_out_in_silence(tmp_path: Path) -> None:
    life = live(tmp_path / "data", LISTED, uploads=12)
    options = {"data": str(life.folder), "task": life.row.id.hex()}
    readers = LogReader(options), LogStream(options)
    start, end = readers[1].initialOffset(), readers[1].latestOffset()
    plans = readers[0].partitions(), readers[1].partitions(start, end)
    assert all(sum(batch.num_rows for batch in readers[0].read(plan[0])) > 12 for plan in plans)
    collector = open_by_hand(life.folder, FakeClock())
    collector.compact(all_reports=True)
    collector.close()
    for reader, plan in zip(readers, plans, strict=True):
        with pytest.raises(InvalidField, match="log must still hold its entries from 1 on"):
            list(reader.read(plan[0]))
    assert readers[1].partitions(end, end) == []


def test_the_page_about_spark_shows_what_happens(spark: Any, tmp_path: Path) -> None:
    for _, ran, shown, happened in replay("docs/spark.md", tmp_path):
        assert happened == shown, ran


class Forgetful(EpochFolder):
    """A planted bug: the state does not remember which micro-batch was the last."""

    def counted(self) -> StreamPosition:
        found = super().counted()
        last = max((int(path.name) for path in self.path.glob("checkpoint/offsets/[0-9]*")), default=0)
        return replace(found, batch=last - 1)


@pytest.mark.parametrize("kind", [EpochFolder, Forgetful])
def test_a_micro_batch_that_spark_repeats_counts_once(spark: Any, tmp_path: Path, kind: type[EpochFolder]) -> None:
    """Without the number of the last micro-batch its reports would count twice; here nothing else knows their ids."""
    crowd, state = Crowd(3), SealState.start(TASK, 1)
    EpochFolder.create(tmp_path / "epochs", state)
    folder, source = kind(tmp_path / "epochs"), tmp_path / "uploads"
    rows = crowd.uploads(state.bulletin, 30)
    write(rows, source, 0)
    run(spark, source, folder)
    shutil.rmtree(tmp_path / "epochs/checkpoint/commits")  # as if Spark had died before it noted the end
    for piece in (tmp_path / "epochs/ids").iterdir():
        for file in piece.iterdir():
            file.unlink()
    run(spark, source, folder)
    twice = kind is Forgetful
    assert folder.counted().tally == (plain(rows) + plain(rows) if twice else plain(rows))
