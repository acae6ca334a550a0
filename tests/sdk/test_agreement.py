"""Both languages side by side, on any task, bulletin and life: the same codes, symbols, refusals and reports."""

import json
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hgldp.client.inbox import Inbox
from hgldp.client.spending.account import Account
from hgldp.client.spending.ceilings import Ceilings
from hgldp.client.spending.choice import chosen, reserve
from hgldp.client.spending.drawn import Draws
from hgldp.client.spending.page import Page
from hgldp.client.spending.periods import Periods
from hgldp.errors import HgldpError
from hgldp.model.budget import Budget
from hgldp.model.bulletins import Cell, FrontierBulletin, HintedBulletin, OpenBulletin
from hgldp.model.domain import StringDomain
from hgldp.model.hints import Hints
from hgldp.model.randomness import SeededWords
from hgldp.model.reserved import Reserved
from hgldp.model.task import Task
from hgldp.model.weights import truth_weight
from hgldp.schemes.pfr import PFR
from hgldp.schemes.registry import scheme_of
from hgldp.system.clock import SteadyTime
from hgldp.wire.bulletin import read_bulletin
from hgldp.wire.bulletin_with_set import set_before, with_set
from hgldp.wire.task import read_task
from tests.patience import PATIENCE
from tests.sdk.drawn import Case, frontiers, hinted, hot_lists, strings
from tests.sdk.node import NODE, require_node, run

require_node()

Ask = Callable[..., Any]
MANY = settings(max_examples=60, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))


@contextmanager
def oracle(folder: Path, plant: dict[str, str] | None = None) -> Iterator[Ask]:
    """The sources in Node, perhaps with a mistake in them, and a way to ask them."""
    run(NODE, "test/run.mjs", "oracle", OUT=str(folder), **({"PLANT": json.dumps(plant)} if plant else {}))
    command = [NODE, str(folder / "oracle.mjs")]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:

        def asked(kind: str, **question: Any) -> Any:
            assert process.stdin is not None
            assert process.stdout is not None
            process.stdin.write(json.dumps({"kind": kind, **question}) + "\n")
            process.stdin.flush()
            return json.loads(process.stdout.readline())

        yield asked
        process.communicate(timeout=PATIENCE)


@pytest.fixture(scope="module")
def ask(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ask]:
    with oracle(Path(tmp_path_factory.mktemp("oracle"))) as found:
        yield found


def pythons_symbols(case: Case, seed: int) -> dict[str, Any]:
    """What Python says of a case."""
    task, bulletin, items = case
    scheme, words, items = scheme_of(task), SeededWords(seed), items * 3
    codes = [task.encode(item) for item in items]
    symbols = [scheme.randomize(code, bulletin, words) for code in codes]
    return {
        "limit": scheme.symbol_limit(bulletin),
        "epoch": bulletin.epoch,
        "codes": [code.hex() if isinstance(code, bytes) else code for code in codes],
        "symbols": symbols,
    }


def other_symbols(ask: Ask, case: Case, seed: int) -> Any:
    """And what the sources say."""
    task, bulletin, items = case
    sent = {"task": task.canonical.hex(), "bulletin": with_set(bulletin, scheme_of(task)).hex()}
    sent |= {"list": task.hints.data.hex()} if task.hints else {}
    return ask("symbols", **sent, seed=str(seed), items=items * 3)


def same_symbols(ask: Ask, case: Case, seed: int) -> None:
    assert other_symbols(ask, case, seed) == pythons_symbols(case, seed)


@MANY
@given(case=hot_lists(), seed=st.integers(0, 2**64 - 1))
def test_hot_lists_give_the_same_symbols(ask: Ask, case: Case, seed: int) -> None:
    same_symbols(ask, case, seed)


@MANY
@given(case=frontiers(), seed=st.integers(0, 2**64 - 1))
def test_frontiers_give_the_same_symbols(ask: Ask, case: Case, seed: int) -> None:
    same_symbols(ask, case, seed)


@MANY
@given(case=strings(), seed=st.integers(0, 2**64 - 1))
def test_strings_give_the_same_symbols(ask: Ask, case: Case, seed: int) -> None:
    same_symbols(ask, case, seed)


@MANY
@given(case=hinted(), seed=st.integers(0, 2**64 - 1))
def test_strings_with_a_list_give_the_same_symbols(ask: Ask, case: Case, seed: int) -> None:
    same_symbols(ask, case, seed)


ON_A_LIST = Hints.of(["tea", "mate", "milk", "green tea", "water", "juice"])
MISTAKES_WITH_LISTS = {
    "every line is the one after it": ("hinted.ts", "parts[0]![3](line - 1)", "parts[0]![3](line % 6)"),
    "everything is spelled": ("hinted.ts", "return line ?", "return line < 0 ?"),
    "the parts overlap": ("hinted.ts", ": ofList + parts", ": parts"),
    "an epoch of a part is not looked at": ("hinted.ts", " && when == epoch", ""),
    "a task of a part is not looked at": ("hinted.ts", '!+("0x" + id) && ', ""),
}


@pytest.mark.parametrize("mistake", MISTAKES_WITH_LISTS)
def test_a_mistake_with_a_list_would_be_found(tmp_path: Path, mistake: str) -> None:
    task = Task("pfr", epsilon=2.0, domain=StringDomain(16, ON_A_LIST), k=1, cells=32)
    listed = FrontierBulletin(bytes(32), 9, ON_A_LIST.size, 10, 7, (2, 4))
    bulletin = HintedBulletin(task.id, 9, listed, OpenBulletin(bytes(32), 9, 22, (Cell(b"m", 97, 122),)))
    items = [*ON_A_LIST.strings, "te", "malt", "mat", "gin", "teas", ""]
    raw, first = with_set(bulletin, scheme_of(task)), len(set_before(bulletin, scheme_of(task)))
    of_part = raw.index(b"hgldp frontier 1", first) + 16
    file, before, after = MISTAKES_WITH_LISTS[mistake]
    with oracle(tmp_path, {"file": file, "from": before, "to": after}) as ask:

        def refuses(place: int) -> bool:
            changed = raw[:place] + b"\1" + raw[place + 1 :]
            return bool(ask("refused", task=task.canonical.hex(), bulletin=changed.hex()))

        refused = refuses(of_part) and refuses(of_part + 39)
        case = (task, bulletin, items)
        assert not refused or other_symbols(ask, case, 3) != pythons_symbols(case, 3)


@MANY
@given(epsilon=st.fractions(min_value=Fraction(1, 10**6), max_value=10, max_denominator=10**12))
def test_every_weight_is_the_same(ask: Ask, epsilon: Fraction) -> None:
    assert int(ask("weight", over=str(epsilon.numerator), under=str(epsilon.denominator))) == truth_weight(epsilon)


@MANY
@given(case=hot_lists() | frontiers() | strings() | hinted(), data=st.data())
def test_a_changed_byte_is_refused_by_both_or_by_none(ask: Ask, case: Case, data: st.DataObject) -> None:
    """What no version of a bulletin announces is refused by its hash; here the hash is right, and the shape decides."""
    task, bulletin, _ = case
    changed = bytearray(bulletin.canonical)
    changed[data.draw(st.integers(0, len(changed) - 1))] ^= data.draw(st.integers(1, 255))
    scheme = scheme_of(task)
    before = set_before(bulletin, scheme)
    try:
        scheme.check_bulletin(found := read_bulletin(bytes(changed)))
        before, refused = set_before(found, scheme), found.epoch > 2**53
    except HgldpError:
        refused = True
    assert ask("refused", task=task.canonical.hex(), bulletin=(before + changed).hex()) == refused


@pytest.mark.parametrize("epsilon", [Fraction(1, 2), Fraction(1), Fraction(2), Fraction(4)])
def test_the_playground_has_the_sets_that_a_collector_chooses(ask: Ask, epsilon: Fraction) -> None:
    chosen_here = PFR(domain_size=11, cells=9, epsilon=epsilon).mechanism.difference_set.packed
    assert ask("lesson", epsilon=str(epsilon)) == chosen_here.hex()


@MANY
@given(case=hot_lists() | frontiers() | strings() | hinted(), data=st.data())
def test_a_changed_task_is_refused_wherever_python_refuses_it(ask: Ask, case: Case, data: st.DataObject) -> None:
    changed = bytearray(case[0].canonical)
    changed[data.draw(st.integers(0, len(changed) - 1))] = data.draw(st.integers(32, 126))
    try:
        read_task(bytes(changed))
    except HgldpError:
        assert ask("refused", task=changed.hex())


class InMemory(Account):
    """A ledger as Python keeps it, at a time that the test sets."""

    def __init__(self, task: Task) -> None:
        self.page, self.time = Page(task.id.hex()), Moment()

    def _turn(self, page: Page) -> None:
        self.page = page


class Moment(SteadyTime):
    """A time that is set."""

    def __init__(self) -> None:
        self.second = 0.0

    def now(self) -> float:
        return self.second

    def date(self) -> float:
        return self.second


class Named:
    """As much of a bulletin as the rules look at."""

    def __init__(self, version: str) -> None:
        self.version = version


LEVELS: list[tuple[Any, ...]] = [
    ("event",), ("period",), ("period", None, "week"), ("window", 3), ("user", 4),
    ("window", 3, None, "budget"), ("user", 4, None, "budget"), *[("period",)] * 3,
]  # fmt: skip
GAPS = [1.0, 1_800.0, 3_600.0, 43_000.0, 84_000.0, 86_400.0, 90_001.0, 700_000.0]
LIVES = 600


@dataclass(frozen=True)
class Life:
    """What a device goes through, and what it reports by Python's rules."""

    task: Task
    seed: int
    steps: list[dict[str, Any]]
    ceilings: Ceilings

    @classmethod
    def drawn(cls, random: Random) -> "Life":
        budget = Budget(2.0, *random.choice(LEVELS))
        seconds = random.choice([60, 3_600, 100_000])
        more: dict[str, Any] = {"one_answer": True, "epoch_seconds": seconds} if random.random() < 0.5 else {}
        nothing = random.random() < 0.5 and budget.period is not None
        task = Task("pfr", budget, ["tea", "milk"], k=1, cells=12, other=True, nothing=nothing, **more)
        now, steps = 1_000_000.0, []
        for _ in range(random.randint(1, 12)):
            now += random.choice([*GAPS, random.uniform(0, 90_000)])
            items = random.choices(["tea", "milk", "gin", 7], k=random.randint(0, 5))
            version = f"{random.randint(0, 2):064x}"[::-1]
            steps.append({"now": now, "items": items, "bulletin": version, "able": random.random() < 0.5})
        ceilings = Ceilings(
            2.0, random.choice([0, 1, 1, 2, 6]), max_total_epsilon=random.choice([None, None, 2.0, 7.5])
        )
        return cls(task, random.getrandbits(64), steps, ceilings)

    def agrees(self, ask: Ask) -> bool:
        total = self.ceilings.max_total_epsilon
        limits = {"reportsPerDay": self.ceilings.reports_per_day, "maxTotalEpsilon": 1e9 if total is None else total}
        task = self.task.canonical.hex()
        found = ask("life", task=task, seed=str(self.seed), steps=self.steps, ceilings=limits)
        expected = pythons_life(self.task, self.seed, self.steps, self.ceilings)
        return {name: found[name] for name in expected} == expected


def pythons_life(task: Task, seed: int, steps: list[dict[str, Any]], ceilings: Ceilings) -> dict[str, Any]:
    """What a device of Python's rules reports."""
    account, words, caps = InMemory(task), SeededWords(seed), ceilings.caps(task)
    inbox = Inbox(1_000, account.time.now)
    periods, reports = Periods(account, Draws(), inbox, words), []
    for step in steps:
        account.time.second = step["now"]
        bulletin: Any = Named(step["bulletin"])
        codes = [task.encode(item) for item in step["items"]]
        if task.budget.period is not None:
            periods.take(task.budget.period, [(step["now"], code) for code in codes])
            periods.look(task.budget.period, step["now"])
            over = periods.reserve(task, caps, bulletin) if step["able"] else None
            if over is not None:
                reports.append([over.code if over.seen else task.encode(Reserved.NOTHING)])
        else:
            wanted = chosen(account, codes, task, words)
            granted, _ = reserve(account, codes, wanted, task, caps, bulletin, words)
            reports.append(list(granted))
    return {"reports": [each for each in reports if each], "reportsMade": account.page.reports}


ALL_LIVES = [Life.drawn(Random(number)) for number in range(LIVES)]
MISTAKES = {
    "another lot": ("place % among", "(place + 1) % among"),
    "an hour is forgotten": ("hour + 25 > now / HOUR ? sum", "hour + 24 > now / HOUR ? sum"),
    "an empty period displaces one with events": ("if (open[1] || !ledger.pastPeriod)", "if (true)"),
    "nothing is not counted": ("past[1] ? past[2] : task.nothing", "past[2]"),
    "a late report costs the next one": ("LATE_AND_ON_TIME = 2", "LATE_AND_ON_TIME = 1"),
    "answers are forgotten": ("slice(-ANSWERS_KEPT)", "slice(-1)"),
    "answers are as fast as bulletins": ("!hasPassed(ledger, ledger.answeredAt, fields.epoch_seconds)", "false"),
    "the last event wins": ("!pick(++draw[1], words)", "++draw[1]"),
}


def test_both_report_the_same_events_of_any_life(ask: Ask) -> None:
    assert [number for number, life in enumerate(ALL_LIVES) if not life.agrees(ask)] == []


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_in_the_rules_would_be_found(tmp_path: Path, mistake: str) -> None:
    before, after = MISTAKES[mistake]
    with oracle(tmp_path, {"file": "ledger.ts", "from": before, "to": after}) as ask:
        assert not all(life.agrees(ask) for life in ALL_LIVES)
