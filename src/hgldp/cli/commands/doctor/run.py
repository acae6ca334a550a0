"""`hgldp doctor`: one line for each check, and what to do."""

from argparse import Namespace
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from rich.console import Group
from rich.table import Table
from rich.text import Text

from hgldp.cli.commands.doctor.finding import OK, PROBLEM, WARNING, Finding
from hgldp.cli.commands.doctor.folder import check_folder
from hgldp.cli.commands.doctor.installation import check_installation
from hgldp.cli.commands.doctor.log import END, check_log
from hgldp.cli.commands.doctor.machine import check_machine
from hgldp.cli.commands.doctor.proxy import check_proxy
from hgldp.cli.data_folder import usable
from hgldp.cli.output import write_error, write_json
from hgldp.cli.terminal import page, show
from hgldp.cli.units import counted
from hgldp.collector.log.end_mark import accept_loss
from hgldp.collector.settings import Settings, load_settings
from hgldp.errors import DamagedLog

ILL = 1
STYLES = {OK: "green", WARNING: "yellow", PROBLEM: "bold red"}


def run(chosen: Namespace) -> int:
    """Exit code 1 if something does not work or is not safe."""
    config = None if chosen.config is None else Path(chosen.config)
    data = None if chosen.data is None else Path(chosen.data)
    settings = load_settings(config, data=data, host=chosen.host)
    if chosen.accept_loss:
        _accept_loss(settings.data)
    findings = examine(settings, online=chosen.online)
    if chosen.json:
        write_json([asdict(each) for each in findings])
    else:
        show(report(settings, findings))
    return ILL if any(each.verdict == PROBLEM for each in findings) else 0


def _accept_loss(folder: Path) -> None:
    with usable(folder):
        if any(each.check == END and each.verdict == OK for each in check_log(folder)):
            raise DamagedLog(f"no acknowledged report is missing in {folder}. Nothing was changed")
        aside = accept_loss(folder)
    write_error(f"hgldp: the collector can start again, with what is there; copies of the damaged files are in {aside}")


def examine(settings: Settings, *, online: bool) -> list[Finding]:
    """Every check there is."""
    return [
        *check_folder(settings.data),
        *check_log(settings.data),
        *check_machine(),
        *check_proxy(settings, online=online),
        *check_installation(settings.data),
    ]


def report(settings: Settings, findings: Sequence[Finding]) -> Group:
    """One line for each check, what to do below it, and the sum."""
    table = Table.grid(padding=(0, 2))
    for _ in range(2):
        table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    for each in findings:
        table.add_row(Text(each.verdict, style=STYLES[each.verdict]), Text(each.check), Text(each.says))
        if each.do:
            table.add_row("", "", Text(f"→ {each.do}", style="dim"))
    counts = [(sum(each.verdict == kind for each in findings), kind) for kind in (PROBLEM, WARNING)]
    said = [counted(number, kind) for number, kind in counts if number]
    verdict = ", ".join(said) or "All is well."
    return page(f"The collector in {settings.data}", table, Text(verdict, style="bold"))
