"""What follows from a log in this era: bulletins, results and states of seven tasks, as one digest."""

import json
import sqlite3
from contextlib import closing
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory

from hgldp.collector.log.schema import FILE
from tests.recorded.folder_life import FolderLife
from tests.recorded.record import rounded

ERAS = Path(__file__).parent / "eras.json"
FOLLOWING = {
    "bulletins": "version, task, epoch, position, data",
    "results": "task, epoch, position, reports, bulletin, lines",
    "snapshots": "task, position, consumed, state, opened",
}


def what_follows() -> str:
    """The digest of all rows that are derived from the entries of a steady life."""
    with TemporaryDirectory() as name:
        FolderLife(Path(name)).run()
        with closing(sqlite3.connect(Path(name) / FILE)) as database:
            digest = sha256()
            for table, columns in FOLLOWING.items():
                for row in database.execute(f"SELECT {columns} FROM {table} ORDER BY task, position"):  # noqa: S608
                    digest.update(repr(tuple(map(_rounded, row))).encode())
    return digest.hexdigest()


def _rounded(cell: object) -> object:
    return rounded(cell) if isinstance(cell, str) else cell


def read_eras() -> dict[int, str]:
    """Era → its digest."""
    return {int(era): digest for era, digest in json.loads(ERAS.read_text()).items()}
