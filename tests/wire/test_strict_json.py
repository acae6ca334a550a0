"""The one reader of JSON refuses what two readers could understand differently, and repeats nothing of it."""

import json
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hgldp.errors import MalformedBytes
from hgldp.model.budget import Budget
from hgldp.model.domain import Vocabulary
from hgldp.model.task import Task
from hgldp.wire.strict_json import read_json, strict
from hgldp.wire.task import read_task

values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda parts: st.lists(parts) | st.dictionaries(st.text(), parts),
    max_leaves=20,
)


@given(values, st.booleans())
def test_what_json_dumps_wrote_comes_back(value: object, ascii_only: bool) -> None:
    text = json.dumps(value, ensure_ascii=ascii_only)
    assert read_json(text.encode("utf-8", "strict")) == value


@given(st.binary(max_size=200))
def test_any_bytes_are_read_as_python_reads_them_or_refused(data: bytes) -> None:
    try:
        found = read_json(data)
    except MalformedBytes:
        return
    assert found == json.loads(data)


@pytest.mark.parametrize(
    ("data", "rule"),
    [
        (b'{"secret": 1, "secret": 2}', "name each key once"),
        (b'[{"a": {"secret": 1, "secret": 1}}]', "name each key once"),
        (b"NaN", "finite numbers only"),
        (b'{"secret": Infinity}', "finite numbers only"),
        (b"[-Infinity]", "finite numbers only"),
        (b"1e999", "finite numbers only"),
        (b"-1e999", "finite numbers only"),
        (b"\xff", "in UTF-8"),
        ('"secret"'.encode("utf-16"), "in UTF-8"),
        ('"secret"'.encode("utf-16-le"), "well-formed"),
        (b'\xef\xbb\xbf"secret"', "well-formed"),
        (b"", "well-formed"),
        (b"secret", "well-formed"),
        (b'{"secret": 1,}', "well-formed"),
        (b"1 2", "well-formed"),
        (b"9" * 5000, "well-formed"),
        (b"[" * 100_000, "nested less deeply"),
        (b'{"a":' * 100_000, "nested less deeply"),
    ],
)
def test_what_is_not_strict_json_is_refused_and_not_repeated(data: bytes, rule: str) -> None:
    with pytest.raises(MalformedBytes, match=rule) as refused:
        read_json(data)
    assert "secret" not in str(refused.value)


def test_the_bound_counts_bytes_and_comes_before_everything_else() -> None:
    assert read_json(b'"tea"', 5) == "tea"
    for data in (b'"milk"', b"\xff" * 6):
        with pytest.raises(MalformedBytes, match="at most 5 bytes, got 6"):
            read_json(data, 5)


def test_a_task_whose_words_hold_a_lone_surrogate_is_still_read() -> None:
    task = Task("dsr", Budget(Fraction(1)), Vocabulary(("\ud800", "tea", "mate")), k=1, cells=2)
    assert read_task(task.canonical) == task


@given(values)
def test_what_is_strict_already_stays_as_it_is(value: object) -> None:
    assert strict(value) == value


def test_what_json_has_no_word_for_becomes_null_or_digits() -> None:
    found = strict({1: (float("inf"), -float("inf"), float("nan"), 0.5), "b": b"\xff\x00"})
    assert found == {"1": [None, None, None, 0.5], "b": "ff00"}
    assert json.dumps(found, allow_nan=False)
