"""`hgldp admin log`: what admins did, as a table."""

from dataclasses import asdict

from rich.console import Group
from rich.text import Text

from hgldp.cli.commands.admin.office import Office
from hgldp.cli.output import write_json
from hgldp.cli.terminal import open_table, page, show
from hgldp.cli.units import counted, label
from hgldp.collector.admin_log import Deed
from hgldp.model.validate import check_whole

DIGITS = 12


def show_log(office: Office, last: int | None, *, as_json: bool) -> int:
    """The oldest deed first."""
    if last is not None:
        check_whole("last", last, 1)
    deeds = office.deeds()[-(last or 0) :]
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
