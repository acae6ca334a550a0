"""`hgldp admin log`: the admin log of a data folder as a table."""

from dataclasses import asdict
from pathlib import Path

from rich.console import Group
from rich.text import Text

from hgldp.cli.output import write_json
from hgldp.cli.terminal import open_table, page, show
from hgldp.cli.units import counted, label
from hgldp.collector.admin_log import Deed, read_admin_log
from hgldp.errors import InvalidField
from hgldp.model.validate import check_whole

DIGITS = 12


def show_log(folder: Path, last: int | None, *, as_json: bool) -> int:
    """The oldest deed first."""
    if last is not None:
        check_whole("last", last, 1)
    try:
        deeds = read_admin_log(folder)[-(last or 0) :]
    except OSError as failure:
        raise InvalidField("data", "must be a folder that can be read", f"{folder} ({failure.strerror})") from None
    if as_json:
        write_json([asdict(each) for each in deeds])
    else:
        show(table_of(deeds))
    return 0


def table_of(deeds: list[Deed]) -> Group:
    """When, who, what and to which task. Whoever could write to the folder may have put anything into the files."""
    if not deeds:
        return page("No admin has changed anything yet")
    table = open_table()
    for heading in ("time", "who", "what", "task", ""):
        table.add_column(heading, overflow="fold")
    for each in deeds:
        task = label(each.task[:DIGITS]) if each.task else ""
        told = (
            label(each.time),
            label(each.who),
            label(each.what),
            task,
            label(each.detail, 60) if each.detail else "",
        )
        table.add_row(*(Text(text) for text in told))
    return page(counted(len(deeds), "entry"), table)
