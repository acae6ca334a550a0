"""The built file under audit, as a stranger would: what it spends, and that a build that spends more is caught.

`make sdk-audit` reports each item 200,000 times; here fewer do, so that the tests stay short.
"""

import json
import os
from collections.abc import Iterator
from math import log
from pathlib import Path
from typing import Any

import pytest

from hgldp import Task
from hgldp.audit import CommandClient, audit, made_bulletins, pairs_of
from hgldp.audit.sampled.bounds import lower_bound, upper_bound
from hgldp.audit.subjects.process import PROTOCOL, Process
from hgldp.model.bulletins import AnyBulletin
from hgldp.model.domain import StringDomain
from hgldp.model.hints import Hints
from hgldp.model.reports import symbol_bytes
from hgldp.schemes.registry import scheme_of
from hgldp.wire.bulletin_with_set import set_before
from tests.sdk.node import NODE, SDK, build, require_node
from tests.sdk.site import STATIC

require_node()

EPSILON, REPORTS, SEED = 1.0, int(os.environ.get("HGLDP_AUDIT_REPORTS", "30000")), "7"
STATED, ALARM = 0.001, 1e-7
MANY = REPORTS >= 200_000
SOME = ("dsr", "cnr, naming", "pfr over a list", "pfr over strings", "pfr over strings with a list")
AROUND = ("dsr", "pfr over strings", "pfr over strings with a list")
CLIENT, BUILT = str(SDK / "test" / "audited.mjs"), Path(str(STATIC))
RAISED = {"file": "exact.ts", "from": "return sum >> GUARD;", "to": "return ((sum >> GUARD) * 6n) / 5n;"}
DRINKS = ["tea", "coffee", "mate", "milk", "juice"]
Tally = dict[str, int]


def cases() -> Iterator[Any]:
    """Each scheme, in each regime that its bulletins have."""
    for scheme in ("bgr", "dsr", "bdr", "cnr"):
        task = Task(scheme, epsilon=EPSILON, domain=DRINKS, k=1, cells=2, other=True)
        for bulletin in made_bulletins(task):
            yield pytest.param(task, bulletin, id=f"{scheme}{', naming' if getattr(bulletin, 'nominating', 0) else ''}")
    listed = Task("pfr", epsilon=EPSILON, domain=DRINKS, k=1, cells=12, other=True)
    yield pytest.param(listed, made_bulletins(listed)[0], id="pfr over a list")
    strings = Task("pfr", epsilon=EPSILON, domain=20, k=5, cells=64)
    yield pytest.param(strings, made_bulletins(strings)[0], id="pfr over strings")
    hinted = Task("pfr", epsilon=EPSILON, domain=StringDomain(20, Hints.of(DRINKS)), k=5, cells=64)
    yield pytest.param(hinted, made_bulletins(hinted)[0], id="pfr over strings with a list")


def command(folder: Path, task: Task, bulletin: AnyBulletin, seed: str) -> list[str]:
    """The client of the build in a folder that knows the task."""
    file = folder / ("hgldp-hints.js" if task.hints else "hgldp-all.js")
    words = [NODE, CLIENT, str(file), set_before(bulletin, scheme_of(task)).hex(), seed]
    return [*words, task.hints.data.hex()] if task.hints else words


def reports_of(task: Task, folder: Path) -> int:
    """How often each item is reported. Strings have more symbols, so they need more. So does the planted bug."""
    times = (1 if task.domain.size is not None else 2) * (1 if folder == BUILT else 2)
    return REPORTS if MANY else times * REPORTS


def tallies(folder: Path, task: Task, bulletin: AnyBulletin, *items: object) -> list[list[Tally]]:
    """How often each symbol came, for each item in two halves."""
    process = Process(command(folder, task, bulletin, SEED), patience=300)
    try:
        process.say(PROTOCOL, f"task {task.canonical.hex()}", f"bulletin {bulletin.canonical.hex()}")
        width = symbol_bytes(scheme_of(task).symbol_limit(bulletin))
        found = []
        for item in items:
            process.say(f"many {reports_of(task, folder)} {width} {json.dumps(item)}")
            found.append(json.loads(next(process.hear(1))))
        return found
    finally:
        process.close()


def spends_at_least(one: list[Tally], other: list[Tally], error: float) -> float:
    """A bound on ε: the first halves choose which symbols to look at, the second halves are counted."""

    def ratio(symbol: str) -> float:
        return (one[0].get(symbol, 0) + 1) / (other[0].get(symbol, 0) + 1)

    order = sorted(set(one[0]) | set(other[0]), key=ratio, reverse=True)
    draws, best = sum(one[1].values()), (-1.0, order[:1])
    for count in range(1, len(order)):
        hits, misses = (sum(tally.get(symbol, 0) for symbol in order[:count]) for tally in (one[0], other[0]))
        likely = log((hits - 3 * hits**0.5 + 1) / (misses + 3 * misses**0.5 + 1)) if hits > 9 else -1.0
        best = max(best, (likely, order[:count]))
    hits, misses = (sum(tally.get(symbol, 0) for symbol in best[1]) for tally in (one[1], other[1]))
    return log(lower_bound(hits, draws, error / 2) / upper_bound(misses, draws, error / 2))


def bounds(folder: Path, task: Task, bulletin: AnyBulletin) -> tuple[float, float]:
    """What the file in a folder spends at least, with the error that is stated and with the error of an alarm."""
    pair = pairs_of(task, bulletin, outside=False)[0]
    one, other = tallies(folder, task, bulletin, pair.one[0], pair.other[0])
    assert {sum(half.values()) for half in (*one, *other)} == {reports_of(task, folder) // 2}
    stated, alarm = (
        max(spends_at_least(one, other, error), spends_at_least(other, one, error)) for error in (STATED, ALARM)
    )
    return stated, alarm


@pytest.mark.parametrize(("task", "bulletin"), list(cases()))
def test_the_built_file_spends_what_it_claims_and_no_more(task: Task, bulletin: AnyBulletin) -> None:
    """With correct code, 1 of 10^7 seeds would raise the alarm. Of ε = 1, .85 is seen with many reports, else .8."""
    stated, alarm = bounds(BUILT, task, bulletin)
    print(f"spends at least {stated:.3f}")
    assert alarm <= EPSILON
    assert stated >= (0.85 if MANY else 0.8)


@pytest.fixture(scope="module")
def raised(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(Path(tmp_path_factory.mktemp("raised")), RAISED)


@pytest.mark.parametrize(("task", "bulletin"), [case for case in cases() if MANY or case.id in SOME])
def test_a_build_whose_truth_weighs_a_fifth_more_is_caught(task: Task, bulletin: AnyBulletin, raised: Path) -> None:
    assert bounds(raised, task, bulletin)[1] > EPSILON


@pytest.mark.parametrize(("task", "bulletin"), [case for case in cases() if case.id in AROUND])
def test_nothing_around_the_reports_tells_more(task: Task, bulletin: AnyBulletin) -> None:
    """Whole devices, each of them fresh: absence, lengths, ids, order; false-alarm rate 10^−6."""
    with CommandClient(command(BUILT, task, bulletin, ""), task, bulletin) as client:
        result = audit(client, pairs_of(task, bulletin, several=True), claim=EPSILON, draws=1_500, error=1e-6)
    assert result.passed, result.sentences
