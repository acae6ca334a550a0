"""Items become numbers and back; what is outside is refused without being repeated."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hgldp.errors import InvalidField, OutsideDomain
from hgldp.model.domain import MAX_SIZE, Domain, RangeDomain, StringDomain, Vocabulary, check_size

WORDS = Vocabulary(("tea", "coffee", "milk"))
RANGE = RangeDomain(size=10, start=5)


@given(size=st.integers(2, 1000), start=st.integers(-1000, 1000), data=st.data())
def test_a_range_numbers_its_integers_from_zero(size: int, start: int, data: st.DataObject) -> None:
    domain, index = RangeDomain(size, start), data.draw(st.integers(0, size - 1))
    assert domain.item(index) == start + index
    assert domain.index(start + index) == index


@given(words=st.lists(st.text(), min_size=2, max_size=20, unique=True))
def test_a_vocabulary_numbers_its_words_in_their_order(words: list[str]) -> None:
    domain = Vocabulary(tuple(words))
    assert domain.size == len(words)
    assert [domain.index(word) for word in words] == list(range(len(words)))
    assert [domain.item(index) for index in range(len(words))] == words


@pytest.mark.parametrize("domain", [RANGE, WORDS], ids=["range", "vocabulary"])
@pytest.mark.parametrize("secret", [4, 15, 31337, "hunter2", True, 6.0, None, b"tea"])
def test_an_item_outside_is_refused_and_withheld(domain: Domain, secret: object) -> None:
    with pytest.raises(OutsideDomain) as refused:
        domain.index(secret)
    assert "withheld" in str(refused.value)
    assert "31337" not in str(refused.value)
    assert "hunter2" not in str(refused.value)


@pytest.mark.parametrize("domain", [RANGE, WORDS], ids=["range", "vocabulary"])
@pytest.mark.parametrize("index", [-1, 10])
def test_a_number_outside_is_refused(domain: Domain, index: int) -> None:
    with pytest.raises(InvalidField, match=f"index must lie in 0 … {domain.size - 1}, got {index}"):
        domain.item(index)


@pytest.mark.parametrize("size", [1, 0, -3, MAX_SIZE + 1, True, 2.0, "5", None])
def test_a_size_that_is_none_is_refused(size: int) -> None:
    with pytest.raises(InvalidField, match="size must be a whole number in 2"):
        RangeDomain(size)


def test_the_smallest_and_the_largest_size_are_allowed() -> None:
    assert check_size(2) == 2
    assert check_size(MAX_SIZE) == MAX_SIZE


def test_a_word_may_stand_only_once() -> None:
    with pytest.raises(InvalidField, match="words must be distinct, got 'tea' more than once"):
        Vocabulary(("tea", "tea", "milk"))
    with pytest.raises(InvalidField, match="words must be at least 2 words and at most 2,147,483,647, got 1"):
        Vocabulary(("tea",))


@pytest.mark.parametrize("words", [{"tea", "milk"}, "tea", (1, 2), ("tea", None), {"tea": 1, "milk": 2}])
def test_words_without_an_order_or_that_are_none_are_refused(words: object) -> None:
    with pytest.raises(InvalidField, match="words must be a list or tuple of str"):
        Vocabulary(words)  # type: ignore[arg-type]


def test_a_list_of_words_is_as_good_as_a_tuple() -> None:
    assert Vocabulary(["tea", "milk"]) == Vocabulary(("tea", "milk"))  # type: ignore[arg-type]


def test_an_item_whose_own_code_fails_is_outside() -> None:
    class Awkward:
        def __index__(self) -> int:
            raise ZeroDivisionError

    with pytest.raises(OutsideDomain, match="not Awkward"):
        RangeDomain(10).index(Awkward())


@pytest.mark.parametrize("domain", [Vocabulary(("tea", "milk")), StringDomain(8)])
def test_no_code_of_an_item_runs(domain: Vocabulary | StringDomain) -> None:
    class Telling(str):
        __slots__ = ()

        def __hash__(self) -> int:
            raise RuntimeError(self)

        def encode(self, *_: object) -> bytes:  # type: ignore[override]
            raise RuntimeError(self)

    assert domain.encode(Telling("milk")) == domain.encode("milk")
