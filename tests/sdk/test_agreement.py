"""Both languages side by side, on any task, bulletin and life: the same codes, symbols, refusals and reports."""

import json
import subprocess
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hgldp.errors import HgldpError
from hgldp.model.budget import Budget
from hgldp.model.bulletins import AnyBulletin, Bulletin, Cell, FrontierBulletin, OpenBulletin
from hgldp.model.domain import RangeDomain, StringDomain, Vocabulary
from hgldp.model.randomness import SeededWords
from hgldp.model.task import Task
from hgldp.model.weights import truth_weight
from hgldp.schemes.registry import scheme_of
from hgldp.wire.bulletin import read_bulletin
from hgldp.wire.task import read_task
from tests.sdk.node import NODE, SDK, require_node, run

require_node()

Ask = Callable[..., Any]
EPSILONS = st.fractions(min_value=Fraction(1, 20), max_value=8, max_denominator=1000) | st.sampled_from([0.1, 1.0, 2.5])
MANY = settings(max_examples=60, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
WORDS = st.lists(st.text(max_size=6), min_size=4, max_size=12, unique_by=lambda text: text.strip().lower())


@pytest.fixture(scope="module")
def ask() -> Iterator[Ask]:
    run(NODE, "test/run.mjs", "oracle")
    with subprocess.Popen(
        [NODE, "build/test/oracle.mjs"], cwd=SDK, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None

        def asked(kind: str, **question: Any) -> Any:
            process.stdin.write(json.dumps({"kind": kind, **question}) + "\n")  # type: ignore[union-attr]
            process.stdin.flush()  # type: ignore[union-attr]
            return json.loads(process.stdout.readline())  # type: ignore[union-attr]

        yield asked
        process.stdin.close()
        process.wait(10)


@st.composite
def hot_lists(draw: st.DrawFn) -> tuple[Task, AnyBulletin, list[Any]]:
    words = Vocabulary(tuple(draw(WORDS)))
    scheme = draw(st.sampled_from(["bgr", "dsr", "bdr", "cnr"]))
    tight = draw(st.booleans()) or scheme in ("bgr", "dsr")
    cells, rule = draw(st.integers(1, 3)), draw(st.sampled_from(["none", "space", "case", "space and case"]))
    more = {} if tight else {"tight": False, "judge_share": draw(st.sampled_from([Fraction(1, 3), Fraction(2, 7)]))}
    budget = Budget(draw(EPSILONS), *draw(st.sampled_from([("event",), ("period",), ("window", 3), ("user", 2)])))
    task = Task(scheme, budget, words, k=1, cells=cells, other=True, normalise=rule, **more)
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
    return task, OpenBulletin(task.id, 7, task.rules.cells, shown), [*texts, "a\0b", "x" * 41, 3, "\ud800", "é" * 20]


def same_symbols(ask: Ask, case: tuple[Task, AnyBulletin, list[Any]], seed: int) -> None:
    task, bulletin, items = case
    scheme, words, items = scheme_of(task), SeededWords(seed), items * 3
    codes = [task.encode(item) for item in items]
    symbols = [scheme.randomize(code, bulletin, words) for code in codes]
    sent = {"task": task.canonical.hex(), "bulletin": bulletin.canonical.hex(), "seed": str(seed), "items": items}
    assert ask("symbols", **sent) == {
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
    try:
        scheme_of(task).check_bulletin(found := read_bulletin(bytes(changed)))
        refused = found.epoch > 2**53
    except HgldpError:
        refused = True
    assert ask("refused", task=task.canonical.hex(), bulletin=changed.hex()) == refused


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
