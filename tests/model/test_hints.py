"""A list of strings: one way to write it, one name, and nothing else is taken for it."""

import tracemalloc
from copy import deepcopy
from dataclasses import replace
from hashlib import sha256
from weakref import ref

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hgldp.collector.log.recovery import read_task_row
from hgldp.collector.log.rows import read_task_values, task_values
from hgldp.collector.log.storage import TaskRow
from hgldp.collector.views import TaskTerms
from hgldp.errors import InvalidField, MalformedBytes
from hgldp.model import hints as model
from hgldp.model.domain import StringDomain
from hgldp.model.hints import Hints
from hgldp.model.task import Task
from hgldp.wire.task import kept_document, read_kept_document, read_task, with_its_list

LINES = st.lists(
    st.text(st.characters(exclude_characters="\n\0", exclude_categories=["Cs"]), min_size=1, max_size=20),
    min_size=2,
    max_size=20,
    unique=True,
)
DRINKS = Hints.of(["tea", "mate", "milk"])


def a_task(hints: Hints = DRINKS, **settings: object) -> Task:
    return Task("pfr", epsilon=2.0, domain=StringDomain(80, hints), k=3, **settings)  # type: ignore[arg-type]


@given(LINES)
def test_a_list_is_read_as_it_was_written_and_named_by_the_hash_of_its_file(lines: list[str]) -> None:
    hints = Hints.of(lines)
    assert list(hints.strings) == lines
    assert hints.digest == sha256("".join(f"{line}\n" for line in lines).encode()).hexdigest()
    again = Hints.read(hints.data)
    assert again == hints
    assert [again.index(line.encode() + b"\0") for line in lines] == list(range(len(lines)))
    assert again.index(lines[0].encode()) is None
    assert again.index(None) is None


@given(LINES)
def test_a_task_with_its_list_is_kept_and_read_again(lines: list[str]) -> None:
    task = a_task(Hints.of(lines))
    document, hints = read_kept_document(kept_document(task.canonical, task.hints))
    kept = with_its_list(read_task(document), hints)
    assert kept == task
    assert kept.hints is not None
    assert list(kept.hints.strings) == lines
    assert read_task(task.canonical) == task
    assert read_task(task.canonical).id == task.id


@given(st.binary(max_size=60))
def test_any_other_bytes_are_refused_or_are_exactly_a_list(data: bytes) -> None:
    try:
        hints = Hints.read(data)
    except InvalidField:
        return
    assert Hints.of(hints.strings).data == data


@pytest.mark.parametrize(
    ("lines", "reason"),
    [
        (["tea", "mate", "tea"], "must be distinct, got line 3, which is line 1 again"),
        (["tea", ""], "got another in line 2"),
        (["tea", "a\0b"], "got another in line 2"),
        (["tea", "two\nlines"], "one line each"),
        (["tea", 7], "one of type int"),
        (["tea", "\ud800"], "valid text"),
        (["tea"], "must hold 2 … 1,000,000 strings, got 1"),
        (["tea", "x" * 256], "1 … 255 bytes"),
    ],
)
def test_lists_that_break_a_rule(lines: list[str], reason: str) -> None:
    with pytest.raises(InvalidField, match=reason):
        Hints.of(lines)


def test_a_list_that_is_too_large_is_refused_before_it_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(model, "MOST_LIST_BYTES", 10)
    with pytest.raises(InvalidField, match="at most 10 bytes, got 12"):
        Hints.read(b"tea\nmate\nab\n")


def test_without_the_list_a_task_says_what_is_missing() -> None:
    named = read_task(a_task().canonical)
    with pytest.raises(InvalidField, match="the list itself, not only its name"):
        named.hints.strings  # type: ignore[union-attr]  # noqa: B018
    assert named.with_hints(DRINKS).hints == DRINKS  # type: ignore[union-attr]
    with pytest.raises(InvalidField, match="must be the list that the task names"):
        named.with_hints(Hints.of(["tea", "mate", "silk"]))
    with pytest.raises(InvalidField, match="names no list"):
        Task("pfr", epsilon=2.0, domain=80, k=3).with_hints(DRINKS)


def test_a_list_fits_the_strings_and_the_rule_for_near_misses() -> None:
    with pytest.raises(InvalidField, match="at most 3 bytes, got 4 bytes"):
        StringDomain(3, DRINKS)
    assert a_task(normalise="case").hints == DRINKS
    with pytest.raises(InvalidField, match="another in line 2"):
        a_task(Hints.of(["tea", "Mate"]), normalise="case")


def test_a_task_with_a_list_is_another_task_and_says_so_by_its_scheme() -> None:
    task, without = a_task(), Task("pfr", epsilon=2.0, domain=80, k=3)
    assert b'"scheme":"pfr-hints"' in task.canonical
    assert b'"scheme":"pfr"' in without.canonical
    assert task.scheme == without.scheme == "pfr"
    assert replace(task, k=3) == task
    assert task.id != a_task(Hints.of(["tea", "milk", "mate"])).id
    assert task.rules.cells == 3 * without.rules.cells


def test_a_copy_of_a_server_does_not_copy_the_list() -> None:
    hints = Hints.of(["tea", "mate"])
    assert deepcopy(StringDomain(16, hints)).hints is hints


def complaint(content: bytes) -> str | None:
    """What is wrong with a file, as one would find it line by line with a dictionary."""
    try:
        text = content.decode()
    except UnicodeDecodeError:
        return "must be UTF-8"
    *lines, rest = text.split("\n")
    if rest:
        return "must end every line with a line feed"
    first: dict[str, int] = {}
    for number, line in enumerate(lines, start=1):
        if not line or "\0" in line or len(line.encode()) > 255:
            return f"none of them zero, got another in line {number}"
        if first.setdefault(line, number) != number:
            return f"must be distinct, got line {number}, which is line {first[line]} again"
    return None


FEW_LINES = st.lists(st.sampled_from(["a", "b", "ab", "ä", "", "a\0", "x" * 255, "y" * 256, "\r", " "]), min_size=2)
ANY_BYTES = st.binary(max_size=3)


@given(FEW_LINES, ANY_BYTES, st.booleans())
def test_what_is_wrong_with_a_list_is_what_a_reader_would_find_first(lines: list[str], end: bytes, cut: bool) -> None:
    content = b"".join(line.encode() + b"\n" for line in lines)[: -1 if cut else None] + end
    if content.count(b"\n") < 2:
        return
    expected, found = complaint(content), None
    try:
        Hints.read(content)
    except InvalidField as wrong:
        found = str(wrong)
    assert (found is None) if expected is None else expected in str(found)


def many_lines(number: int = 50_000) -> bytes:
    return b"".join(b"string %x\n" % each for each in range(number))


def test_a_list_needs_little_more_memory_than_its_bytes() -> None:
    content = many_lines()
    tracemalloc.start()
    try:
        hints = Hints.read(content)
        task = a_task(hints, normalise="case")
        assert hints.index(b"string a\0") == 10
        assert hints.strings[10] == "string a"
        held, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert task.hints is hints
    assert held < len(content)
    assert peak < 4 * len(content)


def test_a_list_that_several_tasks_name_is_in_memory_once_and_goes_with_the_last() -> None:
    content = many_lines(100)
    hints = Hints.read(content)
    again = Hints.read(bytes(bytearray(content)))
    assert again is hints
    assert again.data is content
    rows = [task_values(a_row(a_task(hints, epoch_seconds=each))) for each in (60, 120)]
    tasks = [read_task_row(read_task_values(row)) for row in rows]
    assert {id(task.hints) for task in tasks} == {id(hints)}
    assert sum(len(read_task_values(row).document) for row in rows) < len(content)
    gone = ref(hints)
    del hints, again, tasks
    assert gone() is None


def a_row(task: Task) -> TaskRow:
    return TaskRow(1, task.id, task.canonical, 7, TaskTerms("x"), 0.0, bytes(32), bytes(32), hints=task.hints)


def test_a_task_that_was_kept_without_its_list_is_refused() -> None:
    task = a_task()
    for row in (
        replace(a_row(task), hints=None),
        replace(a_row(Task("pfr", epsilon=2.0, domain=80, k=3)), hints=DRINKS),
    ):
        with pytest.raises(MalformedBytes, match="kept with its list"):
            read_task_row(row)
    with pytest.raises(MalformedBytes, match="must be distinct"):
        read_kept_document(task.canonical + b"\ntea\ntea\n")
