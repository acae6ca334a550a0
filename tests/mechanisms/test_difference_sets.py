"""Every set of the table, each difference counted."""

from collections.abc import Sequence
from itertools import product

import numpy as np
import pytest

from hgldp.errors import InvalidField
from hgldp.mechanisms.difference_sets import MOST_MODULUS, SINGER, DifferenceSet, every_set, one, sets_between

LIMB = 16


def differences(members: Sequence[int], modulus: int) -> list[int]:
    """How often each residue is a difference: one exact product of D(x) and D(1/x), 16 bits a coefficient."""
    if len(members) >= 1 << LIMB:
        raise OverflowError("a coefficient would not fit")
    inside = np.zeros(modulus, "<u2")
    inside[list(members)] = 1
    forward, backward = (int.from_bytes(part.tobytes(), "little") for part in (inside, inside[::-1]))
    bits = (forward * backward).to_bytes(LIMB // 8 * 2 * modulus, "little")
    coefficients = np.frombuffer(bits, "<u2").astype(np.int64)
    around = coefficients[:modulus] + coefficients[modulus:]
    return [int(number) for number in np.roll(around, -(modulus - 1))]


def is_difference_set(claimed: DifferenceSet, members: Sequence[int]) -> bool:
    counts = differences(members, claimed.modulus)
    return (
        len(set(members)) == len(members) == claimed.size
        and list(members) == sorted(members)
        and members[0] >= 0
        and members[-1] < claimed.modulus
        and counts == [claimed.size] + [claimed.overlap] * (claimed.modulus - 1)
    )


@pytest.mark.parametrize(("members", "modulus"), [((1, 2, 4), 7), ((0, 5, 6, 9), 11), ((0,), 3), ((0, 2), 4)])
def test_the_count_of_differences_is_the_obvious_one(members: tuple[int, ...], modulus: int) -> None:
    pairs = [(left - right) % modulus for left, right in product(members, members)]
    assert differences(members, modulus) == [pairs.count(residue) for residue in range(modulus)]


def test_every_set_is_a_difference_set_of_the_stated_size_and_overlap() -> None:
    for claimed in every_set():
        assert is_difference_set(claimed, claimed.members), claimed


def test_a_set_with_one_member_moved_is_refused() -> None:
    for claimed in every_set():
        if claimed.modulus in (31, 307, 1093, 8191):
            inside = set(claimed.members)
            stranger = next(residue for residue in range(claimed.modulus) if residue not in inside)
            assert not is_difference_set(claimed, sorted({*claimed.members[1:], stranger}))


def powers(least: int) -> set[tuple[int, int]]:
    """(q, t) of every Singer set within the table's reach, from the primes themselves."""
    primes = [number for number in range(2, 100) if all(number % factor for factor in range(2, number))]
    prime_powers = {prime**power for prime in primes for power in range(1, 14)}
    return {(q, t) for q in prime_powers for t in range(least, 15) if (q**t - 1) // (q - 1) <= MOST_MODULUS}


def test_the_table_has_every_prime_power_and_dimension_once_and_every_prime_of_its_kind() -> None:
    assert sorted((p**power, t) for p, power, t, _ in SINGER) == sorted(powers(3))
    residues = [found.modulus for found in every_set() if found.family == "residues"]
    primes = [n for n in range(5, MOST_MODULUS + 1) if n % 4 == 3 and all(n % f for f in range(2, int(n**0.5) + 1))]
    assert residues == primes


def test_between_two_bounds_are_all_sets_within_them_and_no_other() -> None:
    for least, most in ((7, 7), (8, 20), (64, 140), (9000, 9100), (30, 30)):
        assert list(sets_between(least, most)) == [s for s in every_set() if least <= s.modulus <= most]


def test_one_member_is_the_truth_alone_and_an_unknown_family_is_refused() -> None:
    assert one(5).members == (0,)
    assert differences((0,), 5) == [1, 0, 0, 0, 0]
    with pytest.raises(InvalidField, match="family must be"):
        _ = DifferenceSet(7, 3, 1, "guessed").members
