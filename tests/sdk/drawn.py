"""Any task with a bulletin and items, for tests that compare both languages."""

from fractions import Fraction
from typing import Any, get_args

from hypothesis import strategies as st

from hgldp.model.budget import Budget
from hgldp.model.bulletins import AnyBulletin, Bulletin, Cell, FrontierBulletin, HintedBulletin, OpenBulletin
from hgldp.model.domain import RangeDomain, StringDomain, Vocabulary
from hgldp.model.hints import Hints
from hgldp.model.rules import Structure
from hgldp.model.task import Task
from hgldp.schemes.hinted_pfr import HintedPFR

Case = tuple[Task, AnyBulletin, list[Any]]
EPSILONS = st.fractions(min_value=Fraction(1, 20), max_value=8, max_denominator=1000) | st.sampled_from([0.1, 1.0, 2.5])
WORDS = st.lists(st.text(max_size=6), min_size=4, max_size=12, unique_by=lambda text: text.strip().lower())
LINES = st.text(st.characters(exclude_characters="\0\n", exclude_categories=["Cs"]), min_size=1, max_size=6)


@st.composite
def hot_lists(draw: st.DrawFn) -> Case:
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
def frontiers(draw: st.DrawFn) -> Case:
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
def strings(draw: st.DrawFn) -> Case:
    most = draw(st.integers(1, 40))
    task = Task("pfr", Budget(draw(EPSILONS)), StringDomain(most), k=2, cells=draw(st.integers(64, 600)))
    texts = draw(st.lists(st.text(max_size=8), max_size=6))
    edges = ["a\0b", "x" * 41, 3, "\ud800", "é" * 20, "100 %41", "😀" * 10, "x" + "😀" * 10, "x" * (most - 1) + "😀"]
    return task, OpenBulletin(task.id, 7, task.rules.cells, draw(prefixes(texts))), [*texts, *edges]


@st.composite
def prefixes(draw: st.DrawFn, texts: list[str]) -> tuple[Cell, ...]:
    """Some cells of strings; a few of these texts begin with their prefixes."""
    pieces = [text.encode(errors="ignore") for text in texts]
    ends = st.tuples(st.integers(0, 255), st.integers(0, 255)).map(sorted)
    cells = {Cell(draw(st.sampled_from([b"", *pieces]))[: draw(st.integers(0, 4))], *draw(ends)) for _ in range(9)}
    return tuple(sorted(cells)) if draw(st.booleans()) else tuple(cells)


@st.composite
def hinted(draw: st.DrawFn) -> Case:
    """Strings of which a list names some; what is reported stands on it, beside it, or cannot be sent."""
    lines = draw(st.lists(LINES, min_size=2, max_size=30, unique=True))
    domain, budget = StringDomain(40, Hints.of(lines)), Budget(draw(EPSILONS))
    task = Task("pfr", budget, domain, k=2, cells=draw(st.integers(32, 600)))
    scheme, texts = HintedPFR.of(task), draw(st.lists(LINES, max_size=4))
    leaves = draw(st.lists(st.integers(0, len(lines) - 1), max_size=scheme.listed.cells - 1, unique=True))
    epoch, key, cells = draw(st.integers(0, 2**50)), draw(st.integers(0, 2**64 - 1)), draw(prefixes(lines))
    listed = FrontierBulletin(bytes(32), epoch, len(lines), scheme.listed.cells, key, tuple(leaves))
    spelled = OpenBulletin(bytes(32), epoch, scheme.spelled_symbols, cells)
    near = [each + lines[0] for each in lines[1:3]]
    return task, HintedBulletin(task.id, epoch, listed, spelled), [*lines, *near, *texts, "a\0b", "x" * 41, 3, ""]
