"""`hgldp tally`: reports in files or in a collector's log, counted by bulletin and symbol."""

from argparse import Namespace
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pyarrow import parquet

from hgldp.cli.collector_log import find_logged, opened_log
from hgldp.cli.output import write_data, write_error, write_json
from hgldp.cli.place_given import A_STORE, store_given
from hgldp.cli.tally_files import check_ending, read_state, tally_bytes
from hgldp.cli.terminal import legend, page, progress_bar, show
from hgldp.cli.units import in_count
from hgldp.cli.whole_files import write_whole, written_whole
from hgldp.errors import InvalidField
from hgldp.tallies.estimate import check_answers
from hgldp.tallies.reports.counting import Counted, count_files
from hgldp.tallies.reports.files import files_in
from hgldp.tallies.reports.layout import UPLOADS
from hgldp.tallies.reports.logged import LoggedReports
from hgldp.tallies.reports.refusals import naming
from hgldp.tallies.state import SealState
from hgldp.tallies.tally import VERSION, Tally

OPEN = "open"


def run(chosen: Namespace) -> int:
    """Count, then write; nothing is written unless everything could be counted."""
    _check(chosen)
    state = None if chosen.state is None else read_state(Path(chosen.state))
    found = _count_files(chosen, state) if chosen.paths else _count_log(chosen)
    if chosen.output is None:
        write_data(found.tally.to_csv().decode())
        return 0
    write_whole({Path(chosen.output): tally_bytes(found.tally, Path(chosen.output))})
    if chosen.json:
        write_json(_fields(found))
    else:
        show(page(f"Counted into {chosen.output}", legend(_rows(found, state))))
    return 0


def _check(chosen: Namespace) -> None:
    of_a_log = chosen.data is not None or bool(chosen.store if chosen.paths else store_given(chosen))
    if bool(chosen.paths) == of_a_log:
        rule = f"must be given; or --task, and --data or {A_STORE}"
        raise InvalidField("PATH", rule, "both" if chosen.paths else "neither")
    for name in ("task", "epoch", "reports"):
        if getattr(chosen, name) is not None and not of_a_log:
            raise InvalidField(f"--{name}", "must come with --data or --store", "neither")
    if of_a_log and chosen.task is None:
        raise InvalidField("--task", "must be given with --data or --store", "none")
    if of_a_log and chosen.state is not None:
        raise InvalidField("--state", "must be left out with --data or --store; --epoch says what counts", chosen.state)
    if chosen.json and chosen.output is None:
        raise InvalidField("--json", "must come with --output", "no --output")
    if chosen.output is not None:
        check_ending(Path(chosen.output))


def _count_files(chosen: Namespace, state: SealState | None) -> Counted:
    only, paths = None if state is None else list(state.symbol_limits), files_in(chosen.paths)
    with progress_bar("counting", wanted=not chosen.no_progress) as advance:
        found = count_files(paths, only, advance)
    if state is not None:
        _check_symbols(state, paths, found.tally)
        _warn_if_none_is_new(state, found)
    return found


def _check_symbols(state: SealState, paths: list[Path], tally: Tally) -> None:
    """If one does not fit, all files are read once more, one by one, to name the first that holds one."""
    try:
        check_answers(state, tally)
    except InvalidField:
        for path in paths:
            alone = count_files([path], list(state.symbol_limits)).tally
            with naming(str(path)):
                check_answers(state, alone)
        raise


def _warn_if_none_is_new(state: SealState, found: Counted) -> None:
    if found.tally.answering(state.bulletin.version):
        return
    line = f"hgldp: no report answers the bulletin in force, {state.bulletin.version}"
    for version, reports in found.others.most_common(1):
        named = version if VERSION.fullmatch(version) else "something that is no version of a bulletin"
        line += f"; of the {in_count(found.left_out)} that are left out {in_count(reports)} answer {named}"
    write_error(line)


def _count_log(chosen: Namespace) -> Counted:
    epoch = None if chosen.epoch in (None, OPEN) else _whole(chosen.epoch)
    bar = progress_bar("counting", wanted=not chosen.no_progress)
    with opened_log(chosen) as log, bar as advance:
        logged = LoggedReports(log, find_logged(log, chosen.task))
        tally = logged.tally(epoch, since_seal=chosen.epoch == OPEN, advance=advance)
        if chosen.reports is not None:
            _write_reports(logged.tables(), Path(chosen.reports))
    return Counted(tally)


def _whole(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) < 16):
        raise InvalidField("--epoch", f"must be the number of an epoch, or {OPEN}", text)
    return int(text)


def _write_reports(tables: Iterator[Any], path: Path) -> None:
    with written_whole(path) as draft, parquet.ParquetWriter(draft, UPLOADS) as writer:
        for table in tables:
            writer.write_batch(table)


def _fields(found: Counted) -> dict[str, Any]:
    answering = {version: found.tally.answering(version) for version in found.tally.counts}
    terms = {"left_out": found.left_out, "repeated_uploads": found.repeated}
    return {"reports": found.tally.reports, "bulletins": answering, **terms}


def _rows(found: Counted, state: SealState | None) -> list[tuple[str, str]]:
    tally: Tally = found.tally
    rows = [("reports", in_count(tally.reports)), ("bulletins", in_count(len(tally.counts)))]
    if found.left_out:
        rows.append(("reports of other bulletins, left out", in_count(found.left_out)))
    if found.repeated:
        rows.append(("uploads that came again, counted once", in_count(found.repeated)))
    if state is not None:
        here = in_count(tally.answering(state.bulletin.version))
        rows.append(("answer the bulletin in force", f"{here}; a full epoch has {in_count(state.epoch_length)}"))
    return rows
