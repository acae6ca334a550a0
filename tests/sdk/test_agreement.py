"""Both languages side by side, on any task, bulletin and life: the same codes, symbols, refusals and reports."""

import json
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any, get_args

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
from hgldp.model.bulletins import AnyBulletin, Bulletin, Cell, FrontierBulletin, OpenBulletin
from hgldp.model.domain import RangeDomain, StringDomain, Vocabulary
from hgldp.model.randomness import SeededWords
from hgldp.model.reserved import Reserved
from hgldp.model.rules import Structure
from hgldp.model.task import Task
from hgldp.model.weights import truth_weight
from hgldp.schemes.pfr import PFR
from hgldp.schemes.registry import scheme_of
from hgldp.system.clock import SteadyTime
from hgldp.wire.bulletin import read_bulletin
from hgldp.wire.bulletin_with_set import set_before, with_set
from hgldp.wire.task import read_task
from tests.sdk.node import NODE, require_node, run

require_node()

Ask = Callable[..., Any]
EPSILONS = st.fractions(min_value=Fraction(1, 20), max_value=8, max_denominator=1000) | st.sampled_from([0.1, 1.0, 2.5])
MANY = settings(max_examples=60, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
WORDS = st.lists(st.text(max_size=6), min_size=4, max_size=12, unique_by=lambda text: text.strip().lower())


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
        process.communicate(timeout=10)


@pytest.fixture(scope="module")
def ask(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ask]:
    with oracle(Path(tmp_path_factory.mktemp("oracle"))) as found:
        yield found


@st.composite
def hot_lists(draw: st.DrawFn) -> tuple[Task, AnyBulletin, list[Any]]:
    words = Vocabulary(tuple(draw(WORDS)))
    scheme = draw(st.sampled_from(["bgr", "dsr", "bdr", "cnr"]))
    tight = draw(st.booleans()) or scheme in ("bgr", "dsr")
    cells, rule = draw(st.integers(1, 3)), draw(st.sampled_from(["none", "space", "case", "space and case"]))
    more: dict[str, Any] = (
        {} if tight else {"tight": False, "judge_share": draw(st.sampled_from([Fraction(1, 3), Fraction(2, 7)]))}
    )
    budget = Budget(draw(EPSILONS), *draw(st.sampled_from([("event",), ("period",), ("window", 3), ("user", 2)])))
    structure = draw(st.sampled_from(get_args(Structure)))
    more |= {"structure": structure, "normalise": rule}
    task = Task(scheme, budget, words, k=1, cells=cells, other=True, **more)
    hot = tuple(draw(st.permutations(range(task.domain_size)))[:cells])
    bulletin = Bulletin(task.id, draw(st.integers(0, 2**50)), task.domain_size, hot, draw(st.booleans()))
    return task, bulletin, [*words.words, *draw(st.lists(st.text(max_size=5) | st.integers(), max_size=5))]


@st.composite
def frontiers(draw: st.DrawFn) -> tuple[Task, AnyBulletin, list[Any]]:
    size, start = draw(st.integers(20, 2**31 - 3)), draw(st.integers(-(2**52), 2**52))
    cells = draw(st.integers(8, 200) | st.integers(8, 4096))
    division = draw(st.sampled_from(["population", "budget"]))
    budget = Budget(draw(EPSILONS), "window", draw(st.integers(1, 9)), division=division)
    task = Task("pfr", budget, RangeDomain(size, start), k=2, cells=cells, other=True)
    used = draw(st.integers(8, cells))
    leaves = tuple(draw(st.lists(st.integers(0, size), max_size=used - 1, unique=True)))
    bulletin = FrontierBulletin(task.id, 5, task.domain_size, used, draw(st.integers(0, 2**64 - 1)), leaves)
    near = [start + leaf for leaf in leaves[:5]] + [start - 1, start, start + size - 1, start + size]
    return task, bulletin, [*near, "7", 2.5, None, *draw(st.lists(st.integers(start, start + size - 1), max_size=5))]


@st.composite
def strings(draw: st.DrawFn) -> tuple[Task, AnyBulletin, list[Any]]:
    most = draw(st.integers(1, 40))
    task = Task("pfr", Budget(draw(EPSILONS)), StringDomain(most), k=2, cells=draw(st.integers(64, 600)))
    texts = draw(st.lists(st.text(max_size=8), max_size=6))
    pieces = [text.encode(errors="ignore") for text in texts]
    ends = st.tuples(st.integers(0, 255), st.integers(0, 255)).map(sorted)
    cells = {Cell(draw(st.sampled_from([b"", *pieces]))[: draw(st.integers(0, 4))], *draw(ends)) for _ in range(9)}
    shown = tuple(sorted(cells)) if draw(st.booleans()) else tuple(cells)
    edges = ["a\0b", "x" * 41, 3, "\ud800", "é" * 20, "100 %41", "😀" * 10, "x" + "😀" * 10, "x" * (most - 1) + "😀"]
    return task, OpenBulletin(task.id, 7, task.rules.cells, shown), [*texts, *edges]


def same_symbols(ask: Ask, case: tuple[Task, AnyBulletin, list[Any]], seed: int) -> None:
    task, bulletin, items = case
    scheme, words, items = scheme_of(task), SeededWords(seed), items * 3
    codes = [task.encode(item) for item in items]
    symbols = [scheme.randomize(code, bulletin, words) for code in codes]
    sent = {"task": task.canonical.hex(), "bulletin": with_set(bulletin, scheme).hex()}
    assert ask("symbols", **sent, seed=str(seed), items=items) == {
        "limit": scheme.symbol_limit(bulletin),
        "epoch": bulletin.epoch,
        "codes": [code.hex() if isinstance(code, bytes) else code for code in codes],
        "symbols": symbols,
    }


@MANY
@given(case=hot_lists(), seed=st.integers(0, 2**64 - 1))
def test_hot_lists_give_the_same_symbols(ask: Ask, case: tuple[Task, AnyBulletin, list[Any]], seed: int) -> None:
    same_symbols(ask, case, seed)


@MANY
@given(case=frontiers(), seed=st.integers(0, 2**64 - 1))
def test_frontiers_give_the_same_symbols(ask: Ask, case: tuple[Task, AnyBulletin, list[Any]], seed: int) -> None:
    same_symbols(ask, case, seed)


@MANY
@given(case=strings(), seed=st.integers(0, 2**64 - 1))
def test_strings_give_the_same_symbols(ask: Ask, case: tuple[Task, AnyBulletin, list[Any]], seed: int) -> None:
    same_symbols(ask, case, seed)


@MANY
@given(epsilon=st.fractions(min_value=Fraction(1, 10**6), max_value=10, max_denominator=10**12))
def test_every_weight_is_the_same(ask: Ask, epsilon: Fraction) -> None:
    assert int(ask("weight", over=str(epsilon.numerator), under=str(epsilon.denominator))) == truth_weight(epsilon)


@MANY
@given(case=hot_lists() | frontiers() | strings(), data=st.data())
def test_a_changed_byte_is_refused_by_both_or_by_none(
    ask: Ask, case: tuple[Task, AnyBulletin, list[Any]], data: st.DataObject
) -> None:
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
@given(case=hot_lists() | frontiers() | strings(), data=st.data())
def test_a_changed_task_is_refused_wherever_python_refuses_it(
    ask: Ask, case: tuple[Task, AnyBulletin, list[Any]], data: st.DataObject
) -> None:
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
        more: dict[str, Any] = {"one_answer": True, "epoch_seconds": 60} if random.random() < 0.5 else {}
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
    "the last event wins": ("!pick(++draw[1], words)", "++draw[1]"),
}


def test_both_report_the_same_events_of_any_life(ask: Ask) -> None:
    assert [number for number, life in enumerate(ALL_LIVES) if not life.agrees(ask)] == []


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_in_the_rules_would_be_found(tmp_path: Path, mistake: str) -> None:
    before, after = MISTAKES[mistake]
    with oracle(tmp_path, {"file": "ledger.ts", "from": before, "to": after}) as ask:
        assert not all(life.agrees(ask) for life in ALL_LIVES)
