"""A ledger is read as it was written; what cannot be is damage, even if its hash is right."""

import json
from hashlib import sha256
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hgldp.client.randomizer import ANSWERS_KEPT
from hgldp.client.spending.page import MOST_BYTES, START_OF_VERSION, LedgerDamaged, Page

COUNT = st.integers(0, 2**53 - 1)
PERHAPS = st.integers(-1, 2**53 - 1)
VERSION = st.text("0123456789abcdef", min_size=START_OF_VERSION, max_size=START_OF_VERSION)
PAGES = st.builds(
    Page,
    task=st.just("t" * 64),
    reports=st.integers(30 * 10**6, 2**53 - 1),
    hours=st.lists(st.tuples(COUNT, st.integers(0, 10**6)), max_size=25).map(tuple),
    second=COUNT,
    opted_out=st.booleans(),
    start=PERHAPS,
    period=PERHAPS,
    seen=COUNT,
    lot=PERHAPS,
    answered=st.lists(VERSION, max_size=ANSWERS_KEPT).map(tuple),
    held=st.just("") | VERSION,
    since=PERHAPS,
)


@given(PAGES)
def test_a_page_comes_back_as_it_was_written_and_fits(page: Page) -> None:
    assert Page.decode(page.encode()) == page
    assert len(page.encode()) <= MOST_BYTES


def written(**fields: Any) -> bytes:
    """A page with these fields and the right hash."""
    line = json.dumps(json.loads(Page("t" * 64).encode().split(b"\n")[0]) | fields).encode()
    return line + b"\n" + sha256(line).hexdigest().encode() + b"\n"


def test_a_page_of_a_version_without_one_answer_is_read() -> None:
    line = json.loads(Page("t" * 64, reports=3).encode().split(b"\n")[0])
    for name in ("answered", "held", "since"):
        del line[name]
    data = json.dumps(line).encode()
    assert Page.decode(data + b"\n" + sha256(data).hexdigest().encode() + b"\n") == Page("t" * 64, reports=3)


@pytest.mark.parametrize(
    "fields",
    [
        *({name: value} for name in ("since", "start", "lot", "period") for value in ("7", None, -2, 10**30, True)),
        *({name: value} for name in ("second", "seen", "reports") for value in ("7", None, -1, 10**30, 1.5)),
        *({"answered": value} for value in ("abc", {"a": 1}, ["a"], [7], ["a" * 16] * 33, None)),
        *({"held": value} for value in ("a", "a" * 600, 7, None)),
        {"opted_out": "no"},
        {"hours": [[1, 2]]},
        {"more": 1},
    ],
)
def test_what_cannot_be_is_damage(fields: dict[str, Any]) -> None:
    with pytest.raises(LedgerDamaged):
        Page.decode(written(**fields))
