"""`hgldp audit`: what a client spends, seen from outside."""

from argparse import Namespace
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from hgldp.audit import (
    AuditResult,
    CommandClient,
    OwnClient,
    ReportingClient,
    SteeredResult,
    audit,
    expected_ratios,
    made_bulletins,
    pairs_of,
    steered_audit,
)
from hgldp.audit.sampled.run import ERROR
from hgldp.audit.subjects.base import Advance
from hgldp.cli.commands.audit.table import SAMPLED, STEERED, Look, R
from hgldp.cli.output import write_json
from hgldp.cli.service import Service
from hgldp.cli.tasks import fetch_task, find_task
from hgldp.cli.terminal import progress_bar, show
from hgldp.cli.values import parse_number, read_file
from hgldp.errors import InvalidField
from hgldp.model.bulletins import AnyBulletin
from hgldp.model.randomness import OSWords, SeededWords
from hgldp.model.task import Task
from hgldp.model.weights import Epsilon
from hgldp.schemes.registry import scheme_of
from hgldp.wire import api
from hgldp.wire.bulletin import MOST_BYTES, read_bulletin
from hgldp.wire.task import read_task

LEAKS = 1
DRAWS, COLLECTOR_DRAWS = 1_000_000, 10_000
One = Callable[[AnyBulletin, list[R], Advance], R]
"""An audit against one bulletin, after the results of those before it."""


def run(chosen: Namespace) -> int:
    """Audit against each bulletin, print, and say in the exit code whether anything was found."""
    _check_options(chosen)
    task, bulletins = _task_and_bulletins(chosen)
    claim = parse_number("claim", chosen.claim) if chosen.claim else task.budget.per_report
    if chosen.steered:
        return _run(chosen, task, bulletins, _steered(chosen, task, claim), STEERED)
    return _run(chosen, task, bulletins, _sampled(chosen, task, float(claim), len(bulletins)), SAMPLED)


def _check_options(chosen: Namespace) -> None:
    if chosen.collector and not chosen.client:
        raise InvalidField("COMMAND", "must be given with --collector", "none")
    if chosen.seed is not None and chosen.client:
        raise InvalidField("--seed", "must be left out: a client behind a command draws by itself", chosen.seed)
    if not chosen.steered:
        return
    if chosen.collector:
        raise InvalidField("--collector", "must be left out with --steered", "both")
    for option in ("seed", "error"):
        if getattr(chosen, option) is not None:
            rule = "must be left out with --steered, where nothing is left to chance"
            raise InvalidField(f"--{option}", rule, getattr(chosen, option))


def _run(chosen: Namespace, task: Task, bulletins: list[AnyBulletin], one: One[R], look: Look[R]) -> int:
    results: list[R] = []
    with progress_bar("auditing", wanted=not chosen.no_progress) as advance:
        for done, bulletin in enumerate(bulletins):
            scheme_of(task).check_bulletin(bulletin)
            results.append(one(bulletin, results, _shifted(advance, done, len(bulletins))))
    if chosen.json:
        write_json(look.document(task, bulletins, results))
    else:
        show(look.report(bulletins, results))
    return 0 if all(result.passed for result in results) else LEAKS


def _sampled(chosen: Namespace, task: Task, claim: float, parts: int) -> One[AuditResult]:
    """With an equal share of the draws and of the error rate."""
    draws = chosen.draws if chosen.draws is not None else COLLECTOR_DRAWS if chosen.collector else DRAWS
    error = parse_number("error", chosen.error) if chosen.error is not None else ERROR
    each, rate = draws // parts, error / parts
    several = bool(chosen.client) and task.budget.level != "user"

    def one(bulletin: AnyBulletin, _: list[AuditResult], advance: Advance) -> AuditResult:
        pairs = pairs_of(task, bulletin, outside=not chosen.inside_only, several=several)
        kind = ReportingClient(chosen.client, task, bulletin) if chosen.collector else _client(chosen, task, bulletin)
        with kind as client:
            known = expected_ratios(task, bulletin)
            return audit(client, pairs, claim, draws=each, error=rate, expected=known, advance=advance)

    return one


def _steered(chosen: Namespace, task: Task, claim: Epsilon) -> One[SteeredResult]:
    """With every draw chosen by the audit, and as many runs as those before it left."""
    draws = DRAWS if chosen.draws is None else chosen.draws

    def one(bulletin: AnyBulletin, before: list[SteeredResult], advance: Advance) -> SteeredResult:
        pairs = pairs_of(task, bulletin, outside=not chosen.inside_only)
        left = draws - sum(result.runs for result in before)
        with _client(chosen, task, bulletin) as client:
            return steered_audit(client, pairs, claim, draws=left, advance=advance)

    return one


@contextmanager
def _client(chosen: Namespace, task: Task, bulletin: AnyBulletin) -> Iterator[OwnClient | CommandClient]:
    """Our own, or the one behind the command."""
    if not chosen.client:
        yield OwnClient(task, bulletin, OSWords() if chosen.seed is None else SeededWords(chosen.seed))
        return
    with CommandClient(chosen.client, task, bulletin) as client:
        yield client


def _task_and_bulletins(chosen: Namespace) -> tuple[Task, list[AnyBulletin]]:
    """From files, or from a collector; a task in a file gets bulletins that are made up for it."""
    given = None if chosen.bulletin is None else [read_bulletin(read_file("bulletin", chosen.bulletin))]
    if Path(chosen.task).is_file():
        task = read_task(read_file("task", chosen.task).strip())
        return task, given or made_bulletins(task)
    service = Service(chosen.url, chosen.token)
    task_id = find_task(service, chosen.task)
    task = fetch_task(service, task_id)
    if given is not None:
        return task, given
    version = service.get(api.CURRENT_BULLETIN.format(id=task_id))["bulletin"]
    return task, [read_bulletin(service.fetch(api.BULLETIN.format(version=version), most_bytes=MOST_BYTES), version)]


def _shifted(advance: Advance, done: int, parts: int) -> Advance:
    """Several audits in one bar."""
    return lambda drawn, total: advance(done * total + drawn, parts * total)
