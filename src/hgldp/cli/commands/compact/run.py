"""`hgldp compact`: what need not be kept goes now."""

from argparse import Namespace
from pathlib import Path

from hgldp.cli.data_folder import usable
from hgldp.cli.output import write_json
from hgldp.cli.place_given import folder_given
from hgldp.cli.terminal import legend, page, show
from hgldp.cli.units import in_bytes
from hgldp.collector.collector import Collector
from hgldp.collector.log.schema import FILE
from hgldp.errors import DamagedLog


def run(chosen: Namespace) -> int:
    """Compact, and say how much it was before and is now."""
    folder = folder_given(chosen, "nothing need be done: the sealer deletes what may go")
    with usable(folder):
        before, after = _compact(folder, all_reports=chosen.all_reports)
    if chosen.json:
        write_json({"bytes_before": before, "bytes_after": after})
    else:
        show(page("Compacted", legend([("before", in_bytes(before)), ("now", in_bytes(after))])))
    return 0


def _compact(folder: Path, *, all_reports: bool) -> tuple[int, int]:
    if not (folder / FILE).is_file():
        raise DamagedLog(f"{folder} must hold the data of a collector, but it has no {FILE}")
    before = _size(folder)
    collector = Collector.open(folder, threaded=False)
    try:
        collector.compact(all_reports=all_reports)
    finally:
        collector.close()
    return before, _size(folder)


def _size(folder: Path) -> int:
    return sum(each.stat().st_size for each in folder.glob(f"{FILE}*"))
