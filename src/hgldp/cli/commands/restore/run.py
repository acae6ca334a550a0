"""`hgldp restore`: a data folder from a backup."""

from argparse import Namespace
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path

from hgldp.cli.leaving import leaving_when_told
from hgldp.cli.output import write_json
from hgldp.cli.terminal import legend, page, show
from hgldp.cli.units import in_count
from hgldp.collector.log.restore import restore


def run(chosen: Namespace) -> int:
    """Make the folder, and say what is in it."""
    with leaving_when_told():
        found = restore(Path(chosen.backup), Path(chosen.data))
    if chosen.json:
        write_json(asdict(found))
        return 0
    made = datetime.fromtimestamp(found.made, UTC)
    rows = [
        ("folder", chosen.data),
        ("backed up", f"{made:%Y-%m-%d %H:%M:%S} UTC"),
        ("tasks", in_count(found.tasks)),
        ("reports", in_count(found.reports)),
    ]
    show(page("Restored", legend(rows)))
    return 0
