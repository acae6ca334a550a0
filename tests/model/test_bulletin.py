"""The hot list, its version, and how cold items are numbered without listing them."""

from dataclasses import replace
from hashlib import sha256

import pytest
from hypothesis import given, settings

from hgldp.errors import InvalidField
from hgldp.model.bulletins import Bulletin
from tests.schemes.small import bulletins

BULLETIN = Bulletin(task=bytes(32), epoch=3, domain_size=10, hot=(7, 2, 9), nominating=False)


@settings(deadline=None)
@given(bulletin=bulletins(30))
def test_the_cold_items_are_numbered_one_to_one(bulletin: Bulletin) -> None:
    cold = [bulletin.cold_item(rank) for rank in range(bulletin.cold_size)]
    assert sorted(cold) == [item for item in range(bulletin.domain_size) if bulletin.slot(item) is None]
    assert [bulletin.cold_rank(item) for item in cold] == list(range(bulletin.cold_size))


@given(bulletin=bulletins(30))
def test_every_hot_item_stands_in_its_slot(bulletin: Bulletin) -> None:
    assert [bulletin.slot(item) for item in bulletin.hot] == list(range(len(bulletin.hot)))


def test_a_huge_domain_is_numbered_at_once() -> None:
    bulletin = Bulletin(bytes(32), 0, 2_000_000_000, (0, 1_999_999_999, 5))
    assert [bulletin.cold_item(rank) for rank in (0, 1, 5)] == [1_999_999_997, 1, 1_999_999_998]


def test_the_version_is_the_hash_of_the_canonical_bytes() -> None:
    expected = b"hgldp bulletin 1" + bytes(32)
    for number, width in ((3, 8), (10, 4), (0, 1), (3, 2), (7, 4), (2, 4), (9, 4)):
        expected += number.to_bytes(width, "big")
    assert BULLETIN.canonical == expected
    assert BULLETIN.version == sha256(expected).hexdigest()


@pytest.mark.parametrize(
    "change",
    [
        {"task": bytes([1]) * 32},
        {"epoch": 4},
        {"domain_size": 11},
        {"hot": (2, 7, 9)},
        {"hot": (7, 2)},
        {"nominating": True},
    ],
)
def test_whatever_changes_changes_the_version(change: dict[str, object]) -> None:
    assert replace(BULLETIN, **change).version != BULLETIN.version  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"task": bytes(31)}, "task must be the 32 bytes of a task id, got bytes"),
        ({"epoch": -1}, "epoch must be a whole number in 0 … 9223372036854775807, got -1"),
        ({"hot": ()}, "hot must hold 1 … 65,535 items and leave at least 1 cold, got 0"),
        ({"hot": tuple(range(10))}, "hot must hold 1 … 65,535 items and leave at least 1 cold, got 10"),
        ({"hot": (10,)}, "hot must hold whole numbers below 10, got 10"),
        ({"hot": (-1,)}, "hot must hold whole numbers below 10, got -1"),
        ({"hot": (1, 1, 2)}, "hot must hold distinct items, got 1 repeated"),
    ],
)
def test_a_bulletin_that_is_none_is_refused(change: dict[str, object], message: str) -> None:
    with pytest.raises(InvalidField, match=message):
        replace(BULLETIN, **change)  # type: ignore[arg-type]
