"""`hgldp replay`: everything that a collector published, derived again from its log and compared bit for bit."""

from argparse import Namespace
from dataclasses import asdict
from pathlib import Path

from rich.console import Group
from rich.text import Text

from hgldp.cli.collector_log import opened_store
from hgldp.cli.data_folder import usable
from hgldp.cli.output import write_json
from hgldp.cli.place_given import A_STORE, store_given
from hgldp.cli.terminal import legend, page, show
from hgldp.cli.units import in_count
from hgldp.collector.log.replay import ReplayReport, replay, replay_all
from hgldp.errors import InvalidField

DIFFERS = 1


def run(chosen: Namespace) -> int:
    """Say what was derived, and in the exit code whether it is what was published."""
    if store := store_given(chosen):
        with opened_store(store) as log:
            report = replay_all(log)
    elif chosen.data is None:
        raise InvalidField("DIR", f"must be given to hgldp replay, or {A_STORE}", "none")
    else:
        with usable(Path(chosen.data)):
            report = replay(Path(chosen.data))
    if chosen.json:
        write_json(asdict(report) | {"agrees": report.agrees})
    else:
        show(page_of(report))
    return 0 if report.agrees else DIFFERS


def page_of(report: ReplayReport) -> Group:
    """Counts, then the verdict."""
    rows = [
        ("tasks", in_count(report.tasks)),
        ("entries of the log", in_count(report.entries)),
        ("reports", in_count(report.reports)),
        ("bulletins derived again", in_count(report.bulletins)),
        ("epochs derived again", in_count(report.epochs)),
    ]
    if report.earlier:
        rows.append(("reports before what is kept", in_count(report.earlier)))
    if report.taken_over:
        rows.append(("reports before this version took over", in_count(report.taken_over)))
    if report.folded:
        rows.append(("of which without their reports", in_count(report.folded)))
    if report.unwritten:
        rows.append(("not yet written when it stopped", in_count(report.unwritten)))
    if report.agrees:
        since = " since then" if report.taken_over else ""
        verdict = Text(f"Everything that was published{since} follows from the log, bit for bit.", style="bold green")
    else:
        verdict = Text(f"First difference: {report.difference}", style="bold red")
    return page("Replayed", legend(rows), verdict)
