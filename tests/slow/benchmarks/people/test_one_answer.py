"""Intervals hold where answers are sent once, and not where they go with each event: the benchmark can tell."""

from benchmarks.people.one_answer import AGAIN, ONCE, Piece, that_hold


def held(sent: str, repeats: int) -> float:
    found = [that_hold(Piece("pfr", sent, repeats, seed, events=3_000)) for seed in range(1, 7)]
    return sum(held for held, _ in found) / sum(lines for _, lines in found)


def test_many_events_of_one_person_do_not_hurt_unless_each_sends_the_answer() -> None:
    assert held(ONCE, 100) > 0.8
    assert held(AGAIN, 100) < 0.7
