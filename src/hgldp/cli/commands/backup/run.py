"""`hgldp backup`: a data folder in one file."""

from argparse import Namespace
from dataclasses import asdict
from pathlib import Path

from hgldp.cli.output import write_json
from hgldp.cli.terminal import legend, page, show
from hgldp.cli.units import in_bytes, in_count
from hgldp.collector.log.backup import MARK_OF_A_FILE, back_up
from hgldp.model.validate import check_whole


def run(chosen: Namespace) -> int:
    """Make it, then delete old ones."""
    target = Path(chosen.output)
    if chosen.keep is not None:
        check_whole("keep", chosen.keep, 1)
    made = back_up(Path(chosen.data), target)
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
    """Only files that begin as our backups do."""
    found = [each for each in newest.absolute().parent.glob("*.tar") if _is_backup(each)]
    old = sorted(found, key=lambda each: each.stat().st_mtime, reverse=True)[keep:]
    for each in old:
        each.unlink()
    return old


def _is_backup(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(len(MARK_OF_A_FILE)) == MARK_OF_A_FILE
