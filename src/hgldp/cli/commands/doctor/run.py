"""`hgldp doctor`: one line for each check, and what to do."""

from argparse import Namespace
from collections.abc import Sequence
from dataclasses import asdict, replace
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
from hgldp.cli.place_given import store_given
from hgldp.cli.terminal import page, show
from hgldp.cli.units import counted
from hgldp.collector.log.end_mark import accept_loss
from hgldp.collector.settings import Settings, load_settings, shown_url
from hgldp.errors import DamagedLog, InvalidField
from hgldp.system.owner import working_in

ILL = 1
STYLES = {OK: "green", WARNING: "yellow", PROBLEM: "bold red"}


def run(chosen: Namespace) -> int:
    """Exit code 1 if something does not work or is not safe."""
    config = None if chosen.config is None else Path(chosen.config)
    data = None if chosen.data is None else Path(chosen.data)
    settings = load_settings(config, data=data, store=store_given(chosen, quietly=True) or None, host=chosen.host)
    if chosen.data is not None:
        settings = replace(settings, store="")
    if chosen.accept_loss:
        if settings.store:
            raise InvalidField("--accept-loss", "must come with --data", "a store: what is lost there is in a dump")
        _accept_loss(settings.data)
    findings = examine(settings, online=chosen.online, typed=chosen.store is not None, config=config)
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


def examine(settings: Settings, *, online: bool, typed: bool = False, config: Path | None = None) -> list[Finding]:
    """Every check there is. Whether the store was `typed`, and the configuration file, say who can read its address."""
    if settings.store:
        from hgldp.cli.commands.doctor.store import check_store  # noqa: PLC0415 - an extra of its own

        place = list(check_store(settings.store, typed=typed, config=config))
    else:
        with working_in(settings.data):
            place = [*check_folder(settings.data), *check_log(settings.data)]
    return [
        *place,
        *check_machine(),
        *check_proxy(settings, online=online),
        *check_installation(None if settings.store else settings.data),
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
    where = f"with the store {shown_url(settings.store)}" if settings.store else f"in {settings.data}"
    return page(f"The collector {where}", table, Text(verdict, style="bold"))
