"""`hgldp restore`: a data folder from a backup."""

import signal
from argparse import Namespace
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from types import FrameType

from hgldp.cli.data_folder import usable
from hgldp.cli.output import write_json
from hgldp.cli.place_given import folder_given
from hgldp.cli.terminal import legend, page, show
from hgldp.cli.units import in_count
from hgldp.collector.log.restore import restore

TOLD_TO_END = 128 + signal.SIGTERM


def run(chosen: Namespace) -> int:
    """Make the folder, and say what is in it."""
    folder = folder_given(chosen, "use pg_restore: docs/several-collectors.md#backups")
    with _leaving_when_told(), usable(folder):
        found = restore(Path(chosen.backup), folder)
    if chosen.json:
        write_json(asdict(found))
        return 0
    made = datetime.fromtimestamp(found.made, UTC)
    rows = [
        ("folder", str(folder)),
        ("backed up", f"{made:%Y-%m-%d %H:%M:%S} UTC"),
        ("tasks", in_count(found.tasks)),
        ("reports", in_count(found.reports)),
    ]
    show(page("Restored", legend(rows)))
    return 0


@contextmanager
def _leaving_when_told() -> Iterator[None]:
    """Inside, SIGTERM leaves as Ctrl-C does, through every `finally`; the exit code is then 143."""
    before = signal.signal(signal.SIGTERM, _leave)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _leave(_number: int, _frame: FrameType | None) -> None:
    raise SystemExit(TOLD_TO_END)
