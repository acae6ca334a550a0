"""Repeated answers: with few of them intervals hold, with many they do not, so the benchmark can tell."""

from benchmarks.people import repeats


def held(times: int) -> float:
    found = [repeats.that_hold(repeats.Piece("pfr", times, seed, reports=3_000)) for seed in range(1, 5)]
    return sum(held for held, _ in found) / sum(lines for _, lines in found)


def test_the_intervals_of_few_repeats_hold_and_those_of_many_do_not() -> None:
    assert held(1) > held(300)
