"""`hgldp migrate`: a folder of an earlier version becomes one of this version."""

from argparse import Namespace
from pathlib import Path

from hgldp.cli.data_folder import usable
from hgldp.cli.output import write_json, write_output
from hgldp.cli.place_given import A_STORE, store_given
from hgldp.cli.terminal import legend, page, progress_bar, show
from hgldp.cli.units import counted, in_count
from hgldp.collector.log.migration import migrate
from hgldp.collector.views import MOST_HOURS
from hgldp.errors import InvalidField
from hgldp.model.validate import check_whole


def run(chosen: Namespace) -> int:
    """Migrate, or say that there is nothing to do."""
    if store := store_given(chosen):
        return _migrate_store(store, chosen)
    if chosen.grant or chosen.data is None:
        wrong = ("--grant", f"must come with {A_STORE}") if chosen.grant else ("--data", f"must be given, or {A_STORE}")
        raise InvalidField(*wrong, "none")
    hours = chosen.keep_reports_hours
    if hours is not None:
        check_whole("keep-reports-hours", hours, 0, MOST_HOURS)
    folder = Path(chosen.data)
    with usable(folder), progress_bar("counting again", wanted=not chosen.no_progress) as advance:
        done = migrate(folder, advance, reports_kept_hours=hours)
    if chosen.json:
        names = {"tasks": done.tasks, "entries": done.entries, "reports": done.reports}
        write_json(names | {"old_file": str(done.old_file) if done.old_file else None})
    elif done.old_file is None:
        write_output("The folder has the format of this version already.\n")
    else:
        rows = [
            ("tasks", in_count(done.tasks)),
            ("entries of the log", in_count(done.entries)),
            ("reports", in_count(done.reports)),
            ("the old database", str(done.old_file)),
        ]
        show(page("Migrated", legend(rows)))
    return 0


def _migrate_store(url: str, chosen: Namespace) -> int:
    from hgldp.cli.commands.migrate.store import migrate_store  # noqa: PLC0415 - an extra of its own

    roles = chosen.grant or []
    done = migrate_store(url, roles)
    if chosen.json:
        write_json({"steps": done.steps, "format": done.format, "granted": roles})
        return 0
    taken = f"{counted(done.steps, 'step')} taken" if done.steps else "nothing to do"
    told = [
        f"Database {done.database} is at format {done.format} ({taken}).",
        *(f"{each} may do what a collector does." for each in roles),
    ]
    write_output(f"{' '.join(told)}\n")
    return 0
