"""Lines that stand out and marked ones are counted apart, and so is what nobody sent."""

import numpy as np

from benchmarks.strings.few import Setting, measured, tally
from hgldp.model.estimate import Answer, Estimate

STREAM = np.array([0] * 30 + [1] * 70, np.int32)


def test_lines_are_counted_by_what_they_say_of_themselves() -> None:
    tea = Estimate(0, 60.0, 5.0, 70.0, 5.0, 70, bounds=(60.0, 80.0))
    wrong = Estimate(1, 60.0, 5.0, 20.0, 1.0, 50, bounds=(40.0, 80.0), may_be_noise=True)
    zebra = Estimate(2, 3.0, 1.0, 3.0, 2.0, 100, bounds=(1.0, 5.0), may_be_noise=True)
    found = tally(Answer([("tea", tea), ("maté", wrong), ("zebra", zebra)]), ["maté", "tea"], STREAM)
    assert (found["out"], found["out whole"], found["out since"]) == (1, 1, 1)
    assert (found["marked"], found["marked whole"], found["marked since"]) == (2, 0, 1)
    assert (found["unsent"], found["unsent above 0"]) == (1, 1)


def test_of_six_strings_all_marked_lines_may_have_come_never() -> None:
    """Each interval of an unsent string lies above 0 with a chance of at most 2 %.

    Of about nine, more than five are an accident of less than one in a million. Once nearly all did.
    """
    six = Setting(
        "six", ["mat", "mate", "maté", "tea", "milk", "cocoa"], np.array([9.0, 9, 14, 22, 27, 18]), 60_000, 4.0, 8
    )
    found = measured(six, range(3))
    assert found["unsent"] >= 3
    assert found["unsent above 0"] <= 5 < found["out"]
