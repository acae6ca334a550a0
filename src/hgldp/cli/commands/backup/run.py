"""`hgldp backup`: a data folder in one file."""

import shutil
import time
from argparse import Namespace
from contextlib import nullcontext, suppress
from dataclasses import asdict
from pathlib import Path

from hgldp.cli.data_folder import usable
from hgldp.cli.output import write_json
from hgldp.cli.place_given import folder_given
from hgldp.cli.terminal import legend, page, show
from hgldp.cli.units import in_bytes, in_count
from hgldp.collector.log.backup import MARK_OF_A_FILE, WORKPLACE, back_up
from hgldp.collector.log.manifest import Manifest
from hgldp.collector.log.restore import manifest_of
from hgldp.errors import HgldpError, StorageFailed
from hgldp.model.validate import check_whole

LONG_AGO = 86_400
INSTEAD = "use pg_dump: docs/several-collectors.md#backups"


def run(chosen: Namespace) -> int:
    """Make it, then delete old ones."""
    target = Path(chosen.output)
    if chosen.keep is not None:
        check_whole("keep", chosen.keep, 1)
    folder = folder_given(chosen, INSTEAD)
    with usable(folder):
        made = back_up(folder, target)
    _clear_up(target.absolute().parent)
    gone = [] if chosen.keep is None else _delete_old(target, chosen.keep)
    if chosen.json:
        write_json(asdict(made) | {"file": str(target), "deleted": [str(each) for each in gone]})
        return 0
    rows = [
        ("file", str(target)),
        ("size", in_bytes(made.bytes)),
        ("tasks", in_count(made.tasks)),
        ("reports", in_count(made.reports)),
    ]
    if gone:
        rows.append(("older backups deleted", in_count(len(gone))))
    show(page("Backed up", legend(rows)))
    return 0


def _delete_old(newest: Path, keep: int) -> list[Path]:
    """Only backups of the same collector, and never the one that was just made, whatever the clock says."""
    newest = newest.absolute()
    own = manifest_of(newest).collector
    found = [(facts.made, each) for each in newest.parent.glob("*.tar") if (facts := _facts_of(each, own))]
    old = [each for _, each in sorted(found, reverse=True) if each != newest][keep - 1 :]
    for each in old:
        try:
            each.unlink()
        except OSError as failure:
            told = f"{newest} was written, but {each} cannot be deleted: {failure.strerror}"
            raise StorageFailed(told) from None
    return old


def _facts_of(path: Path, collector: str) -> Manifest | None:
    """None if it is something else, or cannot be read: another file is no reason to fail after a good backup."""
    try:
        with path.open("rb") if path.is_file() else nullcontext() as file:
            if file is None or file.read(len(MARK_OF_A_FILE)) != MARK_OF_A_FILE:
                return None
        facts = manifest_of(path)
    except (OSError, HgldpError):
        return None
    return facts if facts.collector == collector else None


def _clear_up(folder: Path) -> None:
    """What backups left that were killed long ago: each may be as large as the collector's folder."""
    for each in folder.glob(f"{WORKPLACE}*"):
        with suppress(OSError):
            if time.time() - each.stat().st_mtime > LONG_AGO:
                shutil.rmtree(each)
