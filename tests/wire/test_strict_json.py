"""The one strict reader of JSON takes what the standard has, and nothing that two readers could read differently."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hgldp.errors import MalformedBytes
from hgldp.wire.strict_json import read_json

scalars = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text()
documents = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4), max_leaves=20
)


@given(documents, st.booleans())
def test_it_reads_back_what_was_written(document: object, ascii_only: bool) -> None:
    assert read_json(json.dumps(document, ensure_ascii=ascii_only).encode()) == document


@pytest.mark.parametrize(
    "data",
    [
        b"", b"{", b"\xff", b'"\xed\xa0\x80"', b'"\\ud800"', b'{"\\udfff": 1}', b"NaN", b"[Infinity]", b"-Infinity",
        b"1e999", b"[-1e999]", b'{"k": 1, "k": 1}', b'[{"a": {"b": 1, "b": 2}}]', b"[" * 100_000, b"9" * 5000,
        b"{} {}", b"\xef\xbb\xbf{}",
    ],
)  # fmt: skip
def test_what_readers_disagree_about_is_refused(data: bytes) -> None:
    with pytest.raises(MalformedBytes, match="must be JSON in UTF-8"):
        read_json(data)


def test_a_pair_of_escaped_halves_is_one_letter() -> None:
    assert read_json(b'"\\ud83d\\ude00"') == "\N{GRINNING FACE}"
