"""The front door: what `import hgldp` shows, what it loads, and how answers look."""

import pydoc
import subprocess
import sys
from collections.abc import Callable, Iterable

import numpy as np
import pytest

import hgldp
from hgldp import Answer, Estimate, HeavyGuardian, Randomizer, SeededWords, Task, Tracker, simulate

DRINKS = ["water", "coffee", "tea", "juice"]
STREAM = ["coffee"] * 500 + ["tea"] * 300 + ["water"] * 150 + ["juice"] * 50


def loaded_by(statement: str) -> set[str]:
    """The top-level modules that a statement loads into a fresh interpreter."""
    code = f"import sys; {statement}; print(*{{name.partition('.')[0] for name in sys.modules}})"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(done.stdout.split())


@pytest.mark.parametrize(
    "statement",
    ["import hgldp", "from hgldp import Budget, Randomizer, Reporter, SeededWords, Task, Vocabulary, register"],
)
def test_the_client_half_loads_nothing_outside_the_standard_library(statement: str) -> None:
    outside = loaded_by(statement) - loaded_by("pass") - set(sys.stdlib_module_names)
    assert outside == {"hgldp"}


def test_this_check_would_notice_numpy() -> None:
    assert "numpy" in loaded_by("from hgldp import Tracker")


def test_every_public_name_can_be_had_and_is_in_dir() -> None:
    assert dir(hgldp) == sorted(hgldp.__all__)
    for name in hgldp.__all__:
        assert getattr(hgldp, name) is not None
    with pytest.raises(AttributeError, match="module 'hgldp' has no attribute 'Traker'"):
        _ = hgldp.Traker


def test_help_is_a_page_that_names_everything_with_its_purpose() -> None:
    page = pydoc.plain(pydoc.render_doc(hgldp))
    told = page[: page.index("PACKAGE CONTENTS")]
    for name in ("Task", "Budget", "Randomizer", "Reporter", "Tracker", "simulate", "HeavyGuardian", "register"):
        assert name in told


def arrow(values: list[str]) -> Iterable[object]:
    pyarrow = pytest.importorskip("pyarrow")
    column: Iterable[object] = pyarrow.chunked_array([values])
    return column


@pytest.mark.parametrize(
    "made", [list, tuple, iter, np.array, arrow], ids=["list", "tuple", "iterator", "array", "arrow"]
)
def test_any_iterable_of_items_will_do(made: Callable[[list[str]], Iterable[object]]) -> None:
    task = Task("dsr", epsilon=2.0, domain=DRINKS, k=2)
    warm = Tracker(task, seed=1, warmup=made(STREAM[:600]))
    assert warm.serialize() == Tracker(task, seed=1, warmup=STREAM[:600]).serialize()
    assert simulate(made(STREAM), epsilon=3.0, k=2).scores == simulate(STREAM, epsilon=3.0, k=2).scores


def test_any_iterable_of_symbols_will_do() -> None:
    task = Task("pfr", epsilon=2.0, domain=range(100), k=2)
    client, first = Randomizer(task, max_epsilon=2.0, words=SeededWords(1)), Tracker(task, seed=1).bulletin
    symbols = [client.report(7, first).symbol for _ in range(300)]
    answers = []
    for many in (
        symbols,
        tuple(symbols),
        iter(symbols),
        np.array(symbols),
        np.array(symbols, np.uint16),
        arrow_of(symbols),
    ):
        tracker = Tracker(task, seed=1)
        tracker.insert_many(first.version, many)
        answers.append(tracker.top())
    assert all(answer == answers[0] for answer in answers)


def arrow_of(symbols: list[int]) -> Iterable[int]:
    pyarrow = pytest.importorskip("pyarrow")
    column: Iterable[int] = pyarrow.array(symbols)
    return column


def test_plain_domains_make_the_same_task_as_the_classes() -> None:
    listed = Task("pfr", hgldp.Budget(2.0), hgldp.Vocabulary(tuple(DRINKS)), k=2)
    assert Task("PFR", epsilon=2.0, domain=DRINKS, k=2).id == listed.id
    assert Task("pfr", epsilon=2.0, domain=range(5, 105), k=2).domain == hgldp.RangeDomain(100, 5)
    assert Task("pfr", epsilon=2.0, domain=40, k=2).domain == hgldp.StringDomain(40)
    assert Task("dsr", epsilon=2.0, domain=DRINKS, k=2, level="user", events=3).budget == hgldp.Budget(2.0, "user", 3)


def test_an_answer_prints_as_a_table_and_escapes_what_it_shows_in_a_notebook() -> None:
    answer = Answer([("<b>tea</b>", Estimate(item=0, count=1200.0, standard_error=10.0))])
    assert "1,200" in repr(answer)
    assert "<b>" in repr(answer)
    assert "&lt;b&gt;tea" in answer._repr_html_()
    assert "<b>" not in answer._repr_html_()
    assert repr(Answer()) == "Answer (nothing found yet)"
    result = simulate(STREAM, epsilon=4.0, k=2)
    assert "of the true top 2 found" in repr(result)
    assert "<table>" in result._repr_html_()


def test_the_sketch_counts_numpy_and_generators_alike() -> None:
    whole, lazy = (HeavyGuardian(buckets=1, heavy_cells=8, seed=1) for _ in range(2))
    whole.update(np.arange(1000) % 7)
    lazy.update(number % 7 for number in range(1000))
    assert whole.serialize() == lazy.serialize()


def test_numpy_numbers_are_items_like_any_other() -> None:
    task = Task("pfr", epsilon=2.0, domain=range(100), k=2)
    client, bulletin = Randomizer(task, max_epsilon=2.0, words=SeededWords(1)), Tracker(task, seed=1).bulletin
    again = Randomizer(task, max_epsilon=2.0, words=SeededWords(1))
    items = np.arange(50, dtype=np.uint8)
    assert [client.report(item, bulletin) for item in items] == [
        again.report(item, bulletin) for item in items.tolist()
    ]


def test_part_of_an_answer_is_an_answer() -> None:
    lines = Answer((name, Estimate(item=0, count=1.0, standard_error=1.0)) for name in "abc")
    assert isinstance(lines[:2], Answer)
    assert lines[0][0] == "a"


def test_help_works_where_only_the_client_is_installed() -> None:
    """As after `pip install .`: NumPy and Numba cannot be found."""
    code = (
        "import sys; sys.modules['numba'] = sys.modules['numpy'] = None;"
        "import importlib.util as u; real = u.find_spec;"
        "u.find_spec = lambda name, *rest: None if name in ('numba', 'numpy') else real(name, *rest);"
        "import hgldp, pydoc; page = pydoc.plain(pydoc.render_doc(hgldp)); assert 'class Task' in page;"
        "assert 'Tracker' not in dir(hgldp)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
