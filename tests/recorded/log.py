"""What a collector keeps and publishes: a life in a folder, what goes on after its end, and a life in a database."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from hgldp.collector.collector import Collector
from hgldp.collector.log.entry import CLOSE, RUN, SEAL, Entry
from hgldp.collector.log.replay import ReplayReport
from hgldp.collector.log.storage import BulletinRow, ResultRow, TaskRow
from hgldp.wire.upload import ID_BYTES
from tests.collector.homes import DatabaseHome, FolderHome, Home
from tests.postgres import running
from tests.recorded.folder_life import ROUNDS, SECONDS, TASKS, FolderLife, Start
from tests.recorded.record import Case, Content, Found
from tests.recorded.world import FakeClock, plain

REPLAYED = ("tasks", "entries", "reports", "bulletins", "epochs", "unwritten")
LINE = (
    "item", "estimate", "standard_error", "low", "high", "tracked_count", "tracked_error", "since", "rank_change",
    "rank_low", "rank_high", "may_be_noise", "warmup",
)  # fmt: skip
ENDS = {SEAL: "the epoch ends", CLOSE: "the task ends"}


def stored(collector: Collector) -> dict[str, Content]:
    """What the store holds of each task: what was reported, what follows, and apart from that the places in the log."""
    storage = collector.storage
    found: dict[str, Content] = {}
    for row in storage.tasks():
        name = list(TASKS)[row.number - 1]
        entries, bulletins = list(storage.entries(row.number)), storage.bulletins(row.number)
        results, snapshot = storage.results(row.number), storage.snapshot(row.number)
        assert snapshot is not None
        found |= {
            f"{name}-task": _task(row),
            f"{name}-uploads": _lines(upload for entry in entries for upload in _uploads(entry)),
            f"{name}-bulletins": _lines((each.epoch, each.version, each.data) for each in bulletins),
            f"{name}-results": _lines(part for each in results for part in _result(each)),
            f"{name}-state": snapshot.state,
            f"{name}-places": _places(entries, bulletins, results),
        }
    return found


def _task(row: TaskRow) -> str:
    kept = (row.created, row.seed, row.write_digest, row.read_digest)
    return f"{row.document.decode()}\n{row.terms.as_json()}\n{_line(kept)}"


def _uploads(entry: Entry) -> Iterator[Sequence[object]]:
    """Each upload with its bulletin, id and symbols, or that something ended."""
    if entry.kind != RUN:
        yield (ENDS[entry.kind],)
        return
    at, width = 0, len(entry.symbols) // entry.reports
    for place, count in enumerate(entry.upload_counts):
        upload = entry.ids[place * ID_BYTES : (place + 1) * ID_BYTES]
        yield entry.bulletin, upload, entry.symbols[at : at + count * width]
        at += count * width


def _result(row: ResultRow) -> Iterator[Sequence[object]]:
    """A headline, and the lines of the top."""
    result = row.result
    yield "epoch", result.epoch, result.reports, result.bulletin
    yield from (_numbers(line) for line in result.top)


def _numbers(line: object) -> list[object]:
    return [getattr(line, name) for name in LINE]


def _places(entries: Sequence[Entry], bulletins: Iterable[BulletinRow], results: Iterable[ResultRow]) -> str:
    """Which entry led to what and when, how entries were committed, and where the chain ends."""
    return _lines(
        [
            *(("entry", each.position, each.batch, each.time, each.reports) for each in entries),
            *(("bulletin", each.epoch, each.position, each.published) for each in bulletins),
            *(("result", each.result.epoch, each.position, each.result.published) for each in results),
            ("chain", entries[-1].chain),
        ]
    )


def _lines(rows: Iterable[Iterable[object]]) -> str:
    return "\n".join(map(_line, rows))


def _line(row: Iterable[object]) -> str:
    return " ".join(part.hex() if isinstance(part, bytes) else plain(part) for part in row)


def answers(life: FolderLife) -> dict[str, Content]:
    """What the collector says about each task now."""
    return {f"{name}-answer": _answer(life, name) for name in TASKS}


def _answer(life: FolderLife, name: str) -> str:
    view = life.view(name)
    numbers = (view.epoch, view.reports, view.in_epoch, view.epoch_length, view.state_bytes, view.bulletin.version)
    answer = life.collector.top(view.id)
    return _lines([numbers, (answer.epoch, answer.reports), *map(_numbers, answer.top), (), *map(_numbers, view.top)])


def replayed(report: ReplayReport) -> str:
    """Everything must follow from the log; how much that was."""
    assert report.agrees, str(report.difference)
    return "\n".join(f"{name} {getattr(report, name)}" for name in REPLAYED)


def in_folder(folder: Path) -> Start:
    """By hand: nothing is written until `step` is called."""
    return lambda clock, entropy: Collector.open(folder, clock=clock, entropy=entropy, threaded=False)


def in_database(url: str) -> Start:
    """By hand; it seals, since it is alone."""

    def start(clock: FakeClock, entropy: Callable[[int], bytes]) -> Collector:
        found = Collector.join(url, clock=clock, entropy=entropy, threaded=False)
        found.step()
        return found

    return start


def _whole_life(start: Start, home: Home) -> Found:
    """A life from the first task to the end of the process, and what was kept of it."""
    life = FolderLife(start)
    life.run()
    found = {**stored(life.collector), **answers(life), "receipts": "\n".join(life.receipts)}
    life.collector.close()
    return found | {"replay": replayed(home.replayed())}


def _in_a_folder() -> Found:
    with TemporaryDirectory() as name:
        return _whole_life(in_folder(Path(name)), FolderHome(Path(name)))


def _gone_on() -> Found:
    """Another process opens the folder, answers, and takes one more round."""
    with TemporaryDirectory() as name:
        start = in_folder(Path(name))
        before = FolderLife(start)
        before.run()
        before.collector.close()
        life = FolderLife(start, seed=131, label="gone on")
        life.clock.advance(ROUNDS * SECONDS)
        found = answers(life)
        life.round()
        found |= stored(life.collector)
        life.collector.close()
        report = replayed(FolderHome(Path(name)).replayed())
        return {**found, "receipts": "\n".join(life.receipts), "replay": report}


def _in_a_database() -> Found:
    """The same on PostgreSQL."""
    with running() as server:
        url = server.new_database()
        return _whole_life(in_database(url), DatabaseHome(url))


CASES: dict[str, Case] = {"folder": _in_a_folder, "gone-on": _gone_on, "database": _in_a_database}
