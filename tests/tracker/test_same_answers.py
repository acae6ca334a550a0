"""Where clients repeat their answers, chance repeats too: no line may claim to stand out, and the answer says why."""

from hgldp import Randomizer, SeededWords, Task, Tracker
from hgldp.model.estimate import REPEATED

DRINKS = ["tea", "milk", "mate", "juice", "water", "gin"]


def repeated(same_answers: bool) -> Tracker:
    """Forty devices that say fifty times each what they drink: all of them tea."""
    task = Task("dsr", epsilon=1.0, domain=DRINKS, k=3, other=True, epoch=250, same_answers=same_answers)
    tracker, words = Tracker(task, seed=1), SeededWords(3)
    for event in range(2_000):
        client = Randomizer(task, max_epsilon=1.0, words=words, secret=(event % 40).to_bytes(32, "big"))
        tracker.insert(client.report("tea", tracker.bulletin))
    return tracker


def test_every_line_may_be_noise_and_the_answer_says_why() -> None:
    tracker = repeated(same_answers=True)
    for answer in (tracker.top(), tracker.ask(DRINKS)):
        assert all(line.may_be_noise for _, line in answer)
        assert REPEATED in answer.note
    assert not tracker.top().has_clear_top


def test_without_repetition_tea_stands_out_and_nothing_is_said() -> None:
    answer = repeated(same_answers=False).top()
    assert answer.has_clear_top
    assert REPEATED not in answer.note


def test_the_intervals_alone_would_have_been_wrong() -> None:
    """The mark is no mere caution: juice has an interval above 0, and nobody ever reported it."""
    truth = dict.fromkeys(DRINKS, 0) | {"tea": 2_000}
    lines = [(truth.get(str(item), 0), line.interval) for item, line in repeated(same_answers=True).top(6)]
    assert any(not low <= exact <= high for exact, (low, high) in lines)
