"""Commands for a collector's folder, for reports in files, and for a collector over HTTP: what they print and write."""

import os
import re
from collections.abc import Iterator
from contextlib import chdir, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from hgldp.tallies import SealState
from tests.collector.live_service import ADMIN, live_service
from tests.recorded.command_line import printed
from tests.recorded.crowd import Crowd
from tests.recorded.folder_life import ITEMS, NUMBERS, ROUNDS, SECONDS, TASKS, FolderLife
from tests.recorded.log import in_folder
from tests.recorded.record import Case, Content, Found
from tests.recorded.world import FakeClock

FULL = 300
PUBLISHED = re.compile(r'"published": "[^"]*"')
OF_THE_FOLDER = {
    "replay": "replay data --json",
    "admins": "admin list --data data --json",
    "tally-of-all": "tally --data data --task Pages --output all.csv --json --no-progress",
    "tally-of-an-epoch": "tally --data data --task words --epoch 1 --output epoch.csv --json --no-progress",
    "tally-of-the-open-epoch": "tally --data data --task Pages --epoch open --output open.csv --json --no-progress",
    "tally-with-reports": "tally --data data --task Pages --epoch open --reports open.parquet --output same.csv --json"
    " --no-progress",
    "tally-of-files": "tally open.parquet --output again.csv --json --no-progress",
    "seal-begins": "seal --data data --task Pages --output-state state.json --bulletin bulletin.bin --json",
    "seal-ends-an-epoch": "seal --state state.json --tally open.csv --anyway --output-state next.json"
    " --bulletin next.bin --result result.json --json",
}
OFFLINE = {
    "begins": "seal --new task.json --seed 28 --output-state 0.json --bulletin 0.bin --json",
    "tells": "seal --state 0.json --json",
    "ends-an-epoch": "seal --state 0.json --tally reports.csv --output-state 1.json --bulletin 1.bin"
    " --result result.json --json",
}
OVER_HTTP = {
    "tasks": "task list --json",
    "shown": "task show Pages --json",
    "top": "top Pages --json",
    "top-as-csv": "top words --csv",
    "top-of-three": "top dsr --k 3 --json",
    "top-in-a-window": "top Pages --window 1000 --json",
    "distribution": "top Pages --distribution --json",
    "distribution-as-csv": "top Pages --distribution --csv",
    "asked": "ask strings coffee tea oolong --json",
    "asked-as-csv": "ask --task Pages 17 42 --csv",
    "exported": "export Pages --first 1 --last 4",
    "exported-as-json": "export strings --format json",
    "certificate": "check --certificate --task bdr --json --no-progress",
}


def _all(lines: dict[str, str]) -> dict[str, Content]:
    return {name: printed(line) for name, line in lines.items()}


def _written(*names: str) -> dict[str, Content]:
    return {name: Path(name).read_bytes() if name.endswith(".bin") else Path(name).read_text() for name in names}


def _undated(found: Found) -> Found:
    """Without the moment at which this machine ended an epoch."""
    return {
        name: PUBLISHED.sub('"published": 0', text) if isinstance(text, str) else text for name, text in found.items()
    }


@contextmanager
def _lived() -> Iterator[None]:
    """Stand where `data` is the folder of a collector that has ended."""
    with TemporaryDirectory() as folder, chdir(folder):
        life = FolderLife(in_folder(Path("data")))
        life.run()
        life.collector.close()
        yield


def _of_a_folder() -> Found:
    with _lived():
        found = _all(OF_THE_FOLDER)
        return _undated(
            found
            | _written(
                "all.csv", "epoch.csv", "open.csv", "same.csv", "again.csv", "state.json", "bulletin.bin", "next.json",
                "next.bin", "result.json",
            )
        )  # fmt: skip


def _offline(name: str) -> Found:
    """An epoch without a collector: a task document, reports of its clients in a file, and an end."""
    task = TASKS[name]
    with TemporaryDirectory() as folder, chdir(folder):
        Path("task.json").write_bytes(task.canonical)
        found = {"begins": printed(OFFLINE["begins"])}
        bulletin = SealState.read(Path("0.json").read_bytes()).bulletin
        symbols = Crowd(task, ITEMS.get(name, NUMBERS), FULL, seed=28).symbols(bulletin, FULL)
        rows = "".join(f"{bulletin.version},{symbol},{symbols.count(symbol)}\n" for symbol in sorted(set(symbols)))
        Path("reports.csv").write_text(f"bulletin,symbol,count\n{rows}")
        found |= {step: printed(line) for step, line in OFFLINE.items() if step != "begins"}
        return _undated(found | _written("0.json", "0.bin", "1.json", "1.bin", "result.json"))


def _over_http() -> Found:
    clock = FakeClock()
    clock.advance(ROUNDS * SECONDS)
    with _lived(), live_service(Path("data"), clock) as service, _told(HGLDP_URL=service.url, HGLDP_TOKEN=ADMIN):
        return {name: printed(line).replace(service.url, "URL") for name, line in OVER_HTTP.items()}


@contextmanager
def _told(**variables: str) -> Iterator[None]:
    """Variables of the environment, for a while."""
    before = {name: os.environ.get(name) for name in variables}
    os.environ.update(variables)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


OF_A_COLLECTOR: dict[str, Case] = {
    "of-a-folder": _of_a_folder,
    "offline-range": lambda: _offline("range"),
    "offline-strings": lambda: _offline("strings"),
    "over-http": _over_http,
}
