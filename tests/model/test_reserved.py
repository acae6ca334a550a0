"""What a domain does not list: one reserved item for all of it, the same in every language."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hgldp.errors import InvalidField, OutsideDomain
from hgldp.model.budget import Budget
from hgldp.model.domain import RangeDomain, StringDomain, Vocabulary
from hgldp.model.reserved import Reserved, WithOther, normalised
from hgldp.model.task import Task

DRINKS = WithOther(Vocabulary(("Tea", "milk")), nothing=True, normalise="space and case")
NUMBERS = WithOther(RangeDomain(10, start=5))


@given(st.none() | st.integers() | st.floats() | st.text() | st.binary() | st.lists(st.integers()) | st.booleans())
def test_a_client_is_never_without_an_answer(item: object) -> None:
    assert 0 <= DRINKS.encode(item) < DRINKS.size
    assert 0 <= NUMBERS.encode(item) < NUMBERS.size
    assert DRINKS.encode(item) != DRINKS.reserved[Reserved.NOTHING], "no item is nothing"


def test_near_misses_count_as_the_item_by_the_rule_of_the_task() -> None:
    assert [DRINKS.encode(item) for item in ("tea", " TEA\t", "Milk\r\n", np.str_("milk"))] == [0, 0, 1, 1]
    assert [DRINKS.encode(item) for item in ("te a", "\u00a0tea", "tëa")] == [2, 2, 2]
    assert [NUMBERS.encode(item) for item in (5, np.int64(5), np.uint8(14), True, "5", 5.0, 4, 15)] == [
        0, 0, 9, 10, 10, 10, 10, 10,
    ]  # fmt: skip
    plain = WithOther(Vocabulary(("Tea", "tea")))
    assert [plain.encode(item) for item in ("Tea", "tea", " tea")] == [0, 1, 2]


def test_people_who_ask_are_told_what_is_no_item() -> None:
    assert [DRINKS.index(item) for item in ("tea", "other", "nothing", Reserved.OTHER)] == [0, 2, 3, 2]
    assert (NUMBERS.index("other"), NUMBERS.item(10), NUMBERS.item(0)) == (10, "other", 5)
    for domain, item in ((DRINKS, "gin"), (NUMBERS, "nothing"), (NUMBERS, 99), (DRINKS, 7)):
        with pytest.raises(OutsideDomain) as refused:
            domain.index(item)
        assert "gin" not in str(refused.value)
    with pytest.raises(OutsideDomain):
        NUMBERS.index(Reserved.NOTHING)


def test_a_list_that_has_the_word_gets_no_second_one() -> None:
    listed = WithOther(Vocabulary(("tea", "other", "nothing")), nothing=True)
    assert (listed.size, listed.encode("gin"), listed.encode(Reserved.NOTHING)) == (3, 1, 2)
    assert listed.describe() == "3 words"


def test_words_that_the_rule_makes_equal_are_refused() -> None:
    with pytest.raises(InvalidField, match="words must be distinct after the task's rule"):
        WithOther(Vocabulary(("Tea", "tea")), normalise="case")


@given(st.text())
def test_normalising_twice_is_normalising_once(text: str) -> None:
    for rule in ("none", "space", "case", "space and case"):
        once = normalised(text, rule)  # type: ignore[arg-type]
        assert normalised(once, rule) == once  # type: ignore[arg-type]


def test_strings_have_everything_else_and_a_word_for_nothing() -> None:
    task = Task("pfr", Budget(1.0, "period"), StringDomain(8), nothing=True, normalise="space and case")
    assert task.encode(" Tea ") == b"tea\0"
    assert (task.encode("x" * 9), task.encode(7), task.encode(Reserved.NOTHING)) == (None, None, b"nothing\0")
    with pytest.raises(InvalidField, match="must have room for the word nothing"):
        Task("pfr", Budget(1.0, "period"), StringDomain(6), nothing=True)
    with pytest.raises(InvalidField, match="other must be false for strings"):
        Task("pfr", Budget(1.0), StringDomain(6), other=True)
