"""`hgldp seal`: the end of an epoch as files: a state and tallies in; the next state, bulletin and result out."""

import json
import secrets
import time
from argparse import Namespace
from dataclasses import asdict
from pathlib import Path

from hgldp.cli.collector_log import find_logged, opened_log
from hgldp.cli.commands.seal.given import late_in, new_reports, warn_of_late
from hgldp.cli.commands.seal.shown import answer_of, counted_page, fields_of, rows_of, written
from hgldp.cli.commands.top.run import table_of
from hgldp.cli.output import write_error, write_json
from hgldp.cli.place_given import store_given
from hgldp.cli.tally_files import read_state
from hgldp.cli.terminal import facts, page, show
from hgldp.cli.whole_files import read_whole, write_whole
from hgldp.collector.http.documents.results import epoch_document
from hgldp.collector.views import PublishedEpoch
from hgldp.errors import InvalidField, MalformedBytes
from hgldp.tallies import Sealed, SealState, Tally, estimate
from hgldp.tallies.from_collector import state_of
from hgldp.tallies.state import read_task_file
from hgldp.wire.strict_json import strict
from hgldp.wire.task import MOST_BYTES as MOST_TASK_BYTES

PRIVATE = 0o600


def run(chosen: Namespace) -> int:
    """Begin, look, or seal; nothing is written unless everything is right."""
    _check(chosen)
    if chosen.state is None:
        state = _begun(chosen)
        _write(chosen, state)
        _tell(chosen, state, "Begun")
        return 0
    state = read_state(Path(chosen.state))
    if not chosen.tally:
        _write(chosen, state)
        _tell(chosen, state, "Waiting")
        return 0
    sealed, tally = _seal(chosen, state)
    _write(chosen, sealed.state, sealed.result)
    if chosen.json:
        late = [asdict(each) for each in late_in(state, tally)]
        write_json({**fields_of(sealed.state), "late": late, "result": epoch_document(sealed.result)})
    else:
        next_epoch = page("The next epoch", facts(rows_of(sealed.state)), *written(chosen))
        show(table_of(answer_of(sealed), new=tally.reports), counted_page(state, tally), next_epoch)
    return 0


def _check(chosen: Namespace) -> None:
    given = [name for name in ("state", "new", "data", "store") if getattr(chosen, name) is not None]
    if len(given) != 1 and (given or not store_given(chosen)):
        rule = "must be given, or to begin --new, --data or --store"
        raise InvalidField("--state", rule, " and ".join(given) or "none")
    for name, needed in (("tally", "state"), ("result", "tally"), ("seed", "new")):
        if getattr(chosen, name) is not None and getattr(chosen, needed) is None:
            raise InvalidField(f"--{name}", f"must come with --{needed}", f"no --{needed}")
    of_a_log = given in ([], ["data"], ["store"])
    if of_a_log != (chosen.task is not None):
        raise InvalidField("--task", "must be given with --data or --store, and only then", chosen.task or "none")
    writes = chosen.state is None or chosen.tally
    if writes and chosen.output_state is None:
        raise InvalidField("--output-state", "must say where the next state goes", "nothing")
    if not writes and chosen.output_state:
        raise InvalidField("--tally", "must be given to end the epoch", "none")
    _check_files(chosen)


def _check_files(chosen: Namespace) -> None:
    outputs = {name: getattr(chosen, name) for name in ("output_state", "bulletin", "result") if getattr(chosen, name)}
    taken = {Path(each).resolve() for each in (chosen.state, chosen.new, *(chosen.tally or ())) if each}
    for name, given in outputs.items():
        place = Path(given).resolve()
        if place in taken:
            raise InvalidField(f"--{name.replace('_', '-')}", "must be another file than all others", given)
        taken.add(place)
    if chosen.output_state and Path(chosen.output_state).exists():
        raise InvalidField("--output-state", "must be a file that is not there yet", chosen.output_state)


def _begun(chosen: Namespace) -> SealState:
    if chosen.new is None:
        with opened_log(chosen) as log:
            return state_of(log, find_logged(log, chosen.task))
    try:
        task = read_task_file(read_whole("task", Path(chosen.new), MOST_TASK_BYTES))
    except MalformedBytes as wrong:
        raise MalformedBytes(f"{chosen.new}: {wrong}") from None
    return SealState.start(task, secrets.randbits(64) if chosen.seed is None else chosen.seed)


def _seal(chosen: Namespace, state: SealState) -> tuple[Sealed, Tally]:
    tally = new_reports([Path(each) for each in chosen.tally], state, total=chosen.total)
    has, length = tally.answering(state.bulletin.version), state.epoch_length
    sealed = estimate(state, tally, published=time.time())
    if 2 * has < length and not chosen.anyway:
        rule = (
            f"must answer the bulletin in force with at least half of the {length:,} reports that an epoch should have"
        )
        raise InvalidField("tally", rule, f"{has:,}: wait for more, or say --anyway")
    if has < length:
        write_error(f"hgldp: the epoch is {has / length:.0%} full: {has:,} of {length:,} reports answer its bulletin")
    if not chosen.total:
        warn_of_late(state, tally)
    return sealed, tally


def _write(chosen: Namespace, state: SealState, result: PublishedEpoch | None = None) -> None:
    files: dict[Path, bytes] = {}
    if chosen.bulletin is not None:
        files[Path(chosen.bulletin)] = state.bulletin.canonical
    if chosen.result is not None and result is not None:
        text = json.dumps(strict(epoch_document(result)), ensure_ascii=True, allow_nan=False, indent=2)
        files[Path(chosen.result)] = f"{text}\n".encode()
    last = {} if chosen.output_state is None else {Path(chosen.output_state): state.write()}
    write_whole(last, files, PRIVATE)


def _tell(chosen: Namespace, state: SealState, title: str) -> None:
    if chosen.json:
        write_json(fields_of(state))
    else:
        show(page(title, facts(rows_of(state)), *written(chosen)))
